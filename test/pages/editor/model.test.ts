import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fullnessOf } from '../../../pages/src/editor/model/counts.ts'
import { findRanges } from '../../../pages/src/editor/model/folding.ts'
import { type Finding, firstRefused, judgeTrees } from '../../../pages/src/editor/model/judgement.ts'
import { listNodes, makeKeys, readNodes, readPublished, toCategories } from '../../../pages/src/editor/model/node.ts'
import { draftAfter, openTrees } from '../../../pages/src/editor/model/open-draft.ts'
import { readPasted } from '../../../pages/src/editor/model/pasted.ts'
import { findByPath, findPlace, pathOf } from '../../../pages/src/editor/model/places.ts'
import { listRows, searchTrees } from '../../../pages/src/editor/model/rows.ts'
import type { TableChoices } from '../../../pages/src/tables/choose-roles.ts'
import { groupLimits, portalLimits } from '../../../src/categories/limits.ts'
import { type Category, judgeSchema } from '../../../src/categories/schema.ts'
import { fold } from '../../../src/search/folding.ts'

const of = (title: string, ...categories: readonly Category[]): Category => ({ title, categories })
const read = (...categories: readonly Category[]) => readPublished(categories, makeKeys())

describe('judgement', () => {
  const rulesOf = (findings: readonly Finding[] = []) =>
    findings.map(({ rule, found }) => (found === undefined ? rule : `${rule} ${found}`))
  const sentencesOf = (findings: readonly Finding[]) => findings.map(({ sentence }) => sentence)

  test('gives each category the rules of the server that it violates', () => {
    const trees = read(of('Region', of('a,b'), { title: 'x'.repeat(100), description: 'y'.repeat(300) }), of(' '))
    const { isValid, general, verdicts } = judgeTrees(trees, groupLimits)
    expect(isValid).toBe(false)
    expect(general).toEqual([])
    const [, comma, long, blank] = listNodes(trees)
    expect(verdicts.get(comma!.key)?.title).toEqual([
      {
        rule: 'titleReserved',
        found: ',',
        sentence: 'Title at /categorySchema/0/categories/0/title has the reserved character ,.',
      },
    ])
    expect(verdicts.get(long!.key)).toMatchObject({
      title: [{ rule: 'titleLong', found: 100, max: 99 }],
      description: [{ rule: 'descriptionLong', found: 300, max: 299 }],
      others: [],
      unseen: [],
    })
    expect(rulesOf(verdicts.get(blank!.key)?.title)).toEqual(['titleBlank'])
    expect(verdicts.size).toBe(3)
    expect(firstRefused(trees, judgeTrees(trees, groupLimits))).toBe(comma)
  })

  test('gives a text of a wrong type to its field, and what a category lacks to the category', () => {
    const trees = readNodes(JSON.parse('[{"title":"A","categories":[{"title":7},{"description":"d"}]}]'), makeKeys())
    const { verdicts } = judgeTrees(trees, groupLimits)
    const [, wrong, untitled] = listNodes(trees)
    expect(rulesOf(verdicts.get(wrong!.key)?.title)).toEqual(['form'])
    expect(rulesOf(verdicts.get(untitled!.key)?.others)).toEqual(['form'])
  })

  test('warns of characters in a title that are not seen, and refuses nothing for them', () => {
    const trees = read(of('Wa\u200bter', of('\u3164Roads')), of('👩\u200d🔬'))
    const { isValid, verdicts, refused } = judgeTrees(trees, groupLimits)
    const [water, filler] = listNodes(trees)
    expect([...verdicts].map(([key, { unseen }]) => [key, unseen])).toEqual([
      [water!.key, ['U+200B']],
      [filler!.key, ['U+3164']],
    ])
    expect([isValid, refused.size]).toEqual([true, 0])
  })

  test('knows the limits of the owner', () => {
    const trees = read(of('x'.repeat(100)))
    expect(judgeTrees(trees, portalLimits).isValid).toBe(true)
    expect(judgeTrees(trees, groupLimits).isValid).toBe(false)
  })

  test('says of the whole what is no category', () => {
    expect(rulesOf(judgeTrees([], portalLimits).general)).toEqual(['trees 0'])
    expect(rulesOf(judgeTrees(read(...'ABCDEF'.split('').map((title) => of(title))), portalLimits).general)).toEqual([
      'trees 6',
    ])
    const deep = read(of('1', of('2', of('3', of('4', of('5'))))))
    const [, , , , fifth] = listNodes(deep)
    expect(rulesOf(judgeTrees(deep, portalLimits).verdicts.get(fifth!.key)?.others)).toEqual(['levels 5'])
    const many = read(of('Region', ...Array.from({ length: 200 }, (_, n) => of(String(n)))))
    expect(judgeTrees(many, portalLimits).general).toMatchObject([{ rule: 'categories', found: 201, max: 200 }])
  })

  test('warns of categories with the same path, and of them only', () => {
    const trees = read(of('A', of('B'), of('B'), of('C')), of('B'))
    const { isValid, verdicts, refused } = judgeTrees(trees, portalLimits)
    expect(isValid).toBe(true)
    expect(refused.size).toBe(0)
    const [, b, twin] = listNodes(trees)
    expect([...verdicts.keys()]).toEqual([b!.key, twin!.key])
    expect(rulesOf(verdicts.get(b!.key)?.others)).toEqual(['twins 2'])
  })

  test('agrees with the server on every schema, and leaves no sentence without a place that it names', () => {
    const text = fc.oneof(fc.constantFrom('', ' ', 'a,b', 'a/b', 'x'.repeat(101)), fc.string({ maxLength: 3 }))
    const leaf = fc.record({ title: text, description: text }, { requiredKeys: ['title'] })
    const branch = (below: fc.Arbitrary<Category>) =>
      fc.record({ title: text, categories: fc.array(below, { maxLength: 2 }) })
    const schema = fc.array(branch(branch(branch(branch(leaf)))), { maxLength: 6 })
    fc.assert(
      fc.property(schema, (categories) => {
        const trees = readNodes(categories, makeKeys())
        const verdict = judgeSchema(JSON.stringify({ categorySchema: toCategories(trees) }), portalLimits)
        const { isValid, general, verdicts } = judgeTrees(trees, portalLimits)
        expect(isValid).toBe('document' in verdict)
        if ('document' in verdict) return
        const places = [...verdicts.values()].flatMap(({ title, description, others }) => [
          ...title,
          ...description,
          ...others,
        ])
        const sentences = sentencesOf(general)
        const told = new Set([...sentences, ...sentencesOf(places)])
        for (const sentence of verdict.violations) expect(told).toContain(sentence)
        for (const sentence of sentences) expect(sentence).not.toMatch(/\/categorySchema\/\d/)
      }),
    )
  })
})

