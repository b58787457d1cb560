import Database from 'better-sqlite3'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { movePlaces } from '../../../src/categories/lineage.ts'
import { openKysely } from '../../../src/storage/sqlite/dialect.ts'
import { countDisagreements } from '../../../src/storage/stores/items/index/agreement.ts'
import { rebuildIndex } from '../../../src/storage/stores/items/index/rebuild.ts'
import { placeCategories, readCategories } from '../../../src/storage/stores/items/place-categories.ts'
import { openStores } from '../../../src/storage/stores.ts'
import { preparedDatabase } from '../../support/databases/prepared-sqlite.ts'
import { aGroup, aKey, anId, anItem, aPortal, aUser } from '../contract/records.ts'

const owner = { kind: 'portal', portalId: aPortal().portalId } as const

/** Items with these paths. */
async function openWith(items: readonly (readonly string[])[]) {
  const db = openKysely(new Database(await preparedDatabase()))
  onTestFinished(() => db.destroy())
  const stores = openStores(db)
  await stores.directory.addPortal(aPortal(), aKey)
  await stores.directory.addUser(aUser(), 'hash')
  for (const [at, categories] of items.entries()) {
    await stores.items.addItem(anItem({ itemId: anId(500 + at), categories }))
  }
  const writes = async (work: () => Promise<unknown>) => {
    const changes = async () => (await sql<{ n: number }>`select total_changes() as n`.execute(db)).rows[0]!.n
    const before = await changes()
    await work()
    return (await changes()) - before
  }
  const listInexact = async () => {
    const { rows } = await sql<{ path: string }>`select path from inexact_categories
      join category_paths on id = category_id order by path`.execute(db)
    return rows.map(({ path }) => path)
  }
  return { db, stores, writes, listInexact }
}

test('a rename changes no row of an item and leaves the index exact; only another parent does not', async () => {
  const { stores, listInexact } = await openWith([['/A/X/Y'], ['/B'], ['/A/Z']])
  await stores.items.movePaths(owner, [{ from: '/A/X', to: '/A/W' }], new Set())
  expect(await listInexact()).toEqual([])
  await stores.items.movePaths(owner, [{ from: '/A/W/Y', to: '/A/Z/Y' }], new Set())
  expect(await listInexact()).toEqual(['/A/W', '/A/Z'])
})

test('the rows that a move writes do not depend on how many items follow it', async () => {
  const rowsFor = async (size: number) => {
    const { stores, writes } = await openWith(Array.from({ length: size }, () => ['/A/X/Y', '/B']))
    return writes(() => stores.items.movePaths(owner, [{ from: '/A/X', to: '/B/X' }], new Set()))
  }
  expect(await rowsFor(50)).toBe(await rowsFor(1))
})

test('moves and clears leave the index in agreement, and after a rebuild it is exact again', async () => {
  const { db, stores, listInexact } = await openWith([['/A/X/Y'], ['/B'], ['/A/X']])
  await stores.items.movePaths(owner, [{ from: '/A/X', to: '/B/X' }], new Set())
  await stores.items.clearPaths(owner, ['/B/X'])
  expect(await countDisagreements(db)).toBe(0)
  expect(await listInexact()).toEqual(['/A', '/B'])
  await rebuildIndex(db)
  expect(await countDisagreements(db)).toBe(0)
  expect(await listInexact()).toEqual([])
  // One item carries what was cleared, and another what is below it.
  const viewer = { userId: undefined, portalId: owner.portalId, canViewOrganizationItems: true, canViewEveryItem: true }
  const search = {
    condition: { kind: 'category', holder: 'portal', path: '/b' },
    inTitle: undefined,
    bbox: undefined,
    sort: [],
    groupId: undefined,
    countFields: [],
    countSize: 0,
  } as const
  const { entries } = await stores.items.searchItems(viewer, search, { start: 1, num: 10 })
  expect(entries.map(({ item }) => item.itemId)).toEqual([anId(500), anId(501)])
})

test('items whose links to a group have ended are not counted for it, also while links are left', async () => {
  const { db, stores } = await openWith(Array.from({ length: 12 }, () => []))
  const { groupId, ownerId } = aGroup()
  await stores.directory.addGroup(aGroup())
  for (let at = 0; at < 12; at += 1) {
    const itemId = anId(500 + at)
    await stores.items.putItemLink(itemId, { groupId, givesControl: false })
    await stores.items.putGroupCategories(groupId, [{ itemId, paths: ['/G'] }])
  }
  const sets = [{ paths: ['/G'], isBelowToo: true }]
  const count = () => stores.items.countItems({ kind: 'group', groupId }, sets)
  expect(await count()).toEqual([12])
  await stores.items.removeItemLinksOf(ownerId, groupId)
  expect((await db.selectFrom('item_categories').selectAll().execute()).length).toBeGreaterThan(0)
  expect(await count()).toEqual([0])
})

test.each(['as they are read', 'the other way round'])(
  'of categories at one path, the youngest is the parent: %s',
  async (order) => {
    const { db, stores } = await openWith([['/A'], ['/B'], ['/C/X']])
    await stores.items.movePaths(owner, [{ from: '/B', to: '/A' }], new Set())
    const read = await readCategories(db, owner)
    const before = order === 'as they are read' ? read : read.toReversed()
    const moves = movePlaces(before, [{ from: '/C/X', to: '/A/X' }], [])
    await placeCategories(db, owner, before, moves)
    const after = await readCategories(db, owner)
    const atA = after.filter(({ path }) => path === '/A').map(({ id }) => id)
    expect(atA).toHaveLength(2)
    expect(after.find(({ path }) => path === '/A/X')?.parentId).toBe(Math.max(...atA))
  },
)

test('parents that are missing get their numbers in the order of those below them, however these are read', async () => {
  const numbersAfter = async (isReversed: boolean) => {
    const { db } = await openWith([['/C/X'], ['/D/Y']])
    const read = await readCategories(db, owner)
    const before = isReversed ? read.toReversed() : read
    const moves = [
      { from: '/C/X', to: '/P/X' },
      { from: '/D/Y', to: '/Q/Y' },
    ]
    await placeCategories(db, owner, before, movePlaces(before, moves, []))
    const after = await readCategories(db, owner)
    return ['/P', '/Q'].map((path) => after.find((one) => one.path === path)!.id)
  }
  const [first, second] = await numbersAfter(false)
  expect(first).toBeLessThan(second!)
  expect(await numbersAfter(true)).toEqual([first, second])
})
