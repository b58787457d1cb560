import { expect, test } from 'vitest'
import { countedBytes } from '../../../src/items/item-quotas.ts'
import { toRow } from '../../../src/storage/stores/items/item-rows.ts'
import { openStores } from '../../../src/storage/stores.ts'
import { migrate } from '../../../src/storage/tables/migrate.ts'
import { engine } from '../../support/databases/engine.ts'
import { anId, anItem } from '../contract/records.ts'
import { addPortal, addUser, openEarlier } from './earlier-database.ts'

const described = anItem({
  ...{ title: 'Seen é', type: 'Web Map', typeKeywords: ['a "b"', 'ü'], tags: ['t', '€'], size: 700, culture: 'de' },
  ...{
    description: 'd'.repeat(9),
    documentation: 'o'.repeat(11),
    accessInformation: 'i',
    licenseInfo: 'l',
    snippet: 's',
  },
  ...{ spatialReference: '4326', url: 'https://example.com', properties: '{"é":1}' },
})

test(`${engine}: items of earlier tables are counted, with their bytes`, async () => {
  const { db } = await openEarlier('009')
  const { portalId, ownerId } = described
  await addPortal(db, portalId)
  await addUser(db, portalId, ownerId)
  const bare = anItem({ itemId: anId(501) })
  for (const { bytes: _, checksum: __, ...row } of [described, bare].map(toRow)) {
    await db
      .insertInto('items')
      .values(row as ReturnType<typeof toRow>)
      .execute()
  }
  await migrate(db)
  const { items } = openStores(db)
  const bytes = countedBytes(described) + countedBytes(bare)
  expect(await items.countItemsOwnedBy(ownerId)).toEqual({ items: 2, bytes })
  expect(await items.countItemsOfPortal(portalId)).toEqual({ items: 2, bytes })
  await items.removeItem(described.itemId)
  expect(await items.countItemsOwnedBy(ownerId)).toEqual({ items: 1, bytes: countedBytes(bare) })
})
