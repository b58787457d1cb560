/** Reads and assigns of the service compared with the floor, on SQLite and on PostgreSQL. */
import { type Costs, costsOf, mediansOf, ratioOf, type Turn } from './costs.ts'
import { openPostgres } from './postgres.ts'
import { type Figure, type Part, type Result, type Run, resultsOf } from './result.ts'
import { type Server, startFloor, startService } from './servers.ts'
import { slowSync } from './slow-sync.ts'
import { assign, largeSchema, putForReading, type Round, read, readOne, smallSchema, type Target } from './work.ts'

const groups = 200

interface Work {
  readonly name: string
  readonly kind: 'read' | 'assign'
  readonly schema: string
  readonly connections: number
  readonly goals: readonly Goal[]
  /** Milliseconds that are added to every wait for the disk. */
  readonly slowerBy?: number
}

/** Factors: the maximum of processor time, or the minimum of the rate, compared with the other server. */
interface Goal {
  readonly beside: 'floor' | 'bare'
  readonly of: 'microseconds' | 'perSecond'
  readonly goal: number
}

const time = (beside: Goal['beside'], goal: number): Goal => ({ beside, of: 'microseconds', goal })
const rate = (beside: Goal['beside'], goal: number): Goal => ({ beside, of: 'perSecond', goal })

const readLarge = { kind: 'read', schema: largeSchema, connections: 32 } as const
const assignLarge = { kind: 'assign', schema: largeSchema, connections: 32 } as const

const onSqlite: readonly Work[] = [
  { name: 'read, 200 categories', ...readLarge, goals: [time('floor', 2), time('bare', 2.4)] },
  { name: 'assign, 14 categories', ...assignLarge, schema: smallSchema, goals: [time('bare', 1)] },
  { name: 'assign, 200 categories', ...assignLarge, goals: [time('bare', 1.3)] },
  {
    name: 'assign, 200 categories, one connection',
    ...assignLarge,
    connections: 1,
    goals: [time('floor', 2.5), rate('floor', 0.45)],
  },
  {
    name: 'assign, 14 categories, 64 connections, fsync 5 ms slower',
    ...assignLarge,
    schema: smallSchema,
    connections: 64,
    slowerBy: 5,
    goals: [rate('floor', 18)],
  },
]

const onPostgres: readonly Work[] = [
  { name: 'PostgreSQL: read, 200 categories', ...readLarge, goals: [rate('floor', 0.3)] },
  { name: 'PostgreSQL: assign, 200 categories', ...assignLarge, goals: [rate('floor', 0.55)] },
]

/** Goals of processor time and of rate; the costs of all servers are printed with the first row of each work. */
export async function* measureBesideFloor(run: Run): AsyncIterable<Result> {
  for (const work of onSqlite) yield* resultsOf(partsOf(work), run, () => measureSqlite(work, run))
  for (const work of onPostgres) yield* resultsOf(partsOf(work), run, () => measurePostgres(work, run))
}

type Seen = Readonly<Record<string, Costs>>

function partsOf({ name, goals }: Work): readonly Part<Seen>[] {
  return goals.map(({ beside, of, goal }, at) => ({
    name: `${name}: ${of === 'microseconds' ? 'processor time' : 'rate'}`,
    goal,
    direction: of === 'microseconds' ? 'at most' : 'at least',
    unit: `× ${beside}`,
    figure: (seen): Figure => ({
      ...ratioOf(seen['service']!, seen[beside]!, of),
      ...(at === 0 && { costs: mediansOf(seen) }),
    }),
  }))
}

async function measureSqlite(work: Work, run: Run): Promise<Seen> {
  await using stack = new AsyncDisposableStack()
  const environment = slowSync(work.slowerBy)
  const service = stack.use(await startService(groups, environment, run.checkout))
  const floor = stack.use(await startFloor(groups, '--log', environment))
  const bare = stack.use(await startFloor(groups, 'bare', environment))
  await prepare(work, service, [floor, bare])
  return await costsOf(run, { service: turnOf(work, service), floor: turnOf(work, floor), bare: turnOf(work, bare) })
}

/** The server has one core, PostgreSQL and the load have the other; the floor is the one of SQLite. */
async function measurePostgres(work: Work, run: Run): Promise<Seen> {
  await using stack = new AsyncDisposableStack()
  const postgres = stack.use(await openPostgres('second'))
  const service = stack.use(await startService(groups, postgres.environment, run.checkout))
  const floor = stack.use(await startFloor(groups, '--log'))
  await prepare(work, service, [floor])
  const turn = turnOf(work, service)
  return await costsOf(run, { service: { ...turn, postgres }, floor: turnOf(work, floor) })
}

function turnOf(work: Work, server: Server): Turn {
  return { server, work: (milliseconds) => send(work, server, { milliseconds }) }
}

function send({ kind, schema, connections }: Work, target: Target, given: Pick<Round, 'milliseconds' | 'atLeast'>) {
  const round = { ...given, connections, order: 'sequential' } as const
  return kind === 'read' ? read(target, round) : assign(target, schema, round)
}

/** Stores a document for every group; floor and service return the same number of bytes. */
async function prepare({ kind, schema }: Work, service: Server, floors: readonly Server[]): Promise<void> {
  const once = { connections: 8, milliseconds: 0, atLeast: groups, order: 'sequential' } as const
  await assign(service, schema, once)
  if (kind === 'assign') return
  const served = await readOne(service)
  for (const floor of floors) {
    await putForReading(floor, schema, once)
    const kept = await readOne(floor)
    if (served.length !== kept.length) {
      throw new Error(`The floor answers ${kept.slice(0, 200)}, the service ${served.slice(0, 200)}`)
    }
  }
}
