/** The servers that are measured, each a process of its own on a core of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Cores, onCores } from './cores.ts'
import type { Target } from './work.ts'

/** Of the administrator. */
export const password = 'correct horse battery staple'
/** The checkout that this file is in. */
const here = fileURLToPath(new URL('..', import.meta.url))
/** The program of this checkout. */
export const program = join(here, 'bin/cartulary.mjs')
const floor = fileURLToPath(new URL('floor.ts', import.meta.url))

export type Environment = Readonly<Record<string, string>>

export interface Running extends AsyncDisposable {
  readonly port: number
  readonly pid: number
}

export type Server = Running & Target

/** A folder for databases, gone afterwards. */
export class Folder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'cartulary-bench-'));

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true })
  }

  /** Settings for a service whose database is here. */
  get environment(): Environment {
    return { DATABASE_URL: `file:${join(this.path, 'service.db')}` }
  }
}

/** The floor, for so many groups that it knows nothing of. */
export async function startFloor(groups: number, environment: Environment = {}): Promise<Server> {
  const folder = new Folder()
  const child = start([floor, join(folder.path, 'floor.db')], environment)
  const port = Number(await untilSaid(child, /^(\d+)\n/))
  const groupIds = Array.from({ length: groups }, (_, group) => String(group).padStart(32, '0'))
  return {
    port,
    pid: child.pid!,
    token: 'x'.repeat(43),
    groupIds,
    [Symbol.asyncDispose]: () => stop(child).then(() => folder[Symbol.dispose]()),
  }
}

/** A service on a database of its own, with so many groups, and its administrator signed in. */
export async function startService(groups: number, environment: Environment = {}, checkout = here): Promise<Server> {
  const folder = new Folder()
  const service = await openService({ ...folder.environment, ...environment }, 'first', checkout)
  const token = await signIn(service)
  const create = (title: string) => post(service, '/community/createGroup', { title, token })
  const created: Answer[] = []
  // Below the writes that a user may have in flight.
  while (created.length < groups) {
    const titles = Array.from(
      { length: Math.min(32, groups - created.length) },
      (_, at) => `Group ${created.length + at}`,
    )
    created.push(...(await Promise.all(titles.map(create))))
  }
  return {
    ...service,
    token,
    groupIds: created.map(({ group }) => group.id),
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]().then(() => folder[Symbol.dispose]()),
  }
}

/** A service on the database that the settings name, of this checkout or of another one. */
export async function openService(environment: Environment, cores: Cores = 'first', checkout = here): Promise<Running> {
  const settings = { ADMIN_PASSWORD: password, LOG_LEVEL: 'error', PORT: '0', ...environment }
  const child = start([join(checkout, 'bin/cartulary.mjs')], settings, cores)
  const port = Number(await untilSaid(child, /is ready at http:\/\/[^:]+:(\d+)/))
  return { port, pid: child.pid!, [Symbol.asyncDispose]: () => stop(child) }
}

export async function signIn(service: Running): Promise<string> {
  return (await post(service, '/generateToken', { username: 'admin', password, expiration: '300' })).token
}

/** Processor time that a process has used, in microseconds; undefined where the system does not tell. */
export function processorTime({ pid }: Running): number | undefined {
  const text = readProcess(pid, 'stat')
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ')
  // In ticks, which are hundredths of a second for whoever reads them here.
  return fields && (Number(fields[11]) + Number(fields[12])) * 10_000
}

/** Bytes of memory that a process holds; undefined where the system does not tell. */
export function residentBytes({ pid }: { readonly pid: number }): number | undefined {
  const text = readProcess(pid, 'status')
  return text === undefined ? undefined : Number(/VmRSS:\s+(\d+) kB/.exec(text)![1]) * 1024
}

function readProcess(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return undefined
  }
}

/** Runs a program of Node, which sees nothing of this environment but what it needs to start. */
export function start(words: readonly string[], environment: Environment, cores: Cores = 'first'): ChildProcess {
  const [first, ...others] = [...onCores(cores), process.execPath, ...words]
  const env = { PATH: process.env['PATH'] ?? '', HOME: tmpdir(), ...environment }
  const child = spawn(first!, others, { stdio: ['ignore', 'pipe', 'inherit'], env, cwd: tmpdir() })
  const end = () => child.kill('SIGKILL')
  process.once('exit', end)
  child.once('exit', () => process.off('exit', end))
  return child
}

/** What a server says that matches, without the words around it. */
export function untilSaid(child: ChildProcess, words: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = ''
    child.stdout!.setEncoding('utf8').on('data', (part: string) => {
      said = `${said}${part}`.slice(-50_000)
      const found = words.exec(said)?.[1]
      if (found) resolve(found)
    })
    child.once('exit', () => reject(new Error(`A server does not start: ${said}`)))
  })
}

export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

// biome-ignore lint/suspicious/noExplicitAny: answers of several operations
type Answer = any

export async function post({ port }: Running, path: string, form: Readonly<Record<string, string>>): Promise<Answer> {
  const url = `http://127.0.0.1:${port}/sharing/rest${path}`
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams(form) })
  const answer: Answer = await response.json()
  if (answer.error) throw new Error(`${path}: ${answer.error.message}`)
  return answer
}
