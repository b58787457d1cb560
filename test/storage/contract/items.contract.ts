import { expect } from 'vitest'
import type { SchemaOwner } from '../../../src/categories/store.ts'
import type { Item } from '../../../src/items/item.ts'
import type { NewItem } from '../../../src/items/store.ts'
import type { WorkStorage } from '../work-storage.ts'
import { countsByPath } from './counts-by-path.ts'
import { addPeople, aGroup, anId, anItem, aUser, noon, type OpenStorage, otherPortal, testOn } from './records.ts'

const portal: SchemaOwner = { kind: 'portal', portalId: 'PortalOfMaps0001' }
const [group, otherGroup] = [anId(100), anId(101)]
const item = anItem().itemId

/** Anna with two groups, of which bert is a member of the first. */
async function addTheGroups(storage: WorkStorage): Promise<void> {
  await addPeople(storage)
  await storage.directory.addUser(aUser({ userId: anId(2), username: 'bert' }), 'hash')
  await storage.directory.addGroup(aGroup({ groupId: group, givesItemControl: true }))
  await storage.directory.addGroup(aGroup({ groupId: otherGroup }))
  await storage.directory.putMember(group, { userId: anId(2), memberType: 'member', joinedAt: noon })
}

function find(storage: WorkStorage, itemId = item, userId?: string) {
  return storage.items.findItemFor(itemId, userId)
}

async function readCategories(storage: WorkStorage, itemId = item) {
  return (await find(storage, itemId))?.item.categories
}

/** The item as it was given. */
function withAccess(given: NewItem, access: Item['access'] = given.level): Item {
  return { ...given, ownerUsername: 'anna', access }
}

const link = (groupId: string, givesControl = false) => ({ groupId, givesControl })

