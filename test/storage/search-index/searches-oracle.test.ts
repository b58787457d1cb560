import { describe, expect, test } from 'vitest'
import type { ItemSearch } from '../../../src/items/search/item-search.ts'
import { seededRandom } from '../../support/inputs/seeded-random.ts'
import { countOf, timeoutOf } from '../../support/length.ts'
import { type ItemInMemory, searchNaively } from '../../support/search/naive-search.ts'
import { addDrawn, addWorld, Draw, drawItem, viewers } from '../../support/search/random-items.ts'
import { drawSearch } from '../../support/search/random-searches.ts'
import { searchedStorages } from './searched-storages.ts'

const searches = countOf({ sample: 400, long: 20_000 })
const itemsOfWorld = 500

describe.each(Object.entries(searchedStorages))('%s', (_, open) => {
  test(
    'any search finds what looking at every item finds, for every viewer, with the same pages and counts',
    async () => {
      const { storage, search: find } = await open()
      const draw = new Draw(seededRandom(2026))
      const items: ItemInMemory[] = []
      const members = await storage.write((stores) => addWorld(stores, draw))
      // One at a time, so that no transaction is long.
      while (items.length < itemsOfWorld)
        items.push(await storage.write((stores) => addDrawn(stores, draw, items.length)))
      let matches = 0
      for (let number = 0; number < searches; number += 1) {
        const { search, page } = drawSearch(draw, items)
        const viewer = viewers[number % viewers.length]!
        const found = await find(viewer, search, page)
        const answer = {
          total: found.total,
          ids: found.entries.map(({ item }) => item.itemId),
          counts: found.counts,
        }
        expect({ number, viewer, search, page, answer }).toEqual({
          number,
          viewer,
          search,
          page,
          answer: searchNaively(items, members, viewer, search, page),
        })
        if (found.total > 0) matches += 1
      }
      // Searches that find nothing prove little.
      expect(matches).toBeGreaterThan(searches / 3)
    },
    timeoutOf(searches, 100),
  )

  test('a tag that is longer than an item may have is not counted, and keeps no other from being', async () => {
    const { storage, search } = await open()
    const draw = new Draw(seededRandom(1))
    await storage.write((stores) => addWorld(stores, draw))
    const longest = '水'.repeat(128)
    const tags = ['lake', longest, '水'.repeat(129), 'x'.repeat(900_000)]
    await storage.items.addItem({ ...drawItem(draw, 1), level: 'public', tags })
    const asked = { ...drawSearch(draw, []).search, condition: { kind: 'all' }, bbox: undefined, groupId: undefined }
    const counting = { ...asked, inTitle: undefined, countFields: ['tags'], countSize: 9 } as const
    const { counts } = await search(viewers[0]!, counting as ItemSearch, { start: 1, num: 0 })
    expect(counts[0]!.values).toEqual(['lake', longest].map((value) => ({ value, count: 1 })))
  })
})
