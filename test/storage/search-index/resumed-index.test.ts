import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { ensureIndex, isPresent } from '../../../src/storage/stores/items/index/rebuild.ts'
import { openStores } from '../../../src/storage/stores.ts'
import { engine } from '../../support/databases/engine.ts'
import { aKey, anId, anItem, aPortal, aUser } from '../contract/records.ts'
import { openOwn } from '../tables/own-database.ts'

test(`${engine}: an index whose making was interrupted goes on after the last item that it has`, async () => {
  const { db } = await openOwn()
  const { directory, items } = openStores(db)
  await directory.addPortal(aPortal(), aKey)
  await directory.addUser(aUser(), 'hash')
  const many = 501
  for (let at = 1; at <= many; at += 1) await items.addItem(anItem({ itemId: anId(at) }))
  const countIndexed = async () =>
    Number((await sql<{ many: number }>`select count(*) as many from item_index`.execute(db)).rows[0]!.many)
  const interrupt = () => {
    throw new Error('killed')
  }
  await expect(ensureIndex(db, interrupt)).rejects.toThrow('killed')
  expect([await countIndexed(), await isPresent(db)]).toEqual([500, false])
  const steps: string[] = []
  expect(await ensureIndex(db, (done, total) => steps.push(`${done} of ${total}`))).toBe(true)
  expect(steps).toEqual(['501 of 502', '502 of 502'])
  expect([await countIndexed(), await isPresent(db)]).toEqual([many, true])
  expect(await ensureIndex(db, interrupt)).toBe(false)
})
