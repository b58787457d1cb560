/**
 * Honest users beside hostile ones, for as long as is asked. Alone and beside them alternate, so that whatever else
 * happens on the machine meets both. Everything that an honest user does is checked: what was acknowledged is read back.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { Agent } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { openPostgres } from './postgres.ts'
import { medianOf } from './result.ts'
import {
  type Environment,
  Folder,
  openService,
  post,
  processorTime,
  type Running,
  residentBytes,
  signIn,
} from './servers.ts'
import { beHonest, type Honest, isLost, type Member, type Phase } from './soak-honest.ts'

const honestUsers = 20
const hostileUsers = 5
const password = 'correct horse battery staple'
/** Share of each round in which the honest users are alone. */
const aloneShare = 0.4
/** Longest round, in milliseconds, and the fewest rounds. */
const longestRound = 30_000
const fewestRounds = 4
/** Milliseconds after a change that belong to neither phase: the hostile users start, or what they began ends. */
const settling = 1_000
const mostTimes = 5
const betweenSamples = 1_000

/** Prints what came out; false where a promise did not hold. `only`: hostile users whose ways have that in their names. */
export async function soak(
  minutes: number,
  engine: 'sqlite' | 'postgres',
  seed: number,
  only: string,
): Promise<boolean> {
  await using stack = new AsyncDisposableStack()
  const environment = await openDatabase(stack, engine)
  const servers: Running[] = []
  for (let number = 0; number < (engine === 'postgres' ? 3 : 1); number += 1) {
    servers.push(stack.use(await openService({ ...environment, RATE_LIMIT_SIGN_IN_FAILURES: '10' }, 'all')))
  }
  const members = await addMembers(servers)
  const honest = members.slice(0, honestUsers).map((member): Honest => {
    const agent = stack.adopt(new Agent({ keepAlive: true, maxSockets: 1 }), (opened) => opened.destroy())
    return { member, agent, written: undefined }
  })
  const random = randomFrom(seed)
  const run = async (phase: Phase, milliseconds: number) => {
    const end = performance.now() + milliseconds
    const begun = { processor: processorTimeOf(servers), real: performance.now() }
    const users = honest.map((user) => beHonest(user, phase, random, end))
    await Promise.all([...users, sample(servers, phase, end)])
    phase.used.processor += processorTimeOf(servers) - begun.processor
    phase.used.real += (performance.now() - begun.real) * 1_000
  }
  const outcomes = new Map<string, number>()
  const milliseconds = minutes * 60_000
  const rounds = Math.max(fewestRounds, Math.round(milliseconds / longestRound))
  const [aside, alone, beside] = ['aside', 'alone', 'beside hostile users'].map(openPhase) as [Phase, Phase, Phase]
  await run(aside, Math.min(10_000, milliseconds * 0.05))
  for (let round = 0; round < rounds; round += 1) {
    await run(alone, (milliseconds / rounds) * aloneShare)
    const hostile = startHostile({ members: members.slice(honestUsers), servers, seed: seed + round, only })
    await run(aside, settling)
    await run(beside, (milliseconds / rounds) * (1 - aloneShare))
    await stopHostile(hostile, outcomes)
    await run(aside, settling)
  }
  const lost = (await Promise.all(honest.map(isLost))).filter(Boolean).length
  for (const [what, count] of [...outcomes].sort()) console.log(`  hostile ${what}: ${count}`)
  for (const phase of [alone, beside]) print(phase)
  return judge(alone, beside, lost)
}

function openPhase(name: string): Phase {
  return { name, times: new Map(), failures: new Map(), memory: [], used: { processor: 0, real: 0 } }
}

async function openDatabase(stack: AsyncDisposableStack, engine: 'sqlite' | 'postgres'): Promise<Environment> {
  if (engine === 'postgres') return stack.use(await openPostgres()).environment
  return stack.adopt(new Folder(), (folder) => folder[Symbol.dispose]()).environment
}

