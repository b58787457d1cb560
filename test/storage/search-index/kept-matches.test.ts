import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { itemTexts } from '../../../src/items/search/item-search.ts'
import { openKysely } from '../../../src/storage/sqlite/dialect.ts'
import { toBits } from '../../../src/storage/stores/items/columns/bitmaps.ts'
import { FirstItems } from '../../../src/storage/stores/items/columns/first-items.ts'
import { ItemColumnCache } from '../../../src/storage/stores/items/columns/item-column-cache.ts'
import { KeptMatches } from '../../../src/storage/stores/items/columns/kept-matches.ts'
import { openStores } from '../../../src/storage/stores.ts'
import { seededRandom } from '../../support/inputs/seeded-random.ts'
import { addWorld, Draw, drawItem, viewers } from '../../support/search/random-items.ts'
import { preparedFile } from '../sqlite/temporary-file.ts'
import { openWorkFile } from '../work-storage.ts'

const administrator = viewers.find((viewer) => viewer.canViewEveryItem)!
const anonymous = viewers.find(({ userId }) => userId === undefined)!
const word = {
  kind: 'words',
  fields: Object.keys(itemTexts) as (keyof typeof itemTexts)[],
  words: ['moraine'],
  isPrefix: false,
} as const
const search = {
  inTitle: undefined,
  bbox: undefined,
  sort: [],
  groupId: undefined,
  countFields: [],
  countSize: 0,
} as const

/** Items, three of four with a word, and the questions that searches for it send to the index. */
async function openSearched() {
  const file = await preparedFile()
  const storage = await openWorkFile(file)
  const draw = new Draw(seededRandom(41))
  await storage.write((stores) => addWorld(stores, draw))
  const add = async (number: number) => {
    const item = {
      ...drawItem(draw, number),
      level: 'public',
      snippet: number % 4 === 0 ? 'scree' : 'moraine',
    } as const
    await storage.items.addItem(item)
    return item
  }
  for (let number = 0; number < 40; number += 1) await add(number)
  const asked: string[] = []
  const connection = new Database(file, { verbose: (statement) => asked.push(String(statement)) })
  onTestFinished(async () => {
    connection.close()
    await storage.close()
  })
  const db = openKysely(connection)
  const columns = new ItemColumnCache()
  while (await columns.readPart(db));
  const { items } = openStores(db, { columns })
  const count = async (
    viewer = administrator,
    condition: Parameters<typeof items.searchItems>[1]['condition'] = word,
  ) => {
    asked.length = 0
    const { total } = await items.searchItems(viewer, { ...search, condition }, { start: 1, num: 0 })
    const ofIndex = asked.filter((statement) => statement.includes('item_words match'))
    return {
      total,
      read: ofIndex.filter((one) => !one.includes('json_each')).length,
      looked: ofIndex.filter((one) => one.includes('json_each')).length,
    }
  }
  return { storage, add, count }
}

test('a frequent word is read from the index once; then only items that have changed are looked up', async () => {
  const { storage, add, count } = await openSearched()
  expect(await count()).toEqual({ total: 30, read: 1, looked: 0 })
  expect(await count()).toEqual({ total: 30, read: 0, looked: 0 })
  const item = await add(41)
  await add(44)
  expect(await count()).toEqual({ total: 31, read: 0, looked: 1 })
  await storage.items.updateItem({
    ...(await storage.items.findItemFor(item.itemId, undefined))!.item,
    snippet: 'scree',
  })
  expect(await count()).toEqual({ total: 30, read: 0, looked: 1 })
  expect(await count()).toEqual({ total: 30, read: 0, looked: 0 })
  await storage.items.updateItem({
    ...(await storage.items.findItemFor(item.itemId, undefined))!.item,
    snippet: 'moraine',
  })
  await storage.items.removeItem(item.itemId)
  expect(await count()).toEqual({ total: 30, read: 0, looked: 1 })
  const other = { kind: 'not', of: word } as const
  expect([await count(administrator, other), await count(administrator, other)]).toMatchObject([
    { total: 11, read: 1 },
    { total: 11, read: 0 },
  ])
})

test('of a query with several parts, each is kept by what it matches alone', async () => {
  const { count } = await openSearched()
  const tagged = { kind: 'key', field: 'access', value: 'public', isPrefix: false } as const
  const scree = { ...word, words: ['scree'] } as const
  const without = { kind: 'and', of: [tagged, { kind: 'not', of: word }] } as const
  expect(await count(administrator, without)).toMatchObject({ total: 10, read: 2 })
  expect(await count(administrator, tagged)).toMatchObject({ total: 40, read: 0 })
  expect(await count(administrator, { kind: 'and', of: [tagged, scree] })).toMatchObject({ total: 10, read: 1 })
  expect(await count(administrator, scree)).toMatchObject({ total: 10, read: 0 })
  expect(await count(administrator, { kind: 'and', of: [word, scree] })).toMatchObject({ total: 0 })
})

test('an anonymous search is always by the index, and nothing is kept of it: its time says nothing of hidden items', async () => {
  const { count } = await openSearched()
  for (const viewer of [anonymous, anonymous, administrator, anonymous, anonymous]) {
    expect(await count(viewer)).toEqual({ total: 30, read: 1, looked: 0 })
  }
})

test('matches that were not used for longest are forgotten, and after many changes all are read again', async () => {
  const kept = new KeptMatches()
  const [matching, length] = [Uint32Array.from({ length: 10_000 }, (_, at) => at * 100), 1_000_000]
  const changed: (readonly number[] | undefined)[] = []
  const read = async (_: string, among?: readonly number[]) => {
    changed.push(among)
    return new Uint32Array()
  }
  for (let part = 0; part < 300; part += 1) {
    kept.keep(`"${part}"`, matching, length)
    await kept.find('"0"', read)
  }
  expect(await kept.find('"0"', read)).toEqual(toBits(matching, length))
  expect(await kept.find('"1"', read)).toBeUndefined()
  expect(await kept.find('"299"', read)).toEqual(toBits(matching, length))
  kept.change([100, 2_000_000])
  const without = toBits(
    matching.filter((number) => number !== 100),
    length,
  )
  expect((await kept.find('"0"', read))!.subarray(0, without.length)).toEqual(without)
  expect(changed).toEqual([[100, 2_000_000]])
  kept.change(Array.from({ length: 200 }, () => 1))
  expect(await kept.find('"299"', read)).toBeUndefined()
})

test.each([
  { keys: 'different', range: 1e9 },
  { keys: 'mostly equal', range: 3 },
  { keys: 'all equal', range: 1 },
])('of $keys keys, the first items are those of sorting, with all that have the last key', ({ range }) => {
  const random = seededRandom(8)
  for (let length = 0; length < 200; length += 7) {
    const keys = Float64Array.from({ length }, () => Math.floor(random() * range))
    for (const max of [1, 5, 20]) {
      const first = new FirstItems(max)
      for (const [at, key] of keys.entries()) first.add(key, at)
      const last = keys.toSorted()[Math.min(max, length) - 1] ?? 0
      const expected = [...keys.keys()].filter((at) => keys[at]! <= last)
      const found = [...first.numbers].filter((_, at) => first.keys[at]! <= last)
      expect({ length, max, found }).toEqual({ length, max, found: expected })
      expect([...first.keys]).toEqual(Array.from(first.numbers, (number) => keys[number]))
    }
  }
})
