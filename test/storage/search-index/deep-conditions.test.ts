import { describe, expect, test } from 'vitest'
import type { ItemCondition } from '../../../src/items/search/item-search.ts'
import { engine } from '../../support/databases/engine.ts'
import { seededRandom } from '../../support/inputs/seeded-random.ts'
import { type ItemInMemory, searchNaively } from '../../support/search/naive-search.ts'
import { addDrawn, addWorld, Draw, viewers } from '../../support/search/random-items.ts'
import { openWorkStorage } from '../work-storage.ts'

const word = (text: string): ItemCondition => ({
  kind: 'words',
  fields: ['title', 'tags'],
  words: [text],
  isPrefix: false,
})
const words = ['lakes', 'lake', 'river', 'land', 'data'].map(word)

/** As deep as a query may be, the deep part first or last, with every third level negated or none. */
function nested(levels: number, isFirst: boolean, isNegated: boolean): ItemCondition {
  const deeper: ItemCondition = levels === 0 ? words[0]! : nested(levels - 1, isFirst, isNegated)
  const part: ItemCondition = isNegated && levels % 3 === 0 ? { kind: 'not', of: deeper } : deeper
  const other = words[levels % words.length]!
  return { kind: levels % 2 === 0 ? 'and' : 'or', of: isFirst ? [part, other] : [other, part] }
}

/** Both sides deep, as far as there are terms. */
function balanced(levels: number): ItemCondition {
  if (levels === 0) return words[0]!
  const side = balanced(levels - 1)
  return { kind: levels % 2 === 0 ? 'and' : 'or', of: [side, { kind: 'not', of: side }, words[levels % words.length]!] }
}

const conditions: readonly (readonly [string, ItemCondition])[] = [
  ['deep at the left', nested(32, true, false)],
  ['deep at the right', nested(32, false, false)],
  ['deep at the left with negations', nested(32, true, true)],
  ['deep at the right with negations', nested(32, false, true)],
  ['deep at both sides', balanced(8)],
  ['one of 1,024 words', { kind: 'or', of: Array.from({ length: 1_024 }, (_, at) => word(`no${at}`)) }],
  [
    'none of 1,024 words',
    { kind: 'not', of: { kind: 'or', of: Array.from({ length: 1_024 }, (_, at) => word(`no${at}`)) } },
  ],
  ['all of 1,024 words', { kind: 'and', of: Array.from({ length: 1_024 }, (_, at) => word(`no${at}`)) }],
]

describe(engine, () => {
  test('conditions as deep and as long as a query may be are answered', async () => {
    const storage = await openWorkStorage()
    const draw = new Draw(seededRandom(7))
    const items: ItemInMemory[] = []
    const members = await storage.write((stores) => addWorld(stores, draw))
    while (items.length < 20) items.push(await storage.write((stores) => addDrawn(stores, draw, items.length)))
    const viewer = viewers.at(-1)!
    const page = { start: 1, num: 100 }
    for (const [name, condition] of conditions) {
      const search = {
        condition,
        inTitle: condition,
        bbox: undefined,
        sort: [{ field: 'relevance', order: 'asc' }],
        groupId: undefined,
        countFields: [],
        countSize: 0,
      } as const
      const expected = searchNaively(items, members, viewer, search, page)
      const { total, entries } = await storage.items.searchItems(viewer, search, page)
      expect([name, total, entries.map(({ item }) => item.itemId)]).toEqual([name, expected.total, expected.ids])
    }
  })
})
