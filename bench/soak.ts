/**
 * Honest users alone, and beside one member of each hostile kind, for the given number of minutes. Both alternate, so
 * that other load on the machine affects each. Writes acknowledged to an honest user are read back.
 */
import { Agent } from 'node:http'
import { seededRandom } from '../test/support/inputs/seeded-random.ts'
import { startHostile, stopHostile } from './hostile-process.ts'
import { addMembers, type Engine, openDatabase } from './members.ts'
import { ownBytes } from './processes.ts'
import { figureOf, medianOf, type Part, percentileOf, type Result, type Run, resultsOf } from './result.ts'
import { openService, type Running } from './servers.ts'
import { beHonest, type Honest, isLost, openPhase, type Phase } from './soak-honest.ts'
import { findKind, hostileKinds, manyAtOnce } from './soak-kinds.ts'

const honestUsers = 20
/** Milliseconds after a change that belong to neither phase: the hostile members start, or their work ends. */
const settling = 1_000
/** Share of the time in which the honest users are alone. */
const aloneShare = 0.4
/** Milliseconds of one kind before the next. */
const maxTurn = 30_000
const sampleInterval = 1_000
const all = 'all of these'

export interface SoakOptions {
  readonly minutes: number
  readonly engine: Engine
  readonly seed: number
}

/** Phases of one kind, and the results of its members. */
interface Kind {
  readonly name: string
  /** Kinds of the hostile members beside the honest ones. */
  readonly members: readonly string[]
  readonly alone: Phase
  readonly beside: Phase
  readonly outcomes: Map<string, number>
}

interface Seen {
  readonly kinds: readonly Kind[]
  /** Bytes of all servers together while honest users are alone, in chronological order. */
  readonly memory: readonly number[]
  readonly lost: number
}

export async function* measureSoak(run: Run, options: SoakOptions): AsyncIterable<Result> {
  const kinds = listKinds().filter(({ name }) => titleOf(name).includes(run.only))
  const goal = options.engine === 'sqlite' ? 5 : 6
  const parts: readonly Part<Seen>[] = [
    ...kinds.map(({ name }) => partOf(name, goal)),
    {
      name: 'memory of the second half beside the first',
      goal: 1.1,
      direction: 'at most',
      unit: '×',
      figure: ({ memory }) => growthOf(memory),
    },
    {
      name: 'acknowledged schemas that are not there',
      goal: 0,
      direction: 'at most',
      unit: 'schemas',
      figure: ({ lost }) => figureOf([lost]),
    },
    {
      name: 'requests of honest users that failed',
      goal: 0,
      direction: 'at most',
      unit: 'requests',
      figure: (seen) => failuresOf(seen.kinds.flatMap(({ alone, beside }) => [alone, beside])),
    },
  ]
  if (kinds.length > 0) yield* resultsOf(parts, { ...run, only: '' }, () => measure(kinds, run, options))
}

const titleOf = (name: string) => `p99 beside ${name}`

function listKinds(): readonly Kind[] {
  const names = hostileKinds.map(({ name }) => name)
  return [manyAtOnce.name, ...names, all].map((name) => ({
    name,
    members: name === all ? names : [name],
    alone: openPhase(),
    beside: openPhase(),
    outcomes: new Map(),
  }))
}

function partOf(name: string, goal: number): Part<Seen> {
  return {
    name: titleOf(name),
    goal,
    direction: 'at most',
    unit: '× alone',
    figure({ kinds }) {
      const { alone, beside, outcomes } = kinds.find((kind) => kind.name === name)!
      const got = [...outcomes].sort().map(([what, count]) => `${what} ${count.toLocaleString('en')}`)
      const remark = `${describePhase(alone)} → ${describePhase(beside)}; ${got.join(', ')}`
      return { ...figureOf([percentileOf(timesOf(beside), 0.99) / percentileOf(timesOf(alone), 0.99)]), remark }
    },
  }
}