describe('counters', () => {
  test.each([
    [3, 5, 'free'],
    [3, 4, 'free'],
    [4, 4, 'full'],
    [4, 5, 'near'],
    [5, 5, 'full'],
    [6, 5, 'over'],
    [179, 200, 'free'],
    [180, 200, 'near'],
    [200, 200, 'full'],
    [201, 200, 'over'],
  ] as const)('%i of %i is %s', (used, max, fullness) => {
    expect(fullnessOf(used, max)).toBe(fullness)
  })
})

describe('rows', () => {
  const trees = read(of('Region', of('Europe', of('España')), of('Africa')), of('Theme'))
  const key = (title: string) => listNodes(trees).find((node) => node.title === title)!.key

  test('are those of open categories, with their places', () => {
    const rows = listRows(trees, new Set([key('Europe')]))
    expect(rows.map(({ node, level, position, of, isOpen }) => [node.title, level, position, of, isOpen])).toEqual([
      ['Region', 1, 1, 2, true],
      ['Europe', 2, 1, 2, false],
      ['Africa', 2, 2, 2, undefined],
      ['Theme', 1, 2, 2, undefined],
    ])
  })

  test('of a search are what it has found and what is above, also below closed ones', () => {
    const found = searchTrees(trees, ' ESPAN ')!
    expect(found.matches).toEqual([key('España')])
    expect(listRows(trees, new Set([key('Region')]), found).map(({ node }) => node.title)).toEqual([
      'Region',
      'Europe',
      'España',
    ])
    expect(searchTrees(trees, ' ')).toBeUndefined()
    expect(searchTrees(trees, 'none')?.shown.size).toBe(0)
  })

  test('are found by their paths, which deep links have', () => {
    const place = findPlace(trees, key('España'))!
    expect(pathOf(place)).toBe('/Region/Europe/España')
    expect(findByPath(trees, '/Region/Europe/España')).toBe(place.node)
    expect(findByPath(trees, '/Region/None')).toBeUndefined()
  })
})

describe('searched words', () => {
  test('are found without case and accents, and marked as they are written', () => {
    const marked = (text: string, searched: string) =>
      findRanges(text, searched).map(({ start, end }) => text.slice(start, end))
    expect(marked('Île-de-France et îles', 'ile')).toEqual(['Île', 'île'])
    expect(marked('Cafe\u0301 cafe', 'CAFE')).toEqual(['Cafe\u0301', 'cafe'])
    expect(marked('ﬁsh', 'fi')).toEqual(['ﬁ'])
    expect(marked('ﬁsh', 'f')).toEqual(['ﬁ'])
    expect(marked('a', '')).toEqual([])
    expect(marked('ΟΔΟΣ, οδός', 'οδός')).toEqual(['ΟΔΟΣ', 'οδός'])
  })

  test('of any text are where the same words are', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'A', 'á', '\u0301', 'b', '😀', 'ß', 'ﬁ', 'İ') })
    fc.assert(
      fc.property(text, text, (given, searched) => {
        const ranges = findRanges(given, searched)
        expect(ranges.length > 0).toBe(
          searched.trim() !== '' && fold(searched) !== '' && fold(given).includes(fold(searched)),
        )
        let end = 0
        for (const range of ranges) {
          expect(range.start).toBeGreaterThanOrEqual(end)
          expect(range.end).toBeGreaterThan(range.start)
          expect(fold(given.slice(range.start, range.end))).toContain(fold(searched))
          end = range.end
        }
      }),
      { numRuns: 500 },
    )
  })
})

