import { describe, test } from 'vitest'
import { queryAt } from '../support/databases/postgres.ts'
import { createDatabase } from '../support/databases/test-database.ts'
import { FaultyNetwork } from '../support/faults/faulty-network.ts'
import { connections, openEvery, reachPortal, startOnPostgres } from './stages.ts'
import { type Fault, longestReady, longestRefusal, until, Witness } from './witness.ts'

interface Case {
  readonly name: string
  /** Where it lasts so long that probes see it. */
  readonly isSeen?: true
  fault(network: FaultyNetwork): Fault
}

const cases: readonly Case[] = [
  {
    name: 'refuses connections',
    isSeen: true,
    fault: (network) => ({ begin: () => network.refuse(), milliseconds: 3_000, end: () => network.pass() }),
  },
  {
    name: 'is cut off, and takes new connections at once',
    fault: (network) => ({ begin: () => network.cut(), milliseconds: 0, end: () => undefined }),
  },
  {
    name: 'falls silent, and goes on where it was',
    isSeen: true,
    fault: (network) => ({ begin: () => network.silence(), milliseconds: 6_000, end: () => network.pass() }),
  },
  {
    name: 'falls silent for ever on every connection there was',
    fault: (network) => ({ begin: () => network.silence(), milliseconds: 1_000, end: () => network.passNew() }),
  },
  ...[300, 1_000, 3_000].map((lateness) => ({
    name: `is ${lateness} ms late with every packet`,
    // At 300 ms, a question on a connection that is there is answered in time: whether a probe finds one is chance.
    ...(lateness > 300 && { isSeen: true as const }),
    fault: (network: FaultyNetwork): Fault => ({
      begin: () => network.delay(lateness),
      milliseconds: 4_000,
      end: () => network.pass(),
    }),
  })),
]

describe.concurrent('a database that', () => {
  test.for(cases)('$name costs nothing that was acknowledged', async ({ fault, isSeen }, { expect }) => {
    const url = await createDatabase()
    await using network = await FaultyNetwork.open(url)
    await using portal = await startOnPostgres(network.url)
    const witness = await Witness.open(await reachPortal(portal))
    const figures = await witness.suffer(fault(network))
    await witness.requireTruth((sql) => queryAt(url, sql))
    expect(figures.refused).toBeGreaterThan(0)
    if (isSeen) expect(figures.unreadyAfter).toBeLessThan(longestReady)
    expect(portal.server.dependencies.storage.figures().connections.open).toBeLessThanOrEqual(connections)
  })

  test('falls silent for ever on idle connections costs one request, and none a second one', async ({ expect }) => {
    const url = await createDatabase()
    await using network = await FaultyNetwork.open(url)
    await using portal = await startOnPostgres(network.url)
    const witness = await Witness.open(await reachPortal(portal))
    await openEvery(portal)
    network.silence()
    network.passNew()
    const begun = performance.now()
    expect(await witness.assign()).toBe('refused')
    expect(await witness.assign()).toBe('done')
    expect(performance.now() - begun).toBeLessThan(longestRefusal)
    await witness.requireTruth((sql) => queryAt(url, sql))
  })

  test('falls silent while a connection is being opened takes no place of the others', async ({ expect }) => {
    await using network = await FaultyNetwork.open(await createDatabase())
    await using portal = await startOnPostgres(network.url)
    const { storage } = portal.server.dependencies
    const inUse = () => storage.figures().connections.open - storage.figures().connections.idle
    network.cut()
    const silent = network.silenceInsteadOf('full_page_writes')
    const asked = Promise.allSettled([storage.ping(), storage.ping(), storage.ping()])
    await silent
    network.passNew()
    await until('every connection is free again', () => inUse() === 0)
    await asked
    expect(inUse()).toBe(0)
    await storage.ping()
  })

  test('is cut off instead of answering that it committed leaves the outcome open, and the write is there', async ({
    expect,
  }) => {
    await using stage = await openCut('COMMIT\0')
    expect(await stage.versions()).toBe(2)
  })

  test('is cut off before it hears of the commit leaves the outcome open, and the write is not there', async ({
    expect,
  }) => {
    await using stage = await openCut('commit\0')
    expect(await stage.versions()).toBe(1)
  })
})

/** One assign that is answered, and one that is cut off at these words. */
async function openCut(words: string) {
  const url = await createDatabase()
  await using owned = new AsyncDisposableStack()
  const network = owned.use(await FaultyNetwork.open(url))
  const portal = owned.use(await startOnPostgres(network.url))
  const witness = await Witness.open(await reachPortal(portal))
  const query = <Row>(sql: string) => queryAt<Row>(url, sql)
  if ((await witness.assign()) !== 'done') throw new Error('The first assign was refused.')
  // New connections hear each statement once in its own words.
  network.cut()
  const cut = network.cutInsteadOf(words)
  let wasCut = false
  cut.then(() => {
    wasCut = true
  })
  // Those that are refused before are refused for the first cut.
  while (!wasCut) {
    if ((await witness.assign()) === 'done' && wasCut) throw new Error('The assign was acknowledged.')
  }
  await witness.requireTruth(query)
  const kept = owned.move()
  return {
    async versions() {
      const [row] = await query<{ count: number }>('select count(*)::int as count from category_schema_versions')
      return row!.count
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}
