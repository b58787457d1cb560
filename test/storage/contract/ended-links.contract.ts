import { expect, test } from 'vitest'
import type { ItemCondition, ItemViewer } from '../../../src/items/search/item-search.ts'
import type { WorkStorage } from '../work-storage.ts'
import { countsByPath } from './counts-by-path.ts'
import { addPeople, aGroup, anId, anItem, aUser, noon, type OpenStorage } from './records.ts'

const [group, otherGroup] = [anId(100), anId(101)]
const [anna, bert, carl] = [anId(1), anId(2), anId(3)]
const link = (groupId: string) => ({ groupId, givesControl: true })

/** Private items of anna and bert in a group that carl and both belong to, with categories of the group, one of anna's in two. */
async function openWithItems(open: OpenStorage, ofAnna: number, ofBert: number) {
  const storage = await open()
  await addPeople(storage)
  const annas = Array.from({ length: ofAnna }, (_, at) => anId(1_000 + at))
  const berts = Array.from({ length: ofBert }, (_, at) => anId(2_000 + at))
  await storage.write(async ({ directory, items }) => {
    for (const [userId, username] of [
      [bert, 'bert'],
      [carl, 'carl'],
    ] as const) {
      await directory.addUser(aUser({ userId, username }), 'hash')
    }
    for (const groupId of [group, otherGroup]) {
      await directory.addGroup(aGroup({ groupId, givesItemControl: true }))
      for (const userId of [anna, bert, carl])
        await directory.putMember(groupId, { userId, memberType: 'member', joinedAt: noon })
    }
    for (const itemId of [...berts, ...annas]) {
      await items.addItem(anItem({ itemId, ownerId: annas.includes(itemId) ? anna : bert, level: 'private' }))
      await items.putItemLink(itemId, link(group))
      await items.putGroupCategories(group, [{ itemId, paths: ['/A/B'] }])
    }
    await items.putItemLink(annas[0]!, link(otherGroup))
  })
  return { storage, annas, berts }
}

function viewerOf(userId: string): ItemViewer {
  return { userId, portalId: 'PortalOfMaps0001', canViewOrganizationItems: true, canViewEveryItem: false }
}

const everyItem: ItemCondition = { kind: 'all' }
const inGroup: ItemCondition = { kind: 'key', field: 'group', value: group, isPrefix: false }

/** Ids of what a search finds, and what it counts. */
async function search(storage: WorkStorage, viewer: ItemViewer, condition: ItemCondition, groupId?: string) {
  const asked = { condition, inTitle: undefined, bbox: undefined, sort: [], groupId, countFields: [], countSize: 10 }
  const found = await storage.items.searchItems(viewer, asked, { start: 1, num: 100 })
  expect(found.total).toBe(found.entries.length)
  return found.entries.map(({ item }) => item.itemId).toSorted()
}

const step = (storage: WorkStorage): Promise<boolean> =>
  storage.write(async ({ items }) => (await items.endLinks()) !== undefined)

const linksLeft = (storage: WorkStorage) => storage.recorded.count('item_groups')

