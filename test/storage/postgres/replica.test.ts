import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openPostgres } from '../../../src/storage/postgres/postgres.ts'
import { kyselyOver } from '../../../src/storage/postgres/session.ts'
import { readFigures, shareFigures } from '../../../src/storage/replica/replica.ts'
import { type Readers, ReplicaBehind } from '../../../src/storage/storage.ts'
import { readChanges } from '../../../src/storage/stores/items/index/item-changes.ts'
import { queryAt } from '../../support/databases/postgres.ts'
import { rejectionOf } from '../../support/rejection.ts'
import { until } from '../../support/until.ts'
import { aGroup, anId, anItem, aUser } from '../contract/records.ts'
import { muchLater } from '../much-later.ts'
import { openReplica } from '../replicas.ts'
import { administrator, all, everything, openBoth, owner, stranger } from '../replicated-items.ts'

const { groupId } = aGroup()

type Work = (readers: Readers) => Promise<unknown>

test('a search sees what any server has written before: new, changed, moved and deleted items, and who sees them', async () => {
  const { storage, findBy, search } = await openBoth()
  expect(await findBy(administrator)).toEqual(all)
  await storage.items.addItem(anItem({ itemId: anId(503), title: 'Basin' }))
  expect(await findBy(administrator)).toEqual([...all, anId(503)])
  await storage.items.removeItem(anId(503))
  expect(await findBy(administrator)).toEqual(all)
  const boxed = () => findBy(administrator, { bbox: [0, 0, 10, 10] })
  await storage.items.updateItem(anItem({ itemId: all[0]!, categories: ['/A/B'], extent: [1, 1, 2, 2] }), undefined)
  expect(await boxed()).toEqual([all[0]])
  await storage.items.updateItem(anItem({ itemId: all[0]!, categories: ['/A/B'], extent: [20, 20, 21, 21] }), undefined)
  expect(await boxed()).toEqual([])
  await storage.directory.addGroup(aGroup())
  await storage.directory.addUser(aUser({ userId: anId(2), username: 'member' }), 'hash')
  await storage.directory.putMember(groupId, { userId: anId(2), memberType: 'member', joinedAt: 1 })
  const member = { ...stranger, userId: anId(2) }
  await storage.items.putItemLink(all[1]!, { groupId, givesControl: false })
  expect(await findBy(member)).toEqual([all[1]])
  await storage.items.removeItemLink(all[1]!, groupId)
  expect(await findBy(member)).toEqual([])
  await storage.items.movePaths(owner, [{ from: '/A', to: '/C' }], new Set(['/A']))
  const below = (path: string) => ({ condition: { kind: 'category', holder: 'portal', path } as const })
  expect([await findBy(administrator, below('/a')), await findBy(administrator, below('/c'))]).toEqual([[], all])
  expect(await search(({ items }) => items.countCoverage(owner))).toEqual([
    { path: '', items: 3 },
    { path: 'uncategorized', items: 0 },
    { path: '/C', items: 3 },
    { path: '/C/B', items: 3 },
  ])
})

test('a search is one snapshot, whatever is written in the middle of it', async () => {
  const { storage, search, findBy } = await openBoth()
  const find = async ({ items }: Readers) => {
    const { entries } = await items.searchItems(administrator, everything, { start: 1, num: 10 })
    return entries.map(({ item }) => item.title)
  }
  const [before, within] = await search(async (readers) => {
    const first = await find(readers)
    await storage.items.updateItem(anItem({ itemId: all[0]!, title: 'Another' }), undefined)
    await storage.items.removeItem(all[1]!)
    return [first, await find(readers)]
  })
  expect(within).toEqual(before)
  expect(await findBy(administrator)).toEqual([all[0], all[2]])
})

test('a search looks changes up, however many one transaction has made before', async () => {
  const { url } = await openBoth()
  const client = new pg.Client(url)
  await client.connect()
  onTestFinished(() => client.end())
  await client.query('insert into item_changes (number) select 1 from generate_series(1, 50000)')
  await client.query('analyze item_changes')
  const { rows: others } = await client.query('select pg_current_xact_id()::text as id')
  const [{ id }] = others
  const db = kyselyOver(client)
  await client.query('begin')
  const { snapshot } = await readChanges(db, null)
  const withOpen = `${id}:${snapshot.split(':')[1]}:${id}`
  for (const since of [snapshot, withOpen]) expect(await readChanges(db, since)).toMatchObject({ numbers: [] })
  const { rows } = await client.query("select pg_stat_get_xact_numscans('item_changes'::regclass)::int as scans")
  expect(rows).toEqual([{ scans: 0 }])
})

