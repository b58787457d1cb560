import { expect, test } from 'vitest'
import { diffSchemas } from '../../../src/categories/diff/diff.ts'
import { formatDiff } from '../../../src/categories/diff/format-diff.ts'
import type { Move } from '../../../src/categories/moves.ts'
import type { Category } from '../../../src/categories/schema.ts'

function category(title: string, ...categories: Category[]): Category {
  return { title, categories }
}

function diff(before: Category[], after: Category[], moves: readonly Move[] = []) {
  return diffSchemas({ categorySchema: before }, { categorySchema: after }, moves)
}

/** The text of a diff without its sums. */
function linesOf(before: Category[], after: Category[], moves: readonly Move[] = []): readonly string[] {
  return formatDiff(diff(before, after, moves))
    .split('\n')
    .slice(0, -2)
}

const [a, b, c] = [category('A'), category('B'), category('C')]

test.each<{ what: string; before: Category[]; after: Category[]; moves?: Move[]; lines: string[] }>([
  {
    what: 'a swap',
    before: [category('A', c), b],
    after: [a, category('B', c)],
    moves: [
      { from: '/A', to: '/B' },
      { from: '/B', to: '/A' },
    ],
    lines: ['> rename /B to /A', '> rename /A to /B (2 categories)', '^ reorder /B from position 1 to 2'],
  },
  {
    what: 'a merge, with what is moved along and what is lost',
    before: [category('A', b, c, category('D')), category('B', c)],
    after: [category('B', b, c)],
    moves: [{ from: '/A', to: '/B' }],
    lines: ['> move /A/B to /B/B', '> merge /A to /B (2 categories)', '- remove /A/D'],
  },
  {
    what: 'a merge of two into a new one',
    before: [a, b],
    after: [c],
    moves: [
      { from: '/B', to: '/C' },
      { from: '/A', to: '/C' },
    ],
    lines: ['> rename /B to /C', '> merge /A to /C'],
  },
  {
    what: 'a path that only items carry',
    before: [a],
    after: [a],
    moves: [{ from: '/Old', to: '/A' }],
    lines: ['> merge /Old to /A'],
  },
  {
    what: 'a category below what was its own child',
    before: [category('A', category('B', c))],
    after: [category('B', category('A'), c)],
    moves: [
      { from: '/A', to: '/B/A' },
      { from: '/A/B', to: '/B' },
    ],
    lines: ['> move /A/B to /B (2 categories)', '> move /A to /B/A'],
  },
  {
    what: 'a child that leaves a removed category',
    before: [category('A', b, c)],
    after: [b],
    moves: [{ from: '/A/B', to: '/B' }],
    lines: ['> move /A/B to /B', '- remove /A (2 categories)'],
  },
  {
    what: 'a child that goes into an added category',
    before: [a],
    after: [category('B', a, c)],
    moves: [{ from: '/A', to: '/B/A' }],
    lines: ['+ add /B (2 categories)', '> move /A to /B/A'],
  },
  {
    what: 'another title of a concept, which its URI identifies',
    before: [{ title: 'Water', source: 'http://example.org/hy', categories: [a] }],
    after: [{ title: 'Hydrology', source: 'http://example.org/hy', categories: [a] }],
    lines: ['> rename /Water to /Hydrology (2 categories), items stay'],
  },
  {
    what: 'a move to where a URI comes too: what was declared counts',
    before: [a, { title: 'C', source: 'urn:x' }],
    after: [{ title: 'X', source: 'urn:x' }],
    moves: [{ from: '/A', to: '/X' }],
    lines: ['> rename /A to /X', '~ change /A: source', '- remove /C'],
  },
  {
    what: 'two that get one title, each with its own text',
    before: [
      { title: 'A', description: 'one' },
      { title: 'B', description: 'two' },
    ],
    after: [
      { title: 'C', description: 'two' },
      { title: 'C', description: 'one' },
    ],
    moves: [
      { from: '/A', to: '/C' },
      { from: '/B', to: '/C' },
    ],
    lines: ['> rename /B to /C', '> rename /A to /C', '^ reorder /C from position 1 to 2'],
  },
  {
    what: 'siblings of one title that change places with all below them',
    before: [category('A', a), b, category('A', c)],
    after: [category('A', c), b, category('A', a)],
    lines: ['^ reorder /A from position 3 to 1', '^ reorder /A from position 1 to 3'],
  },
  {
    what: 'a rename to another place among the siblings that stay',
    before: [a, b, c],
    after: [b, c, category('X')],
    moves: [{ from: '/A', to: '/X' }],
    lines: ['> rename /A to /X', '^ reorder /X from position 1 to 3'],
  },
  {
    what: 'a rename at its place, though siblings before it are gone',
    before: [a, b, c],
    after: [category('X'), c],
    moves: [{ from: '/B', to: '/X' }],
    lines: ['> rename /B to /X', '- remove /A'],
  },
  {
    what: 'a composed move that leads to nowhere, from below one that moves',
    before: [category('A', b)],
    after: [category('C', b)],
    moves: [
      { from: '/A', to: '/C' },
      { from: '/A/B', to: '/D' },
    ],
    lines: ['> rename /A to /C', '+ add /C/B', '- remove /A/B'],
  },
  {
    what: 'URIs that two categories have identify none',
    before: [
      { title: 'A', source: 'urn:x' },
      { title: 'B', source: 'urn:x' },
    ],
    after: [
      { title: 'C', source: 'urn:x' },
      { title: 'B', source: 'urn:x' },
    ],
    lines: ['+ add /C', '- remove /A'],
  },
  {
    what: 'a ready-made set without a title, and what is below it',
    before: [a, { source: 'contentCategorySetsGroupQuery.One', categories: [b] }],
    after: [{ source: 'contentCategorySetsGroupQuery.One', description: 'new', categories: [b, c] }, a],
    lines: [
      '~ change /contentCategorySetsGroupQuery.One: description',
      '^ reorder /A from position 1 to 2',
      '+ add /contentCategorySetsGroupQuery.One/C',
    ],
  },
  {
    what: 'another ready-made set',
    before: [{ source: 'contentCategorySetsGroupQuery.One' }],
    after: [{ source: 'contentCategorySetsGroupQuery.Two' }],
    lines: ['+ add /contentCategorySetsGroupQuery.Two', '- remove /contentCategorySetsGroupQuery.One'],
  },
  {
    what: 'a copy of what stays',
    before: [category('A', b, c)],
    after: [category('A', b, c), category('D', category('A', b, c))],
    lines: ['+ add /D (4 categories)'],
  },
  {
    what: 'a copy elsewhere of what stays',
    before: [category('A', category('B', c)), c],
    after: [category('A', category('B', c)), category('C', category('B', c))],
    lines: ['+ add /C/B (2 categories), copy of /A/B'],
  },
  {
    what: 'another description and source',
    before: [{ title: 'A', description: 'one' }],
    after: [{ title: 'A', description: '', source: 's' }],
    lines: ['~ change /A: description, source'],
  },
  {
    what: 'characters that turn the direction of writing, or are not seen',
    before: [],
    after: [category('A\u202eB\u200b\u0085\u{e0041}')],
    lines: ['+ add /A\\u202eB\\u200b\\u0085\\udb40\\udc41'],
  },
])('$what', ({ before, after, moves = [], lines }) => {
  expect(linesOf(before, after, moves)).toEqual(lines)
})

