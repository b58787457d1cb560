import { describe, expect, test } from 'vitest'
import { type ItemWish, parseItemQuery } from '../../../src/items/search/item-query.ts'
import type { ItemCondition } from '../../../src/items/search/item-search.ts'
import { allOf, anyOf, negationOf } from '../../../src/search/condition.ts'

const nothing: ItemWish = {
  q: undefined,
  filter: undefined,
  bbox: undefined,
  categories: [],
  categoryFilters: [],
  uncategorized: false,
  sortFields: undefined,
  sortOrder: 'asc',
  countFields: [],
  countSize: 10,
}

function conditionOf(given: Partial<ItemWish>): ItemCondition {
  const parsed = parseItemQuery({ ...nothing, ...given }, 'portal')
  if ('problems' in parsed) throw new Error(parsed.problems.join(' '))
  return parsed.value.condition
}

function problemsOf(given: Partial<ItemWish>): readonly string[] {
  const parsed = parseItemQuery({ ...nothing, ...given }, 'portal')
  return 'problems' in parsed ? parsed.problems : []
}

type Leaf<Kind> = Extract<ItemCondition, { kind: Kind }>
const allTexts = ['title', 'tags', 'snippet', 'description', 'type', 'typekeywords'] as const

function words(fields: Leaf<'words'>['fields'], ...given: string[]): ItemCondition {
  const isPrefix = given.at(-1)!.endsWith('*')
  return { kind: 'words', fields, words: given.map((word) => word.replace('*', '')), isPrefix }
}

const key = (field: Leaf<'key'>['field'], value: string, isPrefix = false): ItemCondition => {
  return { kind: 'key', field, value, isPrefix }
}
const category = (path: string): ItemCondition => ({ kind: 'category', holder: 'portal', path })
const title = (folded: string): ItemCondition => ({ kind: 'categoryTitle', holder: 'portal', title: folded })
const categorized: ItemCondition = { kind: 'categorized', holder: 'portal' }
const id = 'b2'.repeat(16)

describe('q', () => {
  test.each<[string, ItemCondition]>([
    ['lakes', words(allTexts, 'lakes')],
    [id, anyOf([words(allTexts, id), key('id', id)])],
    ['tag:"a b"', words(['tags'], 'a', 'b')],
    ['type:"Web Map"', key('type', 'web map')],
    ['type:Map', words(['type'], 'map')],
    ['typekeywords:slug|a-b', key('typekeywords', 'slug|a-b')],
    ['typekeywords:Ready*', key('typekeywords', 'ready', true)],
    ['typekeywords:?eady*', { kind: 'pattern', field: 'typekeywords', pattern: '?eady*' }],
    [`group:${id}`, key('group', id)],
    ['accountid:AbC', key('orgid', 'abc')],
    ['access:PUBLIC', key('access', 'public')],
    ['uploaded:[0000001 TO 2]', { kind: 'range', field: 'created', min: 1, max: 2 }],
    ['categories:"/Categories/Water/"', category('/categories/water')],
    ['categories:Water', title('water')],
    ['categories:*', categorized],
    ['-categories:*', negationOf(categorized)],
    ['categories:/ a', words(allTexts, 'a')],
    ['culture:EN', anyOf([key('culture', 'en'), key('culture', 'en-', true)])],
    ['culture:en-US', key('culture', 'en-us')],
    ['itemtype:url', key('itemtype', 'url')],
    ['numviews:0', { kind: 'all' }],
    ['avgrating:[0.5 TO *]', { kind: 'none' }],
    ['numcomments:{-1 TO 1}', { kind: 'all' }],
    ['contentstatus:anything', { kind: 'none' }],
    ['(a) AND (-type:"Code Attachment")', allOf([words(allTexts, 'a'), negationOf(key('type', 'code attachment'))])],
  ])('%j', (q, expected) => {
    expect(conditionOf({ q })).toEqual(expected)
  })

  test.each<[string, string]>([
    [
      'type:ma*',
      'q: type at character 1 has no wildcards: give the whole value, in quotation marks if it has a * or ?.',
    ],
    [
      'group:a*',
      'q: group at character 1 has no wildcards: give the whole value, in quotation marks if it has a * or ?.',
    ],
    [
      'categories:wat*',
      'q: categories at character 1 has neither ranges nor wildcards, but for * alone: give a path or a title.',
    ],
    [
      'categories:[a TO b]',
      'q: categories at character 1 has neither ranges nor wildcards, but for * alone: give a path or a title.',
    ],
    ['numviews:many', 'q: numviews at character 1 has numbers; give one, or a range of two.'],
    ['type:[a TO b]', 'q: type at character 1 has no ranges.'],
  ])('%j is refused', (q, problem) => {
    expect(problemsOf({ q })).toEqual([problem])
  })
})

