import { expect, test } from 'vitest'
import { revertChange } from '../../../src/items/changes/revert.ts'
import { defaultLimits } from '../../../src/limits.ts'
import { addPeople, aGroup, anId, anItem, noon } from '../contract/records.ts'
import { openWorkStorage } from '../work-storage.ts'

test('categories of the organization and of several groups in one change are undone together, or none of them', async () => {
  const storage = await openWorkStorage()
  const [userId, one, other, { itemId, portalId }] = [anId(1), anId(100), anId(101), anItem()]
  await addPeople(storage)
  await storage.write(async ({ directory, items }) => {
    await items.addItem(anItem({ categories: ['/A'] }))
    for (const groupId of [one, other]) {
      await directory.addGroup(aGroup({ groupId }))
      await directory.putMember(groupId, { userId, memberType: 'admin', joinedAt: noon })
      await items.putItemLink(itemId, { groupId, givesControl: false })
      await items.putGroupCategories(groupId, [{ itemId, paths: ['/A'] }])
    }
  })
  const caller = { userId, username: 'anna', portalId, role: 'org_user', privileges: new Set<never>() }
  const lists = { from: [], to: ['/A'] }
  const change = { categories: lists, groupCategories: [one, other].map((groupId) => ({ groupId, ...lists })) }
  const entry = {
    entry: 1,
    runId: undefined,
    revertedAt: undefined,
    at: noon,
    username: 'anna',
    operation: 'updateItems',
  }
  const revert = () =>
    storage.write((stores) =>
      // As where several items are undone: what is refused is no reason to take back what is written.
      revertChange(stores, { caller, now: noon, limits: defaultLimits }, { ...entry, itemId, portalId, change }).catch(
        String,
      ),
    )
  const carried = async () => [
    (await storage.items.findItemFor(itemId, userId))?.item.categories,
    ...(await Promise.all(
      [one, other].map(async (id) => (await storage.items.listGroupCategories(id, [itemId])).get(itemId)),
    )),
  ]
  await storage.items.putGroupCategories(other, [{ itemId, paths: [] }])
  expect(await revert()).toContain('Its categories have changed since.')
  expect(await carried()).toEqual([['/A'], ['/A'], []])
  await storage.items.putGroupCategories(other, [{ itemId, paths: ['/A'] }])
  expect(await revert()).toEqual([
    { itemId, portalId, change: expect.objectContaining({ categories: { from: ['/A'], to: [] } }) },
  ])
  expect(await carried()).toEqual([[], [], []])
})
