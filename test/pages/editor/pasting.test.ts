import { expect, test } from 'vitest'
import { Editing, type PasteMode } from '../../../pages/src/editor/model/editing.ts'
import { makeKeys, readPublished } from '../../../pages/src/editor/model/node.ts'
import { readPasted } from '../../../pages/src/editor/model/pasted.ts'
import { findObstacle, onlyTitle, type PastedRoot, placePasted } from '../../../pages/src/editor/model/pasting.ts'
import type { TableChoices } from '../../../pages/src/tables/choose-roles.ts'
import { portalLimits } from '../../../src/categories/limits.ts'
import type { Category } from '../../../src/categories/schema.ts'

const of = (title: string, ...categories: readonly Category[]): Category => ({ title, categories })
const edit = (...categories: readonly Category[]) => new Editing(readPublished(categories, makeKeys()), portalLimits)
const read = (text: string, choices?: TableChoices) => readPasted(text, portalLimits, choices)
const long = 'x'.repeat(101)
const table = `Theme\tTopic\tDescription\nWater\tRivers\tflowing\nWater\t${long}\tstanding`

/** The outcome of pasting a text. */
function paste(editing: Editing, text: string, mode: PasteMode, root: Partial<PastedRoot> = {}) {
  const pasted = read(text)
  if ('problems' in pasted) throw new Error(pasted.problems.join())
  const placed = placePasted(editing, pasted.categories, mode, { title: 'All', isWanted: undefined, ...root })
  return { ...placed, obstacle: findObstacle(pasted, placed.outcome) }
}

test('a table with a heading is read by it, and a row that the server would refuse is marked', () => {
  const pasted = read(table)
  expect(pasted).toMatchObject({
    categories: [
      {
        title: 'Water',
        categories: [
          { title: 'Rivers', description: 'flowing' },
          { title: long, description: 'standing' },
        ],
      },
    ],
    notes: [],
    table: {
      headingRow: 1,
      columns: [{ role: 'level1' }, { role: 'level2' }, { role: 'description' }],
      marks: [{ row: 3, message: expect.stringMatching(/^Row 3: Title .* 101 characters/) }],
    },
  })
})

test('a person says what its columns are, and whether there is a heading', () => {
  expect(
    read('a\tb\tc\nd\te\tf', { columns: { level1: [2], description: [3], ignore: [1] }, header: true }),
  ).toMatchObject({ categories: [{ title: 'e', description: 'f' }] })
  expect(read('Theme\tTopic\nWater\tRivers', { header: false })).toMatchObject({
    categories: [
      { title: 'Theme', categories: [{ title: 'Topic' }] },
      { title: 'Water', categories: [{ title: 'Rivers' }] },
    ],
  })
})

test('what was guessed is seen in the table, and needs no sentence', () => {
  const pasted = read('Water\tRivers\nWater\tLakes')
  expect(pasted).toMatchObject({ notes: [], table: { columns: [{ role: 'level1' }, { role: 'level2' }] } })
  const problem = 'Row 1 has a title on level 3, but none on level 2.'
  expect(read('Water\t\tRivers\nWater\tLakes\tPonds')).toMatchObject({
    problems: [problem],
    table: { marks: [{ row: 1, message: problem }] },
  })
})

test('bullets and numbers of lists are no part of titles', () => {
  for (const text of ['- Water\n  - Rivers\n- Land', '1. Water\n1.1 Rivers\n2. Land', '• Water\n  ◦ Rivers\n• Land']) {
    expect(read(text)).toMatchObject({
      categories: [{ title: 'Water', categories: [{ title: 'Rivers' }] }, { title: 'Land' }],
    })
  }
})

const eight = 'A\nB\nC\nD\nE\nF\nG\nH'

test('more trees than are allowed go below one root, unless the person says otherwise', () => {
  const below = paste(edit(), eight, 'merge')
  expect(below).toMatchObject({ needsRoot: true, hasRoot: true, outcome: 'changed', obstacle: undefined })
  expect(below.categories).toMatchObject([{ title: 'All', categories: { length: 8 } }])
  expect(paste(edit(), eight, 'merge', { isWanted: false })).toMatchObject({ hasRoot: false, obstacle: 'trees' })
  expect(paste(edit(), 'A\nB\nC\nD\nE', 'merge')).toMatchObject({ needsRoot: false, hasRoot: false })
})

test.each<[PasteMode, boolean]>([
  ['inside', false],
  ['after', true],
  ['merge', true],
  ['replace', true],
])('pasting by %s, eight titles need a root: %s', (mode, needsRoot) => {
  const placed = paste(edit(of('Old')), eight, mode)
  expect(placed).toMatchObject({ needsRoot, hasRoot: needsRoot, outcome: 'changed' })
})

test('merged titles go below the tree that is there, if it is the only one', () => {
  expect(onlyTitle(edit(of('Categories')), 'merge')).toBe('Categories')
  expect(onlyTitle(edit(of('Categories')), 'after')).toBeUndefined()
  expect(onlyTitle(edit(of('A'), of('B')), 'merge')).toBeUndefined()
  expect(onlyTitle(edit(), 'merge')).toBeUndefined()
})

test('the root is a level: what is too deep with it is refused for its levels', () => {
  const deep = eight.replaceAll('\n', '\n  b\n    c\n      d\n')
  expect(paste(edit(), deep, 'merge')).toMatchObject({ hasRoot: true, obstacle: 'levels' })
})

test('there is a reason wherever nothing can be taken over', () => {
  expect(findObstacle(undefined, undefined)).toBe('empty')
  expect(findObstacle(read('Water\n  Rivers\n Lakes'), undefined)).toBe('unread')
  expect(paste(edit(of('A', of('B'))), 'A\n  B', 'merge').obstacle).toBe('unchanged')
  expect(paste(edit(of('A')), 'B', 'merge').obstacle).toBeUndefined()
})