test('a change gives the former and the present text, null for none', () => {
  expect(diff([{ title: 'A', description: 'one' }], [{ title: 'A', source: 's' }]).changes).toEqual([
    {
      op: 'change',
      path: '/A',
      pointer: '/categorySchema/0',
      toPointer: '/categorySchema/0',
      description: { from: 'one', to: null },
      source: { from: null, to: 's' },
    },
  ])
})

test('a concept that has another title is not renamed for items, but it is suggested', () => {
  const source = 'http://example.org/hy'
  const { changes, suggestions } = diff(
    [{ title: 'Water', source, categories: [a] }],
    [{ title: 'Hydrology', source, categories: [a] }],
  )
  expect(changes).toMatchObject([{ op: 'rename', declared: false }])
  expect(suggestions).toEqual([{ from: '/Water', to: '/Hydrology', confidence: 'sure', because: ['same source'] }])
})

test('of two that are equally like what was removed, neither is sure', () => {
  const { suggestions } = diff([category('A', b), c], [category('A'), category('C', b), category('D', b)])
  expect(suggestions).toMatchObject([{ from: '/A/B', confidence: 'possible' }])
})

test('an accepted pair takes its children along, though others are like them', () => {
  const { suggestions } = diff([c, category('A', a, b)], [category('C', a), category('D', a, b)])
  expect(suggestions).toMatchObject([{ from: '/A', to: '/D' }])
})

const manyOf = (count: number, letter: string) =>
  Array.from({ length: count }, (_, at) => category(letter.repeat(at + 3)))

test.each([
  { what: 'trees without others below', before: manyOf(5, 'a'), after: manyOf(5, 'b') },
  { what: 'one tree', before: [category('A', ...manyOf(9, 'a'))], after: [category('B', ...manyOf(9, 'b'))] },
  { what: 'all below one', before: [category('A', ...manyOf(9, 'a'))], after: [category('A', ...manyOf(9, 'b'))] },
])('strangers are not taken for each other: $what', ({ before, after }) => {
  expect(diff(before, after).suggestions).toEqual([])
})
