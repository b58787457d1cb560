import { type Kysely, sql } from 'kysely'
import { expect, test } from 'vitest'
import { ensureIndex } from '../../../src/storage/stores/items/index/rebuild.ts'
import { openStores } from '../../../src/storage/stores.ts'
import { migrate } from '../../../src/storage/tables/migrate.ts'
import type { Rows } from '../../../src/storage/tables/rows.ts'
import { engine } from '../../support/databases/engine.ts'
import { anId, anItem } from '../contract/records.ts'
import { addPortal, addUser, openEarlier } from './earlier-database.ts'

/** Rows as the version before left them: an item had rows of the categories above its own, without a position. */
async function fill(db: Kysely<Rows>): Promise<void> {
  const { itemId, portalId, ownerId } = anItem()
  await addPortal(db, portalId)
  await addUser(db, portalId, ownerId)
  for (const id of [itemId, anId(501)]) {
    await sql`insert into items (item_id, portal_id, owner_id, level, access, is_protected, size, created_at, modified_at,
      title, title_key, type, type_keywords, tags, culture, spatial_reference, url, snippet, access_information,
      documentation, license_info, description) values (${id}, ${portalId}, ${ownerId}, 'public', 'public', 0, 0, 1, 1,
      'Lakes', 'lakes', 'Web Map', '[]', '[]', '', '', '', '', '', '', '', '')`.execute(db)
  }
  for (const [at, path] of ['/A', '/A/B', '/C'].entries()) {
    const depth = path.split('/').length - 1
    await sql`insert into category_paths (owner_kind, owner_id, path, path_key, depth, parent_id)
      values ('portal', ${portalId}, ${path}, ${path.toLowerCase()}, ${depth}, ${at === 1 ? 1 : null})`.execute(db)
  }
  await sql`insert into item_categories (category_id, item_number, position)
    values (1, 1, null), (2, 1, 1), (3, 1, 0), (1, 2, 0)`.execute(db)
  await sql`insert into index_version (version) values (1)`.execute(db)
}

test(`${engine}: items of earlier tables keep their categories, are found by them, and follow them`, async () => {
  const { db } = await openEarlier('010')
  await fill(db)
  await migrate(db)
  await ensureIndex(db)
  const { items } = openStores(db)
  const { itemId, portalId } = anItem()
  const owner = { kind: 'portal', portalId } as const
  const listPaths = async () => (await items.findItemFor(itemId, undefined))?.item.categories
  const viewer = { userId: undefined, portalId, canViewOrganizationItems: false, canViewEveryItem: false }
  const find = async (path: string) => {
    const { total, counts } = await items.searchItems(
      viewer,
      {
        condition: { kind: 'category', holder: 'portal', path },
        inTitle: undefined,
        bbox: undefined,
        sort: [],
        groupId: undefined,
        countFields: ['categories'],
        countSize: 10,
      },
      { start: 1, num: 10 },
    )
    return {
      total,
      counts: Object.fromEntries(counts[0]!.values.map((one) => [one.value, one.count])),
    }
  }
  expect(await listPaths()).toEqual(['/C', '/A/B'])
  expect(await find('/a')).toEqual({ total: 2, counts: { '/A': 2, '/A/B': 1, '/C': 1 } })
  await items.movePaths(owner, [{ from: '/A/B', to: '/C/B' }], new Set())
  expect(await listPaths()).toEqual(['/C', '/C/B'])
  expect(await find('/a')).toEqual({ total: 1, counts: { '/A': 1 } })
  expect(await find('/c')).toEqual({ total: 1, counts: { '/C': 1, '/C/B': 1 } })
  // Going with an owner that is removed.
  await sql`delete from category_paths where path = '/A'`.execute(db)
  expect((await items.countItemsByCategory(owner)).map(({ path }) => path)).toEqual(['/C', '/C/B'])
})
