import pg from 'pg'
import { describe, test } from 'vitest'
import { openListener } from '../../src/storage/postgres/listener.ts'
import { queryAt } from '../support/databases/postgres.ts'
import { createDatabase } from '../support/databases/test-database.ts'
import { FaultyNetwork } from '../support/faults/faulty-network.ts'
import { until } from '../support/until.ts'
import { Observer } from './observer.ts'
import { outages } from './outages.ts'
import { connections, openEvery, reachPortal, startOnPostgres } from './servers.ts'

/** A server on a new database, behind a network. */
async function openBehindNetwork() {
  const url = await createDatabase()
  await using owned = new AsyncDisposableStack()
  const network = owned.use(await FaultyNetwork.open(url))
  const portal = owned.use(await startOnPostgres(network.url))
  const observer = await Observer.open(await reachPortal(portal))
  const kept = owned.move()
  return {
    url,
    network,
    portal,
    observer,
    storage: portal.server.dependencies.storage,
    query: <Row>(sql: string) => queryAt<Row>(url, sql),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

// Most of these wait for deadlines: together they take the time of one.
describe.concurrent('a database that', () => {
  test.for(outages)('$name costs nothing that was acknowledged', async ({ fault }, { expect }) => {
    await using opened = await openBehindNetwork()
    const { url, network, observer, storage, query } = opened
    await observer.runThrough(fault(url, network))
    await observer.requireConsistency(query)
    expect(storage.figures().connections.open).toBeLessThanOrEqual(connections)
  })

  test('falls silent for ever on idle connections costs one request, and none a second one', async ({ expect }) => {
    await using opened = await openBehindNetwork()
    const { network, portal, observer, query } = opened
    await openEvery(portal)
    network.silence()
    network.passNew()
    expect(await observer.assign()).toBe('refused')
    expect(await observer.assign()).toBe('done')
    await observer.requireConsistency(query)
  })

  test('has ended sessions costs what they were asked, and nothing that comes before their sockets close', async ({
    expect,
  }) => {
    await using opened = await openBehindNetwork()
    const { url, network, portal, storage, query } = opened
    await openEvery(portal)
    const lock = new pg.Client(url)
    lock.on('error', () => undefined)
    await lock.connect()
    await lock.query('begin; lock table portals in access exclusive mode')
    const pings = () => Promise.allSettled(Array.from({ length: connections }, () => storage.ping()))
    const asked = pings()
    const waiting = "from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
    await until('every session waits', async () => (await query(`select 1 ${waiting}`)).length === connections)
    network.keepEnds()
    await query(`select pg_terminate_backend(pid) ${waiting}`)
    await lock.end()
    expect((await asked).map(({ status }) => status)).toEqual(Array(connections).fill('rejected'))
    expect((await pings()).map(({ status }) => status)).toEqual(Array(connections).fill('fulfilled'))
    await network.pass()
  })

  test('is silent takes no more sockets than one that answers', async ({ expect }) => {
    await using opened = await openBehindNetwork()
    const { network, portal, observer } = opened
    await openEvery(portal)
    network.silence()
    let max = 0
    const watch = setInterval(() => {
      max = Math.max(max, network.clients())
    }, 20)
    try {
      await Promise.all(Array.from({ length: 16 }, async () => expect(await observer.assign()).toBe('refused')))
    } finally {
      clearInterval(watch)
    }
    expect(max).toBeGreaterThan(0)
    // Requests that waited open connections while those of the requests before them are being closed.
    expect(max).toBeLessThanOrEqual(2 * connections)
  })

  test('is silent keeps no server from ending, and leaves it no socket', async () => {
    await using opened = await openBehindNetwork()
    const { network, portal } = opened
    await openEvery(portal)
    network.silence()
    await portal.server.close()
    await until('every socket is closed', () => network.clients() === 0)
  })

  test('falls silent while a connection is being opened takes no place of the others', async ({ expect }) => {
    await using opened = await openBehindNetwork()
    const { network, storage } = opened
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

  test.for([
    { moment: 'after the commit, the write is there', words: 'COMMIT\0', versions: 2 },
    { moment: 'before the commit, it is not there', words: 'commit\0', versions: 1 },
  ])('is cut off leaves the outcome of a write open: $moment', async ({ words, versions }, { expect }) => {
    await using opened = await openBehindNetwork()
    const { network, observer, query } = opened
    expect(await observer.assign()).toBe('done')
    // On a new connection each statement is sent in its own words once.
    network.cut()
    let isCut = false
    const cut = network.cutInsteadOf(words).then(() => {
      isCut = true
    })
    // Writes that are refused earlier are refused because of the first cut.
    while (!isCut) expect([await observer.assign(), isCut]).not.toEqual(['done', true])
    await cut
    await observer.requireConsistency(query)
    const [row] = await query<{ count: number }>('select count(*)::int as count from category_schema_versions')
    expect(row!.count).toBe(versions)
  })

  test('falls silent where a server holds a lock keeps no other server from writing', async ({ expect }) => {
    await using opened = await openBehindNetwork()
    const { url, network, observer, query } = opened
    await using other = await startOnPostgres(url)
    const reach = await reachPortal(other)
    expect(await observer.assign()).toBe('done')
    // On a new connection each statement is sent in its own words once: this one under the lock of the head.
    network.cut()
    await until('it is ready', async () => (await observer.reach.get('/health/ready')).status === 200)
    const holding = network.silenceInsteadOf('insert into "category_schema_versions"')
    const held = observer.assign()
    await holding
    await until('the other one writes', async () => (await observer.assign(observer.owners[0], reach)) === 'done')
    expect(await held).toBe('refused')
    await observer.requireConsistency(query)
  })

  test('falls silent while a closed listener opens another connection leaves it none', async () => {
    await using network = await FaultyNetwork.open(await createDatabase())
    const listener = await openListener(network.url, {
      channel: 'cartulary_test',
      onNotification: () => undefined,
      onGap: () => undefined,
    })
    const { begun } = network
    network.silence()
    await until('another connection is being opened', () => network.begun > begun)
    const closed = listener.close()
    await network.pass()
    await closed
    await until('every connection is closed', () => network.open === 0)
  })
})
