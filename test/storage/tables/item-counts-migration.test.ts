import { expect, test } from 'vitest'
import { openStores } from '../../../src/storage/stores.ts'
import { migrations } from '../../../src/storage/tables/migrations/migrations.ts'
import { aKey, anId, anItem, aPortal, aUser } from '../contract/records.ts'
import { engines, openEarlier } from './earlier-database.ts'

const name = Object.keys(migrations).find((known) => known.endsWith('-item-counts'))!

test.each(engines)('%s: items of earlier tables are counted', async (engine) => {
  const { db } = await openEarlier(engine, 'later than all')
  const { directory, items } = openStores(db)
  const [portal, user] = [aPortal(), aUser()]
  await directory.addPortal(portal, aKey)
  await directory.addUser(user, 'hash')
  for (const at of [501, 502]) await items.addItem(anItem({ itemId: anId(at) }))
  // The tables of before are those of now without this one.
  await db.schema.dropTable('item_counts').execute()
  await db.deleteFrom('item_count_changes').execute()
  await migrations[name]!.up(db)
  expect(Number(await items.countItemsOwnedBy(user.userId))).toBe(2)
  expect(Number(await items.countItemsOfPortal(portal.portalId))).toBe(2)
})
