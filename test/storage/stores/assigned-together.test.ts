import { describe, expect, test } from 'vitest'
import type { Call } from '../../../src/call/call.ts'
import { updateGroupItems, updateItems } from '../../../src/items/categories/category-operations.ts'
import type { ItemStores } from '../../../src/items/store.ts'
import { engine } from '../../support/databases/engine.ts'
import { addPeople, aGroup, anId, anItem, noon } from '../contract/records.ts'
import { openWatched } from '../watched-storage.ts'

const groupId = anId(100)
const itemIds = Array.from({ length: 40 }, (_, at) => anId(1_000 + at))
const { portalId, ownerId: userId } = anItem()
const caller = { userId, username: 'anna', portalId, role: 'org_admin', privileges: new Set<never>() }
const call = { caller, now: noon + 1, limits: {} } as unknown as Call
const schema = JSON.stringify({ categorySchema: [{ title: 'A', categories: [{ title: 'B' }, { title: 'C' }] }] })

/** The operation that gives each of the items one category. */
const operations = {
  updateItems: (stores: ItemStores, ids: readonly string[], path: string) =>
    updateItems(stores, call, { assignments: { value: ids.map((itemId) => ({ itemId, paths: [path] })) } }),
  updateGroupItems: (stores: ItemStores, ids: readonly string[], path: string) =>
    updateGroupItems(stores, call, {
      groupId,
      assignments: { value: ids.map((itemId) => ({ itemId, paths: [path] })) },
    }),
}

describe(engine, () => {
  async function open() {
    const watched = await openWatched()
    const { storage } = watched
    await addPeople(storage)
    await storage.write(async ({ directory, categories, items }) => {
      await directory.addGroup(aGroup({ groupId, ownerId: userId }))
      await directory.putMember(groupId, { userId, memberType: 'owner', joinedAt: noon })
      await categories.putDocument({ kind: 'portal', portalId }, schema, 'anna', noon)
      await categories.putDocument({ kind: 'group', groupId }, schema, 'anna', noon)
      for (const itemId of itemIds) {
        await items.addItem(anItem({ itemId, ownerId: userId, categories: ['/A/B'] }))
        await items.putItemLink(itemId, { groupId, givesControl: false })
      }
      await items.putGroupCategories(
        groupId,
        itemIds.map((itemId) => ({ itemId, paths: ['/A/B'] })),
      )
    })
    watched.takeStatements()
    return watched
  }

  test.each(Object.entries(operations))('%s sends as many statements for 40 items as for one', async (_, update) => {
    const { storage, takeStatements } = await open()
    const run = async (ids: readonly string[], path: string) => {
      const { outcomes } = await storage.write((stores) => update(stores, ids, path))
      expect(outcomes.filter(({ failure }) => failure)).toEqual([])
      const sent = takeStatements().filter((statement) => /item|categor/.test(statement))
      // SQLite has no round trips: there, each row of the index is written by itself.
      return sent.filter(
        (statement) => !(engine === 'SQLite' && /^(insert|delete).* "?item_(index|words)/s.test(statement)),
      )
    }
    // The first gives the category its number.
    await run(itemIds.slice(0, 1), '/A/C')
    const one = await run(itemIds.slice(1, 2), '/A/C')
    const all = await run(itemIds.slice(2), '/A/C')
    expect(one.length).toBeGreaterThan(5)
    expect(all.length).toBe(one.length)
    expect(all.some((statement) => statement.includes('item_categories'))).toBe(true)
  })

  test('what changes nothing of the categories of an item writes none', async () => {
    const { storage, takeStatements } = await open()
    await storage.write((stores) => operations.updateItems(stores, itemIds, '/A/B'))
    expect(
      takeStatements().filter((statement) => /^(insert into|delete from) "?item_(categories|words)/.test(statement)),
    ).toEqual([])
  })
})
