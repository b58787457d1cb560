import { describe, expect, test } from 'vitest'
import type { ItemCondition } from '../../../src/items/search/item-search.ts'
import { engine } from '../../support/databases/engine.ts'
import { addPeople, aGroup, anId, anItem } from '../contract/records.ts'
import { openWorkStorage } from '../work-storage.ts'

const key = (field: 'access' | 'group', value: string): ItemCondition => ({
  kind: 'key',
  field,
  value,
  isPrefix: false,
})

describe(engine, () => {
  test('an item is found as private when its group is removed', async () => {
    const storage = await openWorkStorage()
    await addPeople(storage)
    const [groupId, item] = [anId(100), anItem({ level: 'private' })]
    await storage.write(async ({ directory, items }) => {
      await directory.addGroup(aGroup({ groupId }))
      await items.addItem(item)
      await items.putItemLink(item.itemId, { groupId, givesControl: false })
      await items.putGroupCategories(groupId, [{ itemId: item.itemId, paths: ['/Region/North'] }])
    })
    const viewer = {
      userId: item.ownerId,
      portalId: item.portalId,
      canViewOrganizationItems: true,
      canViewEveryItem: false,
    }
    const search = {
      inTitle: undefined,
      bbox: undefined,
      sort: [],
      groupId: undefined,
      countFields: [],
      countSize: 0,
    } as const
    const total = async (condition: ItemCondition) => {
      const page = { start: 1, num: 10 }
      return (await storage.items.searchItems(viewer, { ...search, condition }, page)).total
    }
    const totals = async () => [
      await total(key('access', 'shared')),
      await total(key('access', 'private')),
      await total(key('group', groupId)),
      await total({ kind: 'categorized', holder: { groupId } }),
    ]
    expect(await totals()).toEqual([1, 0, 1, 1])
    await storage.directory.removeGroup(groupId, 1)
    expect(await totals()).toEqual([0, 1, 0, 0])
  })
})