/** Every link that ends: more than one write may end. */
export function endedLinksContract(open: OpenStorage): void {
  test('what a former member shared is gone for the others immediately, and its links are removed in steps', async () => {
    const { storage, annas, berts } = await openWithItems(open, 75, 3)
    const leave = async () =>
      storage.write(async ({ directory, items }) => {
        await directory.removeMember(group, anna)
        await items.removeItemLinksOf(anna, group)
      })
    const expectGone = async () => {
      expect(await search(storage, viewerOf(carl), everyItem)).toEqual([annas[0]!, ...berts])
      expect(await search(storage, viewerOf(carl), inGroup)).toEqual(berts)
      expect(await search(storage, viewerOf(carl), everyItem, group)).toEqual(berts)
      expect(await search(storage, viewerOf(anna), inGroup)).toEqual([])
      expect(await search(storage, viewerOf(anna), everyItem)).toEqual(annas)
      expect(
        await search(storage, viewerOf(carl), { kind: 'not', of: inGroup }),
        'what has left the group is not in it',
      ).toEqual([annas[0]])
      for (const itemId of annas.slice(1)) {
        expect(await storage.items.findItemFor(itemId, carl)).toMatchObject({ isShared: false, hasControl: false })
        expect(await storage.items.listItemLinks(itemId)).toEqual([])
      }
      expect(await storage.items.findItemFor(annas[0]!, carl)).toMatchObject({ isShared: true, hasControl: true })
      expect(await storage.items.listItemLinks(annas[0]!)).toEqual([link(otherGroup)])
      const listed = await storage.items.listItemsFor(annas, carl)
      expect(listed.filter(({ isShared }) => isShared).map(({ item }) => item.itemId)).toEqual([annas[0]])
    }
    expect(await search(storage, viewerOf(carl), inGroup)).toEqual([...annas, ...berts])
    await leave()
    await expectGone()
    const left: number[] = [await linksLeft(storage)]
    while (await step(storage)) {
      await expectGone()
      left.push(await linksLeft(storage))
    }
    expect(left).toEqual([69, 19, 4])
    expect(await storage.items.isEnding(group, anna)).toBe(false)
    expect(await storage.recorded.count('ended_links')).toBe(0)
    expect((await storage.items.findItemFor(annas[1]!, anna))?.item.access).toBe('private')
    expect((await storage.items.findItemFor(annas[0]!, anna))?.item.access).toBe('shared')
    expect(await storage.items.listGroupCategories(group, [annas[0]!])).toEqual(new Map())
    expect(await storage.items.listGroupCategories(group, [berts[0]!])).toEqual(new Map([[berts[0]!, ['/A/B']]]))
  })

  test('what ends is answered as changes of the items, with the control and the categories that went', async () => {
    const { storage, annas } = await openWithItems(open, 12, 1)
    const changes = annas.map((itemId) => {
      const groups = { added: [], removed: [group], control: [group] }
      const groupCategories = [{ groupId: group, from: ['/A/B'], to: [] }]
      return { itemId, portalId: 'PortalOfMaps0001', change: { groups, groupCategories } }
    })
    const ended = await storage.write(async ({ items }) => [
      await items.removeItemLinksOf(anna, group),
      await items.endLinks(),
      await items.endLinks(),
    ])
    expect(ended).toEqual([changes.slice(0, 10), { groupId: group, changes: changes.slice(10) }, undefined])
  })

  test('a removed group is in no link and no search immediately, and its links are removed in steps', async () => {
    const { storage, annas } = await openWithItems(open, 105, 1)
    await storage.directory.removeGroup(group, noon)
    const left: number[] = []
    do {
      left.push(await linksLeft(storage))
      expect(await search(storage, viewerOf(carl), everyItem)).toEqual([annas[0]])
      expect(await storage.items.listItemLinks(annas.at(-1)!)).toEqual([])
      expect(await storage.items.findItemFor(annas.at(-1)!, carl)).toMatchObject({ isShared: false, hasControl: false })
    } while (await step(storage))
    expect(left).toEqual([57, 7, 1])
    expect(await storage.recorded.count('ended_links')).toBe(0)
    expect(await countsByPath(storage.items, { kind: 'group', groupId: group })).toEqual([])
    expect((await storage.items.findItemFor(annas.at(-1)!, anna))?.item.access).toBe('private')
    expect(await search(storage, viewerOf(anna), { kind: 'categorized', holder: { groupId: group } })).toEqual([])
    expect(await storage.recorded.count('category_paths')).toBe(0)
  })

  test('an item whose link is ending does not come back to the group with another owner', async () => {
    const { storage, annas, berts } = await openWithItems(open, 12, 1)
    await storage.write(async ({ directory, items }) => {
      await directory.removeMember(group, anna)
      await items.removeItemLinksOf(anna, group)
      await items.giveItem(annas.at(-1)!, bert)
      await directory.putMember(group, { userId: anna, memberType: 'member', joinedAt: noon })
      await items.giveItem(berts[0]!, anna)
    })
    expect(await storage.items.isEnding(group, anna)).toBe(true)
    expect(await search(storage, viewerOf(carl), inGroup)).toEqual([])
    while (await step(storage)) expect(await search(storage, viewerOf(carl), inGroup)).toEqual([])
    expect(await linksLeft(storage)).toBe(1)
  })

  test('a group may be removed while links of former members end', async () => {
    const { storage } = await openWithItems(open, 30, 30)
    await storage.write(async ({ directory, items }) => {
      await directory.removeMember(group, anna)
      await items.removeItemLinksOf(anna, group)
      await directory.removeGroup(group, noon)
    })
    expect(await search(storage, viewerOf(carl), inGroup)).toEqual([])
    while (await step(storage)) expect(await search(storage, viewerOf(carl), inGroup)).toEqual([])
    expect(await linksLeft(storage)).toBe(1)
    expect(await storage.recorded.count('ended_links')).toBe(0)
  })

  test('what only former members of a group carry of it is not carried any more', async () => {
    const { storage, annas, berts } = await openWithItems(open, 30, 1)
    const owner = { kind: 'group', groupId: group } as const
    const carried = async () => ({
      isCarried: [await storage.items.isCarried(owner, '/A'), await storage.items.isCarried(owner, '/A/B/C')],
      of: await storage.items.listCarriedOf(owner, ['/A/B', '/A/B/C']),
      all: (await storage.items.listCarried(owner)).map(({ path }) => path).toSorted(),
    })
    await storage.write(async ({ items }) => {
      await items.putGroupCategories(group, [{ itemId: annas.at(-1)!, paths: ['/A/B/C'] }])
    })
    expect(await carried()).toEqual({ isCarried: [true, true], of: ['/A/B', '/A/B/C'], all: ['/A/B', '/A/B/C'] })
    await storage.items.removeItemLinksOf(anna, group)
    const left = { isCarried: [true, false], of: ['/A/B'], all: ['/A/B'] }
    expect(await carried(), 'while links are to be removed').toEqual(left)
    expect(await storage.recorded.count('ended_links')).toBe(1)
    while (await step(storage)) expect(await carried()).toEqual(left)
    await storage.items.removeItemLink(berts[0]!, group)
    expect(await carried()).toEqual({ isCarried: [false, false], of: [], all: [] })
  })
}