/** Honest and hostile users, each with a group of their own, spread over the servers. */
async function addMembers(servers: readonly Running[]): Promise<readonly Member[]> {
  const [first] = servers
  const token = await signIn(first!)
  await post(first!, '/portals/self/update', { access: 'public', token })
  const names = Array.from({ length: honestUsers + hostileUsers }, (_, number) => `member${number}`)
  const invitations = names.map((username) => ({
    username,
    password,
    fullname: username,
    email: `${username}@example.com`,
    role: 'org_user',
  }))
  await post(first!, '/portals/self/invite', { invitationList: JSON.stringify({ invitations }), token })
  const members: Member[] = []
  for (const [number, username] of names.entries()) {
    const server = servers[number % servers.length]!
    const signedIn = await post(server, '/generateToken', { username, password, expiration: '600' })
    const created = await post(server, '/community/createGroup', { title: `Of ${username}`, token: signedIn.token })
    members.push({ port: server.port, token: signedIn.token, groupId: created.group.id })
  }
  return members
}

async function sample(servers: readonly Running[], { memory }: Phase, end: number): Promise<void> {
  while (performance.now() < end) {
    memory.push(servers.reduce((sum, server) => sum + (residentBytes(server) ?? 0), 0))
    await delay(Math.min(betweenSamples, Math.max(0, end - performance.now())))
  }
}

function processorTimeOf(servers: readonly Running[]): number {
  return servers.reduce((sum, server) => sum + (processorTime(server) ?? 0), 0)
}

interface Hostile {
  readonly members: readonly Member[]
  readonly servers: readonly Running[]
  readonly seed: number
  readonly only: string
}

/** A process of its own, which gets the processor only when the honest users do not need it. */
function startHostile({ members, servers, seed, only }: Hostile): ChildProcess {
  const program = fileURLToPath(new URL('soak-hostile.ts', import.meta.url))
  const given = JSON.stringify({ members, ports: servers.map(({ port }) => port), seed, only })
  const child = spawn(process.execPath, [program, given], { stdio: ['ignore', 'pipe', 'inherit'] })
  const end = () => child.kill('SIGKILL')
  process.once('exit', end)
  child.once('exit', () => process.off('exit', end))
  return child
}

/** Adds what the hostile users got to what they got before. */
async function stopHostile(child: ChildProcess, outcomes: Map<string, number>): Promise<void> {
  if (child.exitCode !== null) throw new Error('The hostile users ended before the honest ones.')
  child.kill('SIGTERM')
  const counted = JSON.parse(await text(child.stdout!)) as [string, number][]
  for (const [what, count] of counted) outcomes.set(what, (outcomes.get(what) ?? 0) + count)
}

function print({ name, times, failures, memory, used }: Phase): void {
  const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`
  console.log(
    `${name}: memory ${megabytes(memory[0]!)} first, ${megabytes(medianOf(memory))} median, ${megabytes(Math.max(...memory))} most; ${(used.processor / used.real).toFixed(2)} processors`,
  )
  for (const [what, all] of times) {
    const cells = [0.5, 0.99, 1].map((share) => `${at(all, share).toFixed(1)} ms`.padStart(10))
    console.log(`  ${what.padEnd(8)} ${String(all.length).padStart(8)} answered; p50, p99, most: ${cells.join(' ')}`)
  }
  for (const [what, count] of failures) console.log(`  failed ${count} times: ${what}`)
}

function at(times: readonly number[], share: number): number {
  return times.toSorted((one, other) => one - other)[Math.min(times.length - 1, Math.floor(times.length * share))]!
}

function judge(alone: Phase, beside: Phase, lost: number): boolean {
  const p99 = ({ times }: Phase) => at([...times.values()].flat(), 0.99)
  const ratio = p99(beside) / p99(alone)
  const half = Math.floor(beside.memory.length / 2)
  const growth = medianOf(beside.memory.slice(half)) / medianOf(beside.memory.slice(0, half + 1))
  const failed = [...beside.failures.values()].reduce((sum, count) => sum + count, 0)
  const promises: readonly [string, boolean][] = [
    [
      `p99 of honest users ${p99(alone).toFixed(1)} → ${p99(beside).toFixed(1)} ms, ${ratio.toFixed(1)} × (at most ${mostTimes})`,
      ratio <= mostTimes,
    ],
    [`memory of the second half ${growth.toFixed(2)} × the first (at most 1.1)`, growth <= 1.1],
    [`acknowledged schemas that are not there: ${lost}`, lost === 0],
    [`requests of honest users that failed: ${failed}`, failed === 0],
  ]
  for (const [what, holds] of promises) console.log(`${holds ? 'holds ' : 'broken'} ${what}`)
  return promises.every(([, holds]) => holds)
}

/** Numbers from 0 to 1 that a seed decides (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