test('a transaction that is open for long is seen when it commits, though later ones were seen before', async () => {
  const { url, storage, findBy } = await openBoth()
  const client = new pg.Client(url)
  await client.connect()
  onTestFinished(() => client.end())
  const boxed = () => findBy(administrator, { bbox: [0, 0, 10, 10] })
  await client.query('begin; savepoint one')
  await client.query('update items set west = 1, south = 1, east = 2, north = 2, checksum = null where item_id = $1', [
    all[0],
  ])
  await client.query('release one')
  for (const at of [503, 504, 505]) {
    await storage.items.addItem(anItem({ itemId: anId(at) }))
    expect(await boxed()).toEqual([])
  }
  await client.query('commit')
  expect(await boxed()).toEqual([all[0]])
})

test.each([
  ['whose index is made again', 'update index_version set generation = gen_random_uuid()::text'],
  [
    'that has forgotten changes',
    'update index_version set floor = (pg_snapshot_xmax(pg_current_snapshot())::text::bigint + 1)::text::xid8',
  ],
])('the file of a database %s is filled again', async (_, statement) => {
  const { url, replica, storage, search, findBy, figures } = await openBoth()
  await findBy(administrator)
  await storage.items.removeItem(all[0]!)
  await queryAt(url, 'delete from item_changes')
  await queryAt(url, statement)
  await storage.items.addItem(anItem({ itemId: anId(503) }))
  await rejectionOf(findBy(administrator), ReplicaBehind)
  await replica.fill()
  // More than once where no transaction has come since the floor.
  expect(figures().fills).toBeGreaterThan(1)
  expect(await findBy(administrator)).toEqual([...all.slice(1), anId(503)])
  expect(await search(({ items }) => items.countCoverage(owner))).toMatchObject([{ items: 3 }, { items: 1 }, {}, {}])
})

test.each(['nothing', 'a part'])(
  'a connection that was lost costs one look at all changes that are kept, and no search is wrong (%s is forgotten)',
  async (forgotten) => {
    const { url, replica, storage, findBy, figures } = await openBoth()
    const lowest = 'select pg_snapshot_xmin(pg_current_snapshot())::text as floor'
    const [seen] = await queryAt<{ floor: string }>(url, lowest)
    // Later than what is forgotten: transactions of other databases may have ended since the last one.
    await findBy(administrator)
    await queryAt(url, `update index_version set floor = '${forgotten === 'nothing' ? '0' : seen!.floor}'`)
    await findBy(administrator)
    const others =
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()'
    await queryAt(url, others)
    await until('the other server writes again', () =>
      storage.items.addItem(anItem({ itemId: anId(503) })).then(
        () => true,
        () => false,
      ),
    )
    let found: unknown
    await until('the search has another connection', async () => {
      found = await findBy(administrator).catch(() => undefined)
      await replica.fill()
      return found !== undefined
    })
    expect(found).toEqual([...all, anId(503)])
    expect(figures().fills).toBe(1)
  },
)

test('a session that ends in the middle of a search leaves the search to PostgreSQL, and keeps the file', async () => {
  const { url, replica, search, findBy, figures } = await openBoth()
  const error = await rejectionOf(
    search(async ({ items }) => {
      const [{ pid }] = (await queryAt<{ pid: number }>(
        url,
        "select pid from pg_stat_activity where datname = current_database() and state = 'idle in transaction'",
      )) as [{ pid: number }]
      await queryAt(url, `select pg_terminate_backend(${pid})`)
      return items.searchItems(administrator, everything, { start: 1, num: 10 })
    }),
    ReplicaBehind,
  )
  expect(error.message).toContain('behind')
  await replica.fill()
  expect(await findBy(administrator)).toEqual(all)
  expect(figures().fills).toBe(1)
})

