/** Time from the start of a server to its first answer. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { findFreePort } from '../test/support/databases/postgres.ts'
import { figureOf, type Part, type Result, type Row, type Run, resultOf, resultsOf } from './result.ts'
import { type Environment, Folder, password, programOf, startOptions } from './servers.ts'

const retryInterval = 5

interface Seen {
  /** Seconds of `node bin/cartulary.mjs`, round by round. */
  readonly program: readonly number[]
  /** Seconds of `npm start`. */
  readonly npm: readonly number[]
}

const parts: readonly Part<Seen>[] = [
  {
    name: 'start: first answer of the program',
    goal: 0.4,
    direction: 'at most',
    unit: 's',
    figure: ({ program }) => figureOf(program),
  },
  {
    name: 'start: npm start on top',
    goal: 0.5,
    direction: 'at most',
    unit: 's',
    figure: ({ program, npm }) => figureOf(npm.map((seconds, round) => seconds - program[round]!)),
  },
]

export async function* measureStarts(run: Run): AsyncIterable<Result> {
  yield* resultsOf(parts, run, () => measure(run))
  const row = { name: 'start: --ephemeral', goal: 1, direction: 'at most', unit: 's', measure: ephemeral } as const
  if (row.name.includes(run.only)) yield await resultOf(row, run)
}

/** Start with an existing database, compiled modules and built pages, on any cores. */
async function measure({ rounds, checkout }: Run): Promise<Seen> {
  using folder = new Folder()
  const environment = { ...folder.environment, ADMIN_PASSWORD: password }
  const program = () => firstAnswer(process.execPath, [...startOptions, programOf(checkout)], environment, checkout)
  const npm = () => firstAnswer('npm', ['start'], environment, checkout)
  const seen = { program: [] as number[], npm: [] as number[] }
  for (let round = 0; round <= rounds; round += 1) {
    const times = [await program(), await npm()] as const
    // The first starts create the database, the pages and the compiled modules.
    if (round === 0) continue
    seen.program.push(times[0])
    seen.npm.push(times[1])
  }
  return seen
}

async function firstAnswer(
  program: string,
  words: readonly string[],
  environment: Environment,
  cwd: string,
): Promise<number> {
  const port = await findFreePort()
  const { PATH = '', HOME = cwd } = process.env
  const begun = performance.now()
  const env = { PATH, HOME, ...environment, PORT: `${port}` }
  // The server of npm is a child process, which has to end too.
  const child = spawn(program, words, { stdio: ['ignore', 'ignore', 'inherit'], env, cwd, detached: true })
  const end = () => sendToGroup(child.pid!, 'SIGKILL')
  process.once('exit', end)
  try {
    await untilAnswered(child, port)
    return (performance.now() - begun) / 1_000
  } finally {
    await endGroup(child)
    process.off('exit', end)
  }
}

async function untilAnswered(child: ChildProcess, port: number): Promise<void> {
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/sharing/rest/info?f=json`).catch(() => undefined)
    if (answer?.ok) return void (await answer.text())
    if (child.exitCode !== null) throw new Error('The server ended before it answered.')
    await delay(retryInterval)
  }
}

/** Ends a process with its children, and waits until none of them is left. */
async function endGroup({ pid }: ChildProcess): Promise<void> {
  let signal: NodeJS.Signals | 0 = 'SIGTERM'
  while (sendToGroup(pid!, signal)) {
    signal = 0
    await delay(retryInterval)
  }
}

/** Sends a signal to a process group; returns false if no process is left to receive it. */
function sendToGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-pid, signal)
  } catch {
    return false
  }
}

/** Time until the line with its address: a server in memory, with its organization and administrator. */
const ephemeral: Row['measure'] = async ({ rounds, checkout }) => {
  const times: number[] = []
  for (let number = 0; number < rounds; number += 1) {
    const begun = performance.now()
    const words = [programOf(checkout), '--ephemeral', '--json']
    const server = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] })
    const [line] = await once(createInterface(server.stdout), 'line')
    times.push((performance.now() - begun) / 1_000)
    await (await fetch(`${JSON.parse(String(line)).api}/info?f=json`)).text()
    server.kill()
    await once(server, 'close')
  }
  return figureOf(times)
}
