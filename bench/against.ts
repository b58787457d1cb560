/** Another checkout beside this one: the same work in turns, so that all else that the machine does affects both alike. */
import { cpSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { fill } from './growth.ts'
import type { Outcome } from './load.ts'
import { openPostgres } from './postgres.ts'
import { type Figure, figureOf, medianOf, type Result, type Run, resultOf } from './result.ts'
import { Folder, openService, processorTime, residentBytes, type Server, signIn, startService } from './servers.ts'
import { assign, largeSchema, type Round, read, smallSchema, type Target } from './work.ts'

/** How one of two servers is opened: `checkout` is undefined for the one that this file belongs to. */
type Open = (checkout: string | undefined) => Promise<Server>

interface Comparison {
  readonly name: string
  readonly open: Open
  readonly work: (target: Target, round: Round) => Promise<Outcome>
  readonly round: Pick<Round, 'connections' | 'order'>
  /** What is put there before it is read. */
  readonly schema?: string
}

const inTurn = { connections: 32, order: 'in turn' } as const
const anyGroup = { connections: 32, order: 'random' } as const
const bytes = '1000000000000'
/** An older checkout may keep all versions, and know no setting for them. */
const keepsAll = { LIMIT_SCHEMA_BYTES_PER_USER: bytes, LIMIT_SCHEMA_BYTES_PER_ORGANIZATION: bytes }
const settingsOf = (checkout: string | undefined) => (checkout === undefined ? keepsAll : {})
const twoHundred: Open = (checkout) => startService(200, settingsOf(checkout), checkout)

/** Requests per second and processor time of a request, this checkout divided by the other; of what has `only` in its name. */
export async function* measureAgainst(other: string, run: Run, only: string): AsyncIterable<Result> {
  const comparisons: Comparison[] = [
    { name: 'assign, 200 categories', open: twoHundred, work: assigning(largeSchema), round: inTurn },
    { name: 'assign, 14 categories', open: twoHundred, work: assigning(smallSchema), round: inTurn },
    {
      name: 'assign, one connection',
      open: twoHundred,
      work: assigning(smallSchema),
      round: { ...inTurn, connections: 1 },
    },
    { name: 'read, 200 groups', open: twoHundred, work: read, round: inTurn, schema: largeSchema },
  ]
  for (const comparison of comparisons) if (comparison.name.includes(only)) yield* compare(comparison, other, run)
  if (only !== '') return
  for (const groups of [1_000, 100_000]) yield* compareFilled(groups, other, run)
  yield* comparePostgres(other, run)
  yield* compareIdle(other, run)
}

function assigning(schema: string): Comparison['work'] {
  return (target, round) => assign(target, schema, round)
}

async function* compareFilled(groups: number, other: string, run: Run): AsyncIterable<Result> {
  using filled = new Folder()
  // An older checkout cannot open what a newer one has made.
  const groupIds = await fill(filled, groups, other)
  const open: Open = async (checkout) => {
    const folder = new Folder()
    cpSync(filled.path, folder.path, { recursive: true })
    const service = await openService({ ...folder.environment, ...settingsOf(checkout) }, 'first', checkout)
    const end = () => service[Symbol.asyncDispose]().then(() => folder[Symbol.dispose]())
    return { ...service, token: await signIn(service), groupIds, [Symbol.asyncDispose]: end }
  }
  const size = `${groups.toLocaleString('en')} groups`
  yield* compare({ name: `read, ${size}`, open, work: read, round: anyGroup }, other, run)
  yield* compare({ name: `assign, ${size}`, open, work: assigning(smallSchema), round: anyGroup }, other, run)
}

async function* comparePostgres(other: string, run: Run): AsyncIterable<Result> {
  const open: Open = async (checkout) => {
    const postgres = await openPostgres()
    const service = await startService(200, { ...postgres.environment, ...settingsOf(checkout) }, checkout)
    const end = () => service[Symbol.asyncDispose]().then(() => postgres[Symbol.asyncDispose]())
    return { ...service, [Symbol.asyncDispose]: end }
  }
  const assignLarge = assigning(largeSchema)
  yield* compare({ name: 'PostgreSQL: assign, 200 categories', open, work: assignLarge, round: inTurn }, other, run)
  yield* compare({ name: 'PostgreSQL: read', open, work: read, round: inTurn, schema: largeSchema }, other, run)
}

async function* compare({ name, open, work, round, schema }: Comparison, other: string, run: Run) {
  await using here = await open(undefined)
  await using there = await open(other)
  const warm = { ...round, milliseconds: run.warmMilliseconds, atLeast: schema === undefined ? 1 : 200 }
  const rates: [number, number][] = []
  const costs: [number, number][] = []
  for (const server of [here, there]) {
    if (schema !== undefined) await assign(server, schema, warm)
    await work(server, warm)
  }
  for (let number = 0; number < 2 * run.rounds; number += 1) {
    const mine = await measured(here, work, { ...round, milliseconds: run.milliseconds / 2 })
    const theirs = await measured(there, work, { ...round, milliseconds: run.milliseconds / 2 })
    rates.push([mine.rate, theirs.rate])
    costs.push([mine.cost, theirs.cost])
  }
  const row = { direction: 'at least', unit: '× the other', goal: 0.95 } as const
  yield await resultOf({ ...row, name, measure: async () => ratioOf(rates) }, run)
  const most = { direction: 'at most', unit: '× the other', goal: 1.05 } as const
  yield await resultOf({ ...most, name: `${name}: processor time`, measure: async () => ratioOf(costs) }, run)
}

async function measured(server: Server, work: Comparison['work'], round: Round) {
  const before = processorTime(server) ?? 0
  const { perSecond, requests } = await work(server, round)
  return { rate: perSecond, cost: ((processorTime(server) ?? 0) - before) / requests }
}

function ratioOf(pairs: readonly (readonly [number, number])[]): Figure {
  return {
    ...figureOf(pairs.map(([mine, theirs]) => mine / theirs)),
    parts: { service: medianOf(pairs.map(([mine]) => mine)), floor: medianOf(pairs.map(([, theirs]) => theirs)) },
  }
}

async function* compareIdle(other: string, run: Run): AsyncIterable<Result> {
  using folder = new Folder()
  const times: [number, number][] = []
  const sizes: [number, number][] = []
  const once = async (checkout: string | undefined): Promise<[number, number]> => {
    const begun = performance.now()
    await using service = await openService(folder.environment, 'all', checkout)
    const time = (performance.now() - begun) / 1000
    await (await fetch(`http://127.0.0.1:${service.port}/sharing/rest/info?f=json`)).text()
    await delay(run.idleSeconds * 1000)
    return [time, (residentBytes(service) ?? 0) / 1e6]
  }
  // The first starts make the database, as above, and compile modules.
  for (const checkout of [other, undefined]) await once(checkout)
  for (let number = 0; number < run.rounds; number += 1) {
    const [mine, theirs] = [await once(undefined), await once(other)]
    times.push([mine[0], theirs[0]])
    sizes.push([mine[1], theirs[1]])
  }
  const row = { direction: 'at most', unit: '× the other', goal: 1.05 } as const
  yield await resultOf({ ...row, name: 'cold start', measure: async () => ratioOf(times) }, run)
  yield await resultOf({ ...row, name: 'idle memory', measure: async () => ratioOf(sizes) }, run)
}