describe('a draft', () => {
  const published = { categorySchema: [of('A', of('B'))], version: 3 }

  test('begins with the first change, keeps when it began and what it is based on, and ends where nothing differs', () => {
    const trees = openTrees(published, undefined, makeKeys())
    expect(draftAfter(trees, published, undefined, 1)).toBeUndefined()
    const renamed = [{ ...trees[0]!, title: 'Z' }]
    const draft = draftAfter(renamed, published, undefined, 10)!
    expect(draft).toMatchObject({ baseVersion: 3, began: 10, saved: 10, origins: ['/A', '/A/B'] })
    expect(draftAfter(renamed, published, draft, 20)).toMatchObject({ began: 10, saved: 20 })
    expect(draftAfter(trees, published, draft, 30)).toBeUndefined()
  })

  test('stays based on its version when another one has been published since', () => {
    const trees = openTrees(published, undefined, makeKeys())
    const draft = draftAfter([{ ...trees[0]!, title: 'Z' }], published, undefined, 10)!
    expect(draftAfter(trees, { ...published, version: 4 }, draft, 20)).toMatchObject({ baseVersion: 3 })
  })

  test('is opened as it was left, origins too', () => {
    const trees = openTrees(published, undefined, makeKeys())
    const draft = draftAfter([...trees[0]!.below, { ...trees[0]!, below: [] }], published, undefined, 10)!
    const opened = openTrees(published, draft, makeKeys('d'))
    expect(listNodes(opened).map(({ title, origin }) => [title, origin])).toEqual([
      ['B', '/A/B'],
      ['A', '/A'],
    ])
    expect(draftAfter(opened, published, draft, 10)).toEqual(draft)
  })

  test('keeps the comment, and the moves whose targets are still there', () => {
    const trees = openTrees(published, undefined, makeKeys())
    const renamed = [{ ...trees[0]!, title: 'Z' }]
    const moves = [
      { from: '/A', to: '/Z' },
      { from: '/A/B', to: '/gone' },
    ]
    const before = { ...draftAfter(renamed, published, undefined, 10)!, moves, comment: 'Why' }
    expect(draftAfter(renamed, published, before, 20)).toMatchObject({ moves: [moves[0]], comment: 'Why' })
  })
})

describe('a pasted text', () => {
  const shown = (text: string, choices?: TableChoices) => {
    const pasted = readPasted(text, portalLimits, choices)
    return 'problems' in pasted ? pasted.problems : pasted.categories
  }

  test.each([
    ['an indented list', 'Region\n  Europe\n  Africa\nTheme'],
    ['one with tabs', 'Region\n\tEurope\n\tAfrica\nTheme'],
    ['cells of a spreadsheet', 'Region\t\n\tEurope\n\tAfrica\nTheme\t\n'],
    ['CSV with a header', 'level1,level2\nRegion,Europe\nRegion,Africa\nTheme,\n'],
    ['paths', '/Region\n/Region/Europe\n/Region/Africa\n/Theme'],
    [
      'JSON',
      '{"categorySchema":[{"title":"Region","categories":[{"title":"Europe"},{"title":"Africa"}]},{"title":"Theme"}]}',
    ],
  ])('is read: %s', (_, text) => {
    expect(shown(text)).toEqual([
      { title: 'Region', categories: [{ title: 'Europe' }, { title: 'Africa' }] },
      { title: 'Theme' },
    ])
  })

  test('of a list may have any sign in its lines', () => {
    expect(shown('Roads; paths\n  Cars', { layout: 'indented' })).toEqual([
      { title: 'Roads; paths', categories: [{ title: 'Cars' }] },
    ])
  })

  test('has a note for each row that was not taken as it is, and a problem for each that cannot be read', () => {
    expect(readPasted('title,parent,colour\nA,,red\nB,A,blue', portalLimits)).toMatchObject({
      rows: 2,
      notes: [{ row: 1, message: 'The column colour is not used.' }],
    })
    expect(shown('A\n    B\n  C')).toEqual(['Row 3 is indented like no row above it.'])
    expect(shown('{"a":1}')).toEqual(['The document has no array categorySchema.'])
  })
})