/** Items, their data, links and categories. */
export function itemsContract(open: OpenStorage): void {
  const test = testOn(open, addTheGroups)

  test('an item whose owner is no member of the group is looked for among the first links only', async ({ items }) => {
    const ids = [anId(500), anId(501), anId(502)]
    const levels = ['org', 'public', 'org'] as const
    for (const [at, itemId] of ids.entries()) {
      // Anna is no member of the other group.
      await items.addItem(anItem({ itemId, level: levels[at]! }))
      await items.putItemLink(itemId, link(otherGroup))
    }
    const look = (maxLooks: number) => items.findForeignItem(otherGroup, maxLooks)
    expect(await look(3)).toEqual({ itemId: ids[0] })
    await items.removeItemLink(ids[0]!, otherGroup)
    expect([await look(1), await look(2)]).toEqual(['too many', { itemId: ids[2] }])
    await items.removeItemLink(ids[2]!, otherGroup)
    expect([await look(1), await look(0)]).toEqual([undefined, 'too many'])
  })

  test('a change keeps the data, unless it has other data', async ({ items }) => {
    await items.addItem(anItem())
    const readText = () => items.findItemText(item)
    await items.updateItem(anItem(), 'one')
    await items.updateItem(anItem({ title: 'Rivers' }))
    expect(await readText()).toBe('one')
    await items.updateItem(anItem(), '')
    expect(await readText()).toBe('')
  })

  test('several items are listed once each, in the order of their ids', async ({ items }) => {
    await items.addItem(anItem())
    expect(await items.hasItemId(item)).toBe(true)
    await items.addItem(anItem({ itemId: anId(501), title: 'Rivers' }))
    const ids = [anId(501), item, anId(999), anId(501)]
    const found = await items.listItemsFor(ids, undefined)
    expect(found.map((one) => one.item.title)).toEqual(['Lakes', 'Rivers'])
  })

  test('a removed item leaves nothing behind', async ({ items, storage }) => {
    await items.addItem(anItem({ categories: ['/A/B'] }), 'data')
    await items.putItemLink(item, link(group))
    await items.removeItem(item)
    expect(await find(storage)).toBeUndefined()
    expect(await items.hasItemId(item)).toBe(true)
    expect(await items.hasItemId(anId(501))).toBe(false)
    expect(await items.findItemText(item)).toBeUndefined()
    expect(await items.listItemLinks(item)).toEqual([])
    expect(await countsByPath(items, portal)).toEqual([])
  })

  test('categories of a group are beside those of the organization, and end with the link', async ({
    items,
    storage,
  }) => {
    await items.addItem(anItem({ categories: ['/A'] }))
    const listOf = async (groupId: string) => (await items.listGroupCategories(groupId, [item])).get(item)
    for (const groupId of [group, otherGroup]) {
      await items.putItemLink(item, link(groupId))
      await items.putGroupCategories(groupId, [{ itemId: item, paths: ['/A', `/${groupId}`] }])
    }
    expect(await readCategories(storage)).toEqual(['/A'])
    expect(await listOf(group)).toEqual(['/A', `/${group}`])
    await items.removeItemLink(item, group)
    expect(await listOf(group)).toBeUndefined()
    expect(await listOf(otherGroup)).toEqual(['/A', `/${otherGroup}`])
    expect(await readCategories(storage)).toEqual(['/A'])
  })

  test('a private item is shared for as long as a group has it; any other level is shown as it is', async ({
    items,
    storage,
  }) => {
    await items.addItem(anItem())
    const access = async () => (await find(storage))?.item.access
    await items.putItemLink(item, link(group))
    await items.putItemLink(item, link(otherGroup))
    expect(await access()).toBe('shared')
    await items.updateItem(anItem({ level: 'org' }))
    expect(await access()).toBe('org')
    await items.updateItem(anItem())
    expect(await access()).toBe('shared')
    await items.removeItemLink(item, group)
    expect(await access()).toBe('shared')
    await items.removeItemLink(item, otherGroup)
    expect(await access()).toBe('private')
  })

  test('members of its groups have an item, and control of it if link and group give that', async ({
    directory,
    items,
    storage,
  }) => {
    await items.addItem(anItem())
    const put = (givesControl: boolean) => items.putItemLink(item, link(group, givesControl))
    expect(await find(storage, item, anId(2))).toMatchObject({ isShared: false, hasControl: false })
    await put(false)
    expect(await find(storage, item, anId(2))).toMatchObject({ isShared: true, hasControl: false })
    await put(true)
    expect(await find(storage, item, anId(2))).toMatchObject({ isShared: true, hasControl: true })
    expect(await find(storage, item, anId(1))).toMatchObject({ isShared: false, hasControl: false })
    expect(await find(storage)).toMatchObject({ isShared: false, hasControl: false })
    expect(await items.listItemLinks(item)).toEqual([link(group, true)])
    await directory.updateGroup(aGroup({ groupId: group }))
    expect(await find(storage, item, anId(2))).toMatchObject({ isShared: true, hasControl: false })
  })

  test('only the links of the items that a user owns end', async ({ items }) => {
    await items.addItem(anItem())
    const other = anItem({ itemId: anId(501), ownerId: anId(2) })
    await items.addItem(other)
    for (const itemId of [item, other.itemId]) await items.putItemLink(itemId, link(group))
    await items.putItemLink(item, link(otherGroup))
    await items.putGroupCategories(group, [{ itemId: item, paths: ['/A'] }])
    await items.removeItemLinksOf(anId(1), group)
    expect(await items.listItemLinks(item)).toEqual([link(otherGroup)])
    expect(await items.listGroupCategories(group, [item])).toEqual(new Map())
    expect(await items.listItemLinks(other.itemId)).toEqual([link(group)])
  })

  test('an item that is given to another user stays in the groups of that user alone', async ({ items }) => {
    await items.addItem(anItem({ categories: ['/A/B'] }))
    for (const groupId of [group, otherGroup]) {
      await items.putItemLink(item, link(groupId, true))
      await items.putGroupCategories(groupId, [{ itemId: item, paths: ['/C'] }])
    }
    await items.addItem(anItem({ itemId: anId(501) }))
    await items.giveItem(item, anId(2))
    await items.giveItem(anId(999), anId(2))
    const given = {
      ...withAccess(anItem({ categories: ['/A/B'] }), 'shared'),
      ownerId: anId(2),
      ownerUsername: 'bert',
    }
    expect((await items.findItemFor(item, anId(2)))?.item).toEqual(given)
    expect(await items.listItemLinks(item)).toEqual([link(group, true)])
    expect(await items.listGroupCategories(group, [item])).toEqual(new Map([[item, ['/C']]]))
    expect(await items.listGroupCategories(otherGroup, [item])).toEqual(new Map())
    expect(await items.listItemIdsOwnedBy(anId(1), 10)).toEqual([anId(501)])
    expect(await items.listItemIdsOwnedBy(anId(2), 10)).toEqual([item])
    expect(await items.listItemIdsOwnedBy(anId(2), 0)).toEqual([])
  })

  test('a removed group leaves the items, without its links and categories', async ({ directory, items, storage }) => {
    await items.addItem(anItem())
    const [both, orgItem] = [anItem({ itemId: anId(501) }), anItem({ itemId: anId(502), level: 'org' })]
    for (const one of [both, orgItem]) await items.addItem(one)
    for (const itemId of [item, both.itemId, orgItem.itemId]) await items.putItemLink(itemId, link(group))
    await items.putItemLink(both.itemId, link(otherGroup))
    await items.putGroupCategories(group, [{ itemId: item, paths: ['/A'] }])
    await directory.removeGroup(group, noon)
    const accesses = [item, both.itemId, orgItem.itemId].map(
      async (itemId) => (await find(storage, itemId))?.item.access,
    )
    expect(await Promise.all(accesses)).toEqual(['private', 'shared', 'org'])
    expect(await countsByPath(items, { kind: 'group', groupId: group })).toEqual([])
    expect(await items.listItemLinks(both.itemId)).toEqual([link(otherGroup)])
  })

  test('items are counted for each category and for those above it, once for each item', async ({ items }) => {
    await items.addItem(anItem({ categories: ['/A/B', '/A/C', '/A/C/D'] }))
    await items.addItem(anItem({ itemId: anId(501), categories: ['/A/C/D', '/a'] }))
    await items.putItemLink(item, link(group))
    await items.putGroupCategories(group, [{ itemId: item, paths: ['/A/G'] }])
    const countOf = (owner: SchemaOwner) => countsByPath(items, owner)
    expect(await countOf(portal)).toEqual([
      { path: '/A', items: 2 },
      { path: '/A/B', items: 1 },
      { path: '/A/C', items: 2 },
      { path: '/A/C/D', items: 2 },
      { path: '/a', items: 1 },
    ])
    expect(await countOf({ kind: 'group', groupId: group })).toEqual([
      { path: '/A', items: 1 },
      { path: '/A/G', items: 1 },
    ])
    expect(await countOf({ kind: 'portal', portalId: otherPortal.portalId })).toEqual([])
    await items.updateItem(anItem({ categories: ['/A'] }))
    expect((await countOf(portal)).slice(0, 2)).toEqual([
      { path: '/A', items: 2 },
      { path: '/A/C', items: 1 },
    ])
  })

  test('items of a user are counted, and their bytes as they grow and shrink', async ({ items }) => {
    await items.addItem(anItem())
    const added = anItem({ itemId: anId(501), ownerId: anId(2), bytes: 2_000 })
    const counted = () => items.countItemsOwnedBy(anId(2))
    await items.addItem(added)
    expect(await counted()).toEqual({ items: 1, bytes: 2_000 })
    for (const bytes of [5_000, 1_500]) {
      const grownBy = bytes - (await counted()).bytes
      await items.updateItem({ ...added, bytes }, undefined, grownBy)
      expect(await counted()).toEqual({ items: 1, bytes })
    }
    await items.giveItem(added.itemId, anId(1))
    expect(await counted()).toEqual({ items: 0, bytes: 0 })
    await items.mergeItemCounts()
    const largest = await items.listLargestOwners('user', 5)
    expect(largest).toEqual([{ ownerId: anId(1), items: 2, bytes: 2_524 }])
    await items.removeItem(added.itemId)
    expect(await items.countItemsOwnedBy(anId(1))).toEqual({ items: 1, bytes: 1_024 })
  })

  test('what users own is the same before and after it is summed up', async ({ storage }) => {
    await storage.items.addItem(anItem())
    const totals = (items: number) => ({ items, bytes: items * anItem().bytes })
    const counts = async (userId: string) => [
      await storage.items.findItemCount(userId),
      await storage.items.countItemsOwnedBy(userId),
    ]
    for (const at of [501, 502, 503]) {
      await storage.items.addItem(anItem({ itemId: anId(at), ownerId: anId(2) }))
    }
    await storage.items.mergeItemCounts()
    expect(await counts(anId(2))).toEqual([totals(3), totals(3)])
    await storage.items.removeItem(anId(501))
    await storage.items.giveItem(anId(502), anId(1))
    const [, before] = await counts(anId(1))
    expect((await counts(anId(2)))[1]).toEqual(totals(1))
    for (const time of [1, 2]) {
      await storage.items.mergeItemCounts()
      expect([time, await counts(anId(1)), await counts(anId(2))]).toEqual([
        time,
        [before, before],
        [totals(1), totals(1)],
      ])
    }
    const slice = await storage.items.listItemCounts('', 10)
    const { portalId } = anItem()
    expect(slice).toContainEqual({ userId: anId(2), portalId, ...totals(1) })
  })
}
