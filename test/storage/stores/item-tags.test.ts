import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openStores } from '../../../src/storage/stores.ts'
import { engine } from '../../support/databases/engine.ts'
import { aKey, anId, anItem, aPortal, aUser } from '../contract/records.ts'
import { openOwn } from '../tables/own-database.ts'

/** The last is half of a pair, which neither engine has in a text. */
const tags = ['lakes', 'Łódź "5"', '\ud800']

test(`${engine}: different tags are counted for a user and the organization, as items change, are given away and removed`, async () => {
  const { db } = await openOwn()
  const { directory, items } = openStores(db)
  const [portal, user] = [aPortal(), aUser()]
  await directory.addPortal(portal, aKey)
  await directory.addUser(user, 'hash')
  await directory.addUser(aUser({ userId: anId(2), username: 'ben' }), 'hash')
  for (const at of [501, 502]) await items.addItem(anItem({ itemId: anId(at), tags }))
  const count = async (ownerId: string, more: readonly string[]) => {
    await items.mergeItemCounts()
    return items.countTags(ownerId, more)
  }
  for (const ownerId of [user.userId, portal.portalId]) {
    expect(await count(ownerId, tags)).toEqual({ present: 0, added: 0 })
    expect(await count(ownerId, [...tags, 'new', 'new'])).toEqual({ present: 3, added: 1 })
  }
  await items.updateItem(anItem({ itemId: anId(501), tags: ['lakes', 'new'] }))
  await items.giveItem(anId(502), anId(2))
  expect(await count(user.userId, ['x'])).toEqual({ present: 2, added: 1 })
  expect(await count(portal.portalId, ['x'])).toEqual({ present: 4, added: 1 })
  await items.removeItem(anId(502))
  expect(await count(anId(2), ['x'])).toEqual({ present: 0, added: 1 })
  expect(await count(portal.portalId, ['x'])).toEqual({ present: 2, added: 1 })
  const left = await sql<{ items: number }>`select items from owner_tags`.execute(db)
  expect(left.rows.map((row) => Number(row.items))).toEqual([1, 1, 1, 1])
})