async function measure(kinds: readonly Kind[], run: Run, { minutes, engine, seed }: SoakOptions): Promise<Seen> {
  await using stack = new AsyncDisposableStack()
  const { environment } = await openDatabase(stack, engine)
  const servers: Running[] = []
  for (let number = 0; number < (engine === 'postgres' ? 3 : 1); number += 1) {
    servers.push(stack.use(await openService(environment, 'all', run.checkout)))
  }
  const callers = [...new Set(kinds.flatMap(({ members }) => members))]
  const members = await addMembers(servers, honestUsers + callers.length)
  const memberOf = new Map(callers.map((name, number) => [name, members[honestUsers + number]!]))
  for (const [name, member] of memberOf) await findKind(name).prepare?.(member, 0)
  const honest = members.slice(0, honestUsers).map((member): Honest => {
    const agent = stack.adopt(new Agent({ keepAlive: true, maxSockets: 1 }), (opened) => opened.destroy())
    return { member, agent, written: undefined }
  })
  const random = seededRandom(seed)
  const ask = async (phase: Phase, milliseconds: number) => {
    const end = performance.now() + milliseconds
    await Promise.all(honest.map((user) => beHonest(user, phase, random, end)))
  }
  const memory: number[] = []
  const ofKind = (minutes * 60_000) / kinds.length
  const rounds = Math.max(1, Math.round(ofKind / maxTurn))
  const turn = Math.max(500, ofKind / rounds - 2 * settling)
  const aside = openPhase()
  await ask(aside, Math.min(10_000, 5 * turn))
  for (let round = 0; round < rounds; round += 1) {
    for (const [at, kind] of kinds.entries()) {
      const sampling = setInterval(() => memory.push(memoryOf(servers)), sampleInterval)
      await ask(kind.alone, turn * aloneShare)
      clearInterval(sampling)
      memory.push(memoryOf(servers))
      const hostile = await startHostile({
        callers: kind.members.map((name) => [name, memberOf.get(name)]),
        first: (seed + round * kinds.length + at) * 1_000_000,
      })
      await ask(aside, settling)
      await ask(kind.beside, turn * (1 - aloneShare))
      await stopHostile(hostile, kind.outcomes)
      await ask(aside, settling)
      console.log(`round ${round + 1}, ${kind.name}: ${describePhase(kind.alone)} → ${describePhase(kind.beside)}`)
    }
  }
  const lost = (await Promise.all(honest.map(isLost))).filter(Boolean).length
  return { kinds, memory, lost }
}

function memoryOf(servers: readonly Running[]): number {
  return servers.reduce((sum, server) => sum + (ownBytes(server) ?? 0), 0)
}

function timesOf({ times }: Phase): readonly number[] {
  return [...times.values()].flat()
}

/** 99th percentile of all requests, and in brackets that of each kind. */
function describePhase(phase: Phase): string {
  const each = [...phase.times].sort().map(([what, times]) => `${what} ${percentileOf(times, 0.99).toFixed(0)}`)
  return `${percentileOf(timesOf(phase), 0.99).toFixed(1)} ms (${each.join(', ')})`
}

function growthOf(memory: readonly number[]) {
  const half = Math.floor(memory.length / 2)
  const [first, second] = [medianOf(memory.slice(0, half + 1)), medianOf(memory.slice(half))]
  const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`
  return {
    ...figureOf([second / first]),
    remark: `${megabytes(first)}, then ${megabytes(second)}; at most ${megabytes(Math.max(...memory))}`,
  }
}

function failuresOf(phases: readonly Phase[]) {
  const sums = new Map<string, number>()
  for (const { failures } of phases) {
    for (const [what, count] of failures) sums.set(what, (sums.get(what) ?? 0) + count)
  }
  const remark = [...sums].map(([what, count]) => `${count} × ${what}`).join('; ')
  return { ...figureOf([[...sums.values()].reduce((sum, count) => sum + count, 0)]), ...(remark && { remark }) }
}
