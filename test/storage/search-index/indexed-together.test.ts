import { describe, expect, test } from 'vitest'
import type { NewItem } from '../../../src/items/store.ts'
import type { Stores } from '../../../src/storage/storage.ts'
import { engine } from '../../support/databases/engine.ts'
import { addPeople, anAuditEntry, anId, anItem } from '../contract/records.ts'
import { openWatched, type Watched } from '../watched-storage.ts'

const items = (count: number) =>
  Array.from({ length: count }, (_, at) => anItem({ itemId: anId(1_000 + at), title: `Lakes ${at}` }))

const adding = (added: readonly NewItem[]) => async (stores: Stores) => {
  for (const item of added) await stores.items.addItem(item)
}

/** How many items have the word. */
async function countFound({ storage }: Watched, word: string): Promise<number> {
  const viewer = {
    userId: anId(1),
    portalId: anItem().portalId,
    canViewOrganizationItems: true,
    canViewEveryItem: true,
  }
  const condition = { kind: 'words', fields: ['title'], words: [word], isPrefix: false } as const
  const plain = { inTitle: undefined, bbox: undefined, sort: [], groupId: undefined, countFields: [], countSize: 0 }
  const { total } = await storage.items.searchItems(viewer, { ...plain, condition }, { start: 1, num: 10 })
  return total
}

describe(engine, () => {
  async function open(): Promise<Watched> {
    const watched = await openWatched()
    await addPeople(watched.storage)
    watched.takeStatements()
    return watched
  }

  const isOfIndex = (statement: string) => /item_(index|words)/.test(statement)

  const isRead = (statement: string) => /^(select|with)/.test(statement)

  test.each([1, 2, 40])('%i items that one write adds are indexed together, and not looked up', async (count) => {
    const { storage, takeStatements } = await open()
    await storage.write(adding(items(count)))
    const statements = takeStatements()
    // SQLite has no round trips.
    expect(statements.filter(isOfIndex).length).toBe(engine === 'SQLite' ? 2 * count : 1)
    // A look at what others add to is a conflict on PostgreSQL.
    expect(statements.filter((statement) => isRead(statement) && / "?item/.test(statement))).toEqual([])
  })

  test.each([1, 2, 40])('%i items that one write changes are looked up together for the index', async (count) => {
    const { storage, takeStatements } = await open()
    const added = items(count)
    await storage.write(adding(added))
    takeStatements()
    await storage.write(async (stores) => {
      for (const item of added) await stores.items.updateItem({ ...item, title: 'Rivers' })
    })
    const [looked, ...written] = takeStatements().filter(isOfIndex)
    expect(looked).toMatch(/^select .*select digest from item_index/s)
    expect(written.length).toBe(engine === 'SQLite' ? 3 * count : 1)
  })

  test('an item is added and removed, or added and changed, in one write', async () => {
    const watched = await open()
    const { storage } = watched
    const [one, other] = items(2)
    await storage.write(async (stores) => {
      await adding([one!, other!])(stores)
      await stores.items.removeItem(one!.itemId)
      await stores.items.updateItem({ ...other!, title: 'Rivers' })
    })
    expect([await countFound(watched, 'lakes'), await countFound(watched, 'rivers')]).toEqual([0, 1])
  })

  test('an item that one write changes several times is indexed once, as it is at the end', async () => {
    const watched = await open()
    const { storage, takeStatements } = watched
    await storage.write(async (stores) => {
      await stores.items.addItem(anItem({ title: 'First' }))
      await stores.items.updateItem(anItem({ title: 'Second' }))
      await stores.items.updateItem(anItem({ title: 'Third' }))
    })
    const written = takeStatements().filter((statement) => isOfIndex(statement) && statement.startsWith('insert'))
    expect(written.length).toBe(engine === 'SQLite' ? 2 : 1)
    expect([await countFound(watched, 'first'), await countFound(watched, 'third')]).toEqual([0, 1])
  })

  test('a change of nothing that is searched for by words leaves the tokens as they are', async () => {
    const watched = await open()
    const { storage, takeStatements } = watched
    await storage.write(adding([anItem()]))
    takeStatements()
    await storage.items.updateItem(anItem({ modifiedAt: 5, properties: '{}' }), 'data')
    expect(takeStatements().filter((statement) => /item_words|tokens/.test(statement))).toEqual([])
    await storage.items.updateItem(anItem({ modifiedAt: 6, title: 'Rivers' }))
    expect(takeStatements().filter((statement) => /item_words|tokens/.test(statement))).not.toEqual([])
    expect(await countFound(watched, 'rivers')).toBe(1)
  })

  test('a write that is undone has nothing indexed, then or later', async () => {
    const { storage, takeStatements } = await open()
    const failing = storage.write(async (stores) => {
      await stores.items.addItem(anItem())
      throw new RangeError('far out')
    })
    await expect(failing).rejects.toThrow('far out')
    expect(takeStatements().filter((statement) => /insert .*item_index/s.test(statement))).toEqual([])
    await storage.audit.add(anAuditEntry())
    expect(takeStatements().filter((statement) => /"items"/.test(statement))).toEqual([])
  })

  test('of writes at one time, one whose item cannot be indexed fails alone', async () => {
    const watched = await open()
    const [one, broken, other] = items(3)
    const writes = [one!, { ...broken!, tags: null as never }, other!].map((item) =>
      watched.storage.write(adding([item])),
    )
    const settled = await Promise.allSettled(writes)
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(await countFound(watched, 'lakes')).toBe(2)
    expect(await watched.storage.read((stores) => stores.items.hasItemId(broken!.itemId))).toBe(false)
  })

  test('of writes at one time, one that fails after it added an item leaves nothing in the index', async () => {
    const watched = await open()
    const [gone, kept] = items(2)
    const failing = watched.storage.write(async (stores) => {
      await stores.items.addItem({ ...gone!, title: 'Rivers' })
      throw new RangeError('far out')
    })
    const settled = await Promise.allSettled([failing, watched.storage.write(adding([kept!]))])
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
    expect([await countFound(watched, 'rivers'), await countFound(watched, 'lakes')]).toEqual([0, 1])
  })
})