test.each<[string, ItemCondition]>([
  [
    'title:"a" OR title:"b" and created: [1 TO 2]',
    anyOf([key('title', 'a'), allOf([key('title', 'b'), { kind: 'range', field: 'created', min: 1, max: 2 }])]),
  ],
  ['type:map', key('type', 'map')],
  ['typekeywords:"Ready To Use"', key('typekeywords', 'ready to use')],
  ['tags:wat*', key('tags', 'wat', true)],
])('filter %j', (filter, expected) => {
  expect(conditionOf({ filter })).toEqual(expected)
})

describe('categories', () => {
  test('lists hold by one of their entries, and all of them hold', () => {
    expect(conditionOf({ categories: [['/A/B', 'Water'], ['/Ç']] })).toEqual(
      allOf([anyOf([category('/a/b'), title('water')]), category('/c')]),
    )
  })

  test('filters are words of titles', () => {
    expect(conditionOf({ categoryFilters: [['Land-Use', 'water'], ['--']] })).toEqual({ kind: 'none' })
    expect(conditionOf({ categoryFilters: [['Land-Use', 'water']] })).toEqual(
      anyOf<never>([
        { kind: 'categoryWords', holder: 'portal', words: ['land', 'use'] },
        { kind: 'categoryWords', holder: 'portal', words: ['water'] },
      ] as never),
    )
  })

  test('of a group are those of the search of that group, but for q', () => {
    const parsed = parseItemQuery(
      { ...nothing, q: 'categories:Water', categories: [['/A']], uncategorized: true },
      { groupId: id },
    )
    expect(parsed).toMatchObject({
      value: {
        condition: allOf<never>([
          title('water'),
          { kind: 'category', holder: { groupId: id }, path: '/a' },
          negationOf<never>({ kind: 'categorized', holder: { groupId: id } } as never),
        ] as never),
      },
    })
  })

  test('and filters are refused together, beside what is wrong with q', () => {
    expect(problemsOf({ q: '(', categories: [['/A']], categoryFilters: [['a']] })).toEqual([
      'q: the bracket at character 1 is not closed.',
      'categoryFilters: cannot be given together with categories.',
    ])
  })
})

describe('the order', () => {
  const sortOf = (given: Partial<ItemWish>) => {
    const parsed = parseItemQuery({ ...nothing, ...given }, 'portal')
    return 'value' in parsed ? { sort: parsed.value.sort, inTitle: parsed.value.inTitle } : parsed
  }
  const best = { field: 'relevance', order: 'desc' }
  const latest = { field: 'modified', order: 'desc' }

  test.each<[string, Partial<ItemWish>, unknown, unknown]>([
    ['without words', { q: 'type:map' }, [latest], undefined],
    ['without anything', {}, [latest], undefined],
    ['with words', { q: 'lakes type:map' }, [best], allOf([words(['title'], 'lakes'), words(['type'], 'map')])],
    ['with words that mean nothing', { q: '"--"' }, [latest], undefined],
    [
      'as wished',
      { q: 'a', sortFields: ['title', 'created'], sortOrder: 'desc' },
      [
        { field: 'title', order: 'desc' },
        { field: 'created', order: 'desc' },
      ],
      words(['title'], 'a'),
    ],
    ['by relevance', { sortFields: ['relevance'] }, [best], undefined],
    ['by what is 0', { sortFields: [] }, [], undefined],
  ])('%s', (_, given, sort, inTitle) => {
    expect(sortOf(given)).toEqual({ sort, inTitle })
  })
})