test('old changes are forgotten after others, and servers that followed them go on', async () => {
  const { url, storage, findBy, figures } = await openBoth()
  const count = async () => Number((await queryAt<{ n: string }>(url, 'select count(*) as n from item_changes'))[0]!.n)
  const forget = () => storage.items.mergeItemCounts()
  // Transactions of other databases of the server hold the mark back.
  await until('the mark is behind changes', async () => {
    await queryAt(url, 'update index_version set mark = pg_snapshot_xmin(pg_current_snapshot())')
    const [{ n }] = (await queryAt<{ n: string }>(
      url,
      'select count(*) as n from item_changes, index_version where xid < mark',
    )) as [{ n: string }]
    return Number(n) > 0
  })
  await queryAt(url, "update index_version set marked_at = now() - interval '1 hour'")
  const note = (changes: number) =>
    queryAt(url, `insert into item_changes (number) select 1 from generate_series(1, ${changes})`)
  await note(19_999 - (await count()))
  const before = await count()
  await forget()
  expect(await count()).toBe(before)
  await storage.items.addItem(anItem({ itemId: anId(503) }))
  await note(20_000)
  expect(await findBy(administrator)).toEqual([...all, anId(503)])
  const noted = await count()
  await forget()
  expect(await count()).toBeLessThan(noted)
  await forget()
  await storage.items.addItem(anItem({ itemId: anId(504) }))
  expect(await findBy(administrator)).toEqual([...all, anId(503), anId(504)])
  expect(figures().fills).toBe(1)
})

test('a replica without searches follows, and needs no change that was forgotten since', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const { url, storage, findBy, figures } = await openBoth()
  expect(await findBy(administrator)).toEqual(all)
  await storage.items.addItem(anItem({ itemId: anId(503) }))
  const oldest = 'select pg_snapshot_xmin(pg_current_snapshot())::text as xid'
  const later = 'select from item_changes where xid >= pg_snapshot_xmin(pg_current_snapshot())'
  await until('no transaction is as old as the change', async () => (await queryAt(url, later)).length === 0)
  const [floor] = await queryAt<{ xid: string }>(url, oldest)
  const { follows } = figures()
  await until('it has followed', async () => {
    vi.advanceTimersByTime(5_000)
    return figures().follows > follows + 1
  })
  await queryAt(url, `update index_version set floor = '${floor!.xid}'`)
  expect(await findBy(administrator)).toEqual([...all, anId(503)])
  expect(figures().fills).toBe(1)
})

test('a server begins its replica once it has enough items', async () => {
  expect(readFigures(shareFigures()).state).toBe('waiting')
  const { url, storage, replica, figures } = await openBoth()
  let searches = 0
  const counting = {
    isReady: () => true,
    search: (work: unknown, until: number) => {
      searches += 1
      return replica.search(work as Work, until)
    },
    figures,
    close: async () => undefined,
  }
  const execute = (readers: Readers, work: Work) => work(readers)
  const setting = { url, connections: 2, replica: counting, replicatedFrom: 4 }
  const server = await openPostgres<never, Work>(setting, () => Promise.reject(), { execute, milliseconds: 60_000 })
  onTestFinished(() => server.close())
  const find = () => server.search(({ items }) => items.countCoverage(owner), 'admin')
  const found = await find()
  await find()
  expect(searches).toBe(0)
  await storage.items.addItem(anItem({ itemId: anId(503) }))
  await find()
  expect(await find()).not.toEqual(found)
  expect(searches).toBe(1)
})

test('servers that have one folder do not meet in it, and nothing is left there', async () => {
  const one = await openBoth()
  const other = await openReplica(one.url, join(one.folder, 'below'))
  const third = await openReplica(one.url, one.folder)
  expect(readdirSync(one.folder)).toEqual(['below'])
  expect(readdirSync(other.folder)).toEqual([])
  expect(third.figures()).toMatchObject({ state: 'ready', fills: 1 })
  expect(await one.findBy(administrator)).toEqual(all)
  await other.close()
  await third.replica.close()
})

test('a folder that cannot be made is tried again, and searches are left to PostgreSQL meanwhile', async () => {
  const { url, folder } = await openBoth()
  const blocked = join(folder, 'blocked')
  writeFileSync(blocked, 'a file')
  const opened = await openReplica(url, blocked)
  onTestFinished(() => opened.replica.close())
  expect(opened.figures().state).toBe('failed')
  await rejectionOf(
    opened.replica.search(async () => 1, muchLater()),
    ReplicaBehind,
  )
  rmSync(blocked)
  await opened.replica.fill()
  expect(opened.figures().state).toBe('ready')
  expect(await opened.replica.search(async () => 1, muchLater())).toBe(1)
})
