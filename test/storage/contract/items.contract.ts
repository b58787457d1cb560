import { expect, test } from 'vitest'
import type { SchemaOwner } from '../../../src/categories/store.ts'
import type { Item } from '../../../src/items/item.ts'
import type { NewItem } from '../../../src/items/store.ts'
import type { WorkStorage } from '../work-storage.ts'
import {
  addPeople,
  aGroup,
  anId,
  anItem,
  aUser,
  endOfTime,
  noon,
  type OpenStorage,
  otherPortal,
  strangeTexts,
} from './records.ts'

const portal: SchemaOwner = { kind: 'portal', portalId: 'PortalOfMaps0001' }
const [group, otherGroup] = [anId(100), anId(101)]
const item = anItem().itemId

/** Anna with two groups, of which bert is a member of the first. */
async function openWithGroups(open: OpenStorage): Promise<WorkStorage> {
  const storage = await open()
  await addPeople(storage)
  await storage.write(async ({ directory }) => {
    await directory.addUser(aUser({ userId: anId(2), username: 'bert' }), 'hash')
    await directory.addGroup(aGroup({ groupId: group, givesItemControl: true }))
    await directory.addGroup(aGroup({ groupId: otherGroup }))
    await directory.putMember(group, { userId: anId(2), memberType: 'member', joinedAt: noon })
  })
  return storage
}

/** A storage with groups and one item. */
async function openWithItem(open: OpenStorage, given: Partial<NewItem> = {}): Promise<WorkStorage> {
  const storage = await openWithGroups(open)
  await storage.write(({ items }) => items.addItem(anItem(given)))
  return storage
}

