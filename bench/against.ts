/** Another checkout beside this one: the same work in alternating rounds, so that other load on the machine affects both alike. */
import { cpSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { costsOf, mediansOf, ratioOf, type Turn } from './costs.ts'
import { fill } from './growth.ts'
import type { Outcome } from './load.ts'
import { openPostgres } from './postgres.ts'
import { ownBytes } from './processes.ts'
import { figureOf, type Part, type Result, type Run, resultsOf } from './result.ts'
import { Folder, here, openService, type Server, signIn, startService } from './servers.ts'
import { assign, largeSchema, type Round, read, smallSchema } from './work.ts'

/** Opens the server of a checkout. */
type Open = (checkout: string) => Promise<Server>

interface Comparison {
  readonly name: string
  readonly open: Open
  /** Schema to assign; undefined for reads. */
  readonly assigned?: string
  readonly round: Pick<Round, 'connections' | 'order'>
}

const sequential = { connections: 32, order: 'sequential' } as const
const alone = { connections: 1, order: 'sequential' } as const
const anyGroup = { connections: 32, order: 'random' } as const
const groups = 200
const twoHundred: Open = (checkout) => startService(groups, {}, checkout)

const onPostgres: Open = async (checkout) => {
  const postgres = await openPostgres('second')
  const service = await startService(groups, postgres.environment, checkout)
  const end = () => service[Symbol.asyncDispose]().then(() => postgres[Symbol.asyncDispose]())
  return { ...service, [Symbol.asyncDispose]: end }
}

const comparisons: readonly Comparison[] = [
  { name: 'assign, 200 categories', open: twoHundred, assigned: largeSchema, round: sequential },
  { name: 'assign, 14 categories', open: twoHundred, assigned: smallSchema, round: sequential },
  { name: 'assign, 200 categories, one connection', open: twoHundred, assigned: largeSchema, round: alone },
  { name: 'read, 200 categories', open: twoHundred, round: sequential },
  { name: 'PostgreSQL: assign, 200 categories', open: onPostgres, assigned: largeSchema, round: sequential },
  { name: 'PostgreSQL: read, 200 categories', open: onPostgres, round: sequential },
]

const filledSize = 100_000

/** Compares this checkout with the other one: rate and processor time of requests, start and idle memory. */
export async function* measureAgainst(other: string, run: Run): AsyncIterable<Result> {
  for (const comparison of comparisons) yield* compare(comparison, other, run)
  yield* compareFilled(other, run)
  yield* compareIdle(other, run)
}

type Seen = Awaited<ReturnType<typeof measure>>

async function* compare(comparison: Comparison, other: string, run: Run): AsyncIterable<Result> {
  const { name } = comparison
  const parts: readonly Part<Seen>[] = [
    {
      name: `${name}: processor time`,
      goal: 1.05,
      direction: 'at most',
      unit: '× the other',
      figure: (seen) => ({ ...ratioOf(seen.here, seen.there, 'microseconds'), costs: mediansOf(seen) }),
    },
    {
      name: `${name}: rate`,
      goal: 0.95,
      direction: 'at least',
      unit: '× the other',
      figure: ({ here, there }) => ratioOf(here, there, 'perSecond'),
    },
  ]
  yield* resultsOf(parts, run, () => measure(comparison, other, run))
}

async function measure({ open, assigned, round }: Comparison, other: string, run: Run) {
  await using mine = await open(here)
  await using theirs = await open(other)
  const turnOf = (server: Server): Turn => ({
    server,
    work: (milliseconds): Promise<Outcome> => {
      const given = { ...round, milliseconds }
      return assigned === undefined ? read(server, given) : assign(server, assigned, given)
    },
  })
  const once = { ...sequential, connections: 8, milliseconds: 0, atLeast: groups } as const
  for (const server of [mine, theirs]) await assign(server, assigned ?? largeSchema, once)
  const shorter = { ...run, rounds: 2 * run.rounds, milliseconds: run.milliseconds / 2 }
  return await costsOf(shorter, { here: turnOf(mine), there: turnOf(theirs) })
}

async function* compareFilled(other: string, run: Run): AsyncIterable<Result> {
  const size = `${filledSize.toLocaleString('en')} groups`
  const names = [`read, ${size}`, `assign, ${size}`] as const
  if (!names.some((name) => name.includes(run.only))) return
  using filled = new Folder()
  // An older checkout cannot open the database of a newer one.
  const groupIds = await fill(filled, Math.min(filledSize, run.maxRows), other)
  const open: Open = async (checkout) => {
    const folder = new Folder()
    cpSync(filled.path, folder.path, { recursive: true })
    const service = await openService(folder.environment, 'first', checkout)
    const end = () => service[Symbol.asyncDispose]().then(() => folder[Symbol.dispose]())
    return { ...service, token: await signIn(service), groupIds, [Symbol.asyncDispose]: end }
  }
  yield* compare({ name: names[0], open, round: anyGroup }, other, run)
  yield* compare({ name: names[1], open, assigned: smallSchema, round: anyGroup }, other, run)
}

interface Idle {
  readonly seconds: number
  readonly megabytes: number
}

const idleParts: readonly Part<readonly (readonly [Idle, Idle])[]>[] = (['seconds', 'megabytes'] as const).map(
  (of) => ({
    name: of === 'seconds' ? 'start' : 'idle memory',
    goal: 1.05,
    direction: 'at most',
    unit: '× the other',
    figure: (pairs) => figureOf(pairs.map(([mine, theirs]) => mine[of] / theirs[of])),
  }),
)

async function* compareIdle(other: string, run: Run): AsyncIterable<Result> {
  using folder = new Folder()
  using otherFolder = new Folder()
  const once = async (checkout: string): Promise<Idle> => {
    const { environment } = checkout === here ? folder : otherFolder
    const begun = performance.now()
    await using service = await openService(environment, 'all', checkout)
    const seconds = (performance.now() - begun) / 1_000
    await (await fetch(`http://127.0.0.1:${service.port}/sharing/rest/info?f=json`)).text()
    await delay(run.idleSeconds * 1_000)
    return { seconds, megabytes: (ownBytes(service) ?? Number.NaN) / 1e6 }
  }
  yield* resultsOf(idleParts, run, async () => {
    // The first starts create the databases and compile the modules.
    for (const checkout of [other, here]) await once(checkout)
    const pairs: [Idle, Idle][] = []
    for (let number = 0; number < run.rounds; number += 1) pairs.push([await once(here), await once(other)])
    return pairs
  })
}