function find(storage: WorkStorage, itemId = item, userId?: string) {
  return storage.read(({ items }) => items.findItemFor(itemId, userId))
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
  test('an item whose owner is no member of the group is looked for among the first links only', async () => {
    const storage = await openWithGroups(open)
    const ids = [anId(500), anId(501), anId(502)]
    const levels = ['org', 'public', 'org'] as const
    for (const [at, itemId] of ids.entries()) {
      // Anna is no member of the other group.
      await storage.write(async ({ items }) => {
        await items.addItem(anItem({ itemId, level: levels[at]! }))
        await items.putItemLink(itemId, link(otherGroup))
      })
    }
    const look = (maxLooks: number) => storage.read(({ items }) => items.findForeignItem(otherGroup, maxLooks))
    expect(await look(3)).toEqual({ itemId: ids[0] })
    await storage.write(({ items }) => items.removeItemLink(ids[0]!, otherGroup))
    expect([await look(1), await look(2)]).toEqual(['too many', { itemId: ids[2] }])
    await storage.write(({ items }) => items.removeItemLink(ids[2]!, otherGroup))
    expect([await look(1), await look(0)]).toEqual([undefined, 'too many'])
  })

  test('what is not there is undefined', async () => {
    const storage = await openWithGroups(open)
    await storage.read(async ({ items }) => {
      expect(await items.findItemFor(item, anId(1))).toBeUndefined()
      expect(await items.listItemsFor([item], anId(1))).toEqual([])
      expect(await items.listItemsFor([], anId(1))).toEqual([])
      expect(await items.findItemText(item)).toBeUndefined()
      expect(await items.listItemLinks(item)).toEqual([])
      expect(await items.listGroupCategories(group, [item])).toEqual(new Map())
      expect(await items.countItemsOwnedBy(anId(1))).toEqual({ items: 0, bytes: 0 })
      expect(await items.countItemsByCategory(portal)).toEqual([])
    })
  })

  test.each(strangeTexts)('an item has %j in every text as it was given', async (text) => {
    const given = anItem({
      title: text,
      type: text,
      typeKeywords: [text, 'b'],
      tags: [text],
      snippet: text,
      description: text,
      documentation: text,
      accessInformation: text,
      licenseInfo: text,
      culture: text,
      spatialReference: text,
      url: text,
      properties: JSON.stringify({ text }),
      categories: [`/${text.replaceAll('/', '')}`],
    })
    const storage = await openWithGroups(open)
    await storage.write(({ items }) => items.addItem(given, text))
    expect((await find(storage))?.item).toEqual(withAccess(given))
    expect(await storage.read(({ items }) => items.findItemText(item))).toBe(text)
  })

  test('an item has its numbers, its extent and its flags as they were given', async () => {
    const given = anItem({
      extent: [-180, -89.999999999999, 5.1e-7, 90],
      isProtected: true,
      level: 'public',
      size: endOfTime,
      createdAt: endOfTime,
      modifiedAt: noon,
    })
    const storage = await openWithItem(open, given)
    expect((await find(storage))?.item).toEqual(withAccess(given))
    const changed = { ...given, extent: undefined, isProtected: false, level: 'org', title: 'Rivers' } as const
    await storage.write(({ items }) => items.updateItem(changed))
    expect((await find(storage))?.item).toEqual(withAccess(changed))
  })

  test('a change keeps the data, unless it has other data', async () => {
    const storage = await openWithItem(open)
    const readText = () => storage.read(({ items }) => items.findItemText(item))
    await storage.write(({ items }) => items.updateItem(anItem(), 'one'))
    await storage.write(({ items }) => items.updateItem(anItem({ title: 'Rivers' })))
    expect(await readText()).toBe('one')
    await storage.write(({ items }) => items.updateItem(anItem(), ''))
    expect(await readText()).toBe('')
  })

  test('several items are listed once each, in the order of their ids', async () => {
    const storage = await openWithItem(open)
    expect(await storage.read(({ items }) => items.hasItemId(item))).toBe(true)
    await storage.write(({ items }) => items.addItem(anItem({ itemId: anId(501), title: 'Rivers' })))
    const ids = [anId(501), item, anId(999), anId(501)]
    const found = await storage.read(({ items }) => items.listItemsFor(ids, undefined))
    expect(found.map((one) => one.item.title)).toEqual(['Lakes', 'Rivers'])
  })

  test('a removed item leaves nothing behind', async () => {
    const storage = await openWithGroups(open)
    await storage.write(async ({ items }) => {
      await items.addItem(anItem({ categories: ['/A/B'] }), 'data')
      await items.putItemLink(item, link(group))
      await items.removeItem(item)
    })
    expect(await find(storage)).toBeUndefined()
    await storage.read(async ({ items }) => {
      expect(await items.hasItemId(item)).toBe(true)
      expect(await items.hasItemId(anId(501))).toBe(false)
      expect(await items.findItemText(item)).toBeUndefined()
      expect(await items.listItemLinks(item)).toEqual([])
      expect(await items.countItemsByCategory(portal)).toEqual([])
    })
  })

  test('categories keep the order in which they are assigned, and a change replaces them', async () => {
    const paths = ['/B/C', '/A', '/B', '/B/C/D']
    const storage = await openWithItem(open, { categories: paths })
    expect(await readCategories(storage)).toEqual(paths)
    await storage.write(({ items }) => items.updateItem(anItem({ categories: ['/A', '/E'] })))
    expect(await readCategories(storage)).toEqual(['/A', '/E'])
    await storage.write(({ items }) => items.updateItem(anItem()))
    expect(await readCategories(storage)).toEqual([])
  })

  test('categories of a group are beside those of the organization, and end with the link', async () => {
    const storage = await openWithItem(open, { categories: ['/A'] })
    const listOf = async (groupId: string) =>
      (await storage.read(({ items }) => items.listGroupCategories(groupId, [item]))).get(item)
    await storage.write(async ({ items }) => {
      for (const groupId of [group, otherGroup]) {
        await items.putItemLink(item, link(groupId))
        await items.putGroupCategories(groupId, [{ itemId: item, paths: ['/A', `/${groupId}`] }])
      }
    })
    expect(await readCategories(storage)).toEqual(['/A'])
    expect(await listOf(group)).toEqual(['/A', `/${group}`])
    await storage.write(({ items }) => items.removeItemLink(item, group))
    expect(await listOf(group)).toBeUndefined()
    expect(await listOf(otherGroup)).toEqual(['/A', `/${otherGroup}`])
    expect(await readCategories(storage)).toEqual(['/A'])
  })

  test('a private item is shared for as long as a group has it; any other level is shown as it is', async () => {
    const storage = await openWithItem(open)
    const access = async () => (await find(storage))?.item.access
    await storage.write(({ items }) => items.putItemLink(item, link(group)))
    await storage.write(({ items }) => items.putItemLink(item, link(otherGroup)))
    expect(await access()).toBe('shared')
    await storage.write(({ items }) => items.updateItem(anItem({ level: 'org' })))
    expect(await access()).toBe('org')
    await storage.write(({ items }) => items.updateItem(anItem()))
    expect(await access()).toBe('shared')
    await storage.write(({ items }) => items.removeItemLink(item, group))
    expect(await access()).toBe('shared')
    await storage.write(({ items }) => items.removeItemLink(item, otherGroup))
    expect(await access()).toBe('private')
  })

  test('members of its groups have an item, and control of it if link and group give that', async () => {
    const storage = await openWithItem(open)
    const put = (givesControl: boolean) =>
      storage.write(({ items }) => items.putItemLink(item, link(group, givesControl)))
    expect(await find(storage, item, anId(2))).toMatchObject({ isShared: false, hasControl: false })
    await put(false)
    expect(await find(storage, item, anId(2))).toMatchObject({ isShared: true, hasControl: false })
    await put(true)
    expect(await find(storage, item, anId(2))).toMatchObject({ isShared: true, hasControl: true })
    expect(await find(storage, item, anId(1))).toMatchObject({ isShared: false, hasControl: false })
    expect(await find(storage)).toMatchObject({ isShared: false, hasControl: false })
    expect(await storage.read(({ items }) => items.listItemLinks(item))).toEqual([link(group, true)])
    await storage.write(({ directory }) => directory.updateGroup(aGroup({ groupId: group })))
    expect(await find(storage, item, anId(2))).toMatchObject({ isShared: true, hasControl: false })
  })

  test('only the links of the items that a user owns end', async () => {
    const storage = await openWithItem(open)
    const other = anItem({ itemId: anId(501), ownerId: anId(2) })
    await storage.write(async ({ items }) => {
      await items.addItem(other)
      for (const itemId of [item, other.itemId]) await items.putItemLink(itemId, link(group))
      await items.putItemLink(item, link(otherGroup))
      await items.putGroupCategories(group, [{ itemId: item, paths: ['/A'] }])
      await items.removeItemLinksOf(anId(1), group)
    })
    await storage.read(async ({ items }) => {
      expect(await items.listItemLinks(item)).toEqual([link(otherGroup)])
      expect(await items.listGroupCategories(group, [item])).toEqual(new Map())
      expect(await items.listItemLinks(other.itemId)).toEqual([link(group)])
    })
  })

  test('an item that is given to another user stays in the groups of that user alone', async () => {
    const storage = await openWithItem(open, { categories: ['/A/B'] })
    await storage.write(async ({ items }) => {
      for (const groupId of [group, otherGroup]) {
        await items.putItemLink(item, link(groupId, true))
        await items.putGroupCategories(groupId, [{ itemId: item, paths: ['/C'] }])
      }
      await items.addItem(anItem({ itemId: anId(501) }))
      await items.giveItem(item, anId(2))
      await items.giveItem(anId(999), anId(2))
    })
    await storage.read(async ({ items }) => {
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
  })

  test('a removed group leaves the items, without its links and categories', async () => {
    const storage = await openWithItem(open)
    const [both, orgItem] = [anItem({ itemId: anId(501) }), anItem({ itemId: anId(502), level: 'org' })]
    await storage.write(async ({ items, directory }) => {
      for (const one of [both, orgItem]) await items.addItem(one)
      for (const itemId of [item, both.itemId, orgItem.itemId]) await items.putItemLink(itemId, link(group))
      await items.putItemLink(both.itemId, link(otherGroup))
      await items.putGroupCategories(group, [{ itemId: item, paths: ['/A'] }])
      await directory.removeGroup(group, noon)
    })
    const accesses = [item, both.itemId, orgItem.itemId].map(
      async (itemId) => (await find(storage, itemId))?.item.access,
    )
    expect(await Promise.all(accesses)).toEqual(['private', 'shared', 'org'])
    expect(await storage.read(({ items }) => items.countItemsByCategory({ kind: 'group', groupId: group }))).toEqual([])
    expect(await storage.read(({ items }) => items.listItemLinks(both.itemId))).toEqual([link(otherGroup)])
  })

  test('items are counted for each category and for those above it, once for each item', async () => {
    const storage = await openWithItem(open, { categories: ['/A/B', '/A/C', '/A/C/D'] })
    await storage.write(async ({ items }) => {
      await items.addItem(anItem({ itemId: anId(501), categories: ['/A/C/D', '/a'] }))
      await items.putItemLink(item, link(group))
      await items.putGroupCategories(group, [{ itemId: item, paths: ['/A/G'] }])
    })
    const countOf = (owner: SchemaOwner) => storage.read(({ items }) => items.countItemsByCategory(owner))
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
    await storage.write(({ items }) => items.updateItem(anItem({ categories: ['/A'] })))
    expect((await countOf(portal)).slice(0, 2)).toEqual([
      { path: '/A', items: 2 },
      { path: '/A/C', items: 1 },
    ])
  })

  test('items of a user are counted, and their bytes as they grow and shrink', async () => {
    const storage = await openWithItem(open)
    const added = anItem({ itemId: anId(501), ownerId: anId(2), bytes: 2_000 })
    const counted = () => storage.read(({ items }) => items.countItemsOwnedBy(anId(2)))
    await storage.write(({ items }) => items.addItem(added))
    expect(await counted()).toEqual({ items: 1, bytes: 2_000 })
    for (const bytes of [5_000, 1_500]) {
      const grownBy = bytes - (await counted()).bytes
      await storage.write(({ items }) => items.updateItem({ ...added, bytes }, undefined, grownBy))
      expect(await counted()).toEqual({ items: 1, bytes })
    }
    await storage.write(({ items }) => items.giveItem(added.itemId, anId(1)))
    expect(await counted()).toEqual({ items: 0, bytes: 0 })
    await storage.write(({ items }) => items.mergeItemCounts())
    const largest = await storage.read(({ items }) => items.listLargestOwners('user', 5))
    expect(largest).toEqual([{ ownerId: anId(1), items: 2, bytes: 2_524 }])
    await storage.write(({ items }) => items.removeItem(added.itemId))
    expect(await storage.read(({ items }) => items.countItemsOwnedBy(anId(1)))).toEqual({ items: 1, bytes: 1_024 })
  })

  test('what users own is the same before and after it is summed up', async () => {
    const storage = await openWithItem(open)
    const totals = (items: number) => ({ items, bytes: items * anItem().bytes })
    const counts = (userId: string) =>
      storage.read(async ({ items }) => [await items.findItemCount(userId), await items.countItemsOwnedBy(userId)])
    for (const at of [501, 502, 503]) {
      await storage.write(({ items }) => items.addItem(anItem({ itemId: anId(at), ownerId: anId(2) })))
    }
    await storage.write(({ items }) => items.mergeItemCounts())
    expect(await counts(anId(2))).toEqual([totals(3), totals(3)])
    await storage.write(({ items }) => items.removeItem(anId(501)))
    await storage.write(({ items }) => items.giveItem(anId(502), anId(1)))
    const [, before] = await counts(anId(1))
    expect((await counts(anId(2)))[1]).toEqual(totals(1))
    for (const time of [1, 2]) {
      await storage.write(({ items }) => items.mergeItemCounts())
      expect([time, await counts(anId(1)), await counts(anId(2))]).toEqual([
        time,
        [before, before],
        [totals(1), totals(1)],
      ])
    }
    const slice = await storage.read(({ items }) => items.listItemCounts('', 10))
    const { portalId } = anItem()
    expect(slice).toContainEqual({ userId: anId(2), portalId, ...totals(1) })
  })
}
