import fc from 'fast-check'
import { expect, test } from 'vitest'
import { buildDifferenceTree, type DifferenceNode } from '../../../pages/src/schemas/difference-tree.ts'
import { diffSchemas } from '../../../src/categories/diff/diff.ts'
import { portalLimits } from '../../../src/categories/limits.ts'
import type { Move } from '../../../src/categories/moves.ts'
import type { Category, CategorySchema } from '../../../src/categories/schema.ts'
import { listCategories } from '../../../src/categories/schema-paths.ts'
import { pairsWithin } from '../../rooms/schema-diff/random-schemas.ts'
import { outline } from '../../support/inputs/outline.ts'

/** One line for each node: mark, title, and what else it says. */
function linesOf(nodes: readonly DifferenceNode[], indent = ''): readonly string[] {
  return nodes.flatMap((node) => {
    const { mark, title, from, to, reordered, description } = node
    const more = [
      from && `from ${from}`,
      to && `to ${to}`,
      reordered && `${reordered.from}>${reordered.to}`,
      description && `${description.from}>${description.to}`,
    ].filter(Boolean)
    return [[`${indent}${mark} ${title}`, ...more].join(' | '), ...linesOf(node.children, `${indent}  `)]
  })
}

function differenceOf(before: CategorySchema, after: CategorySchema, moves: readonly Move[] = []): readonly string[] {
  const { changes } = diffSchemas(before, after, moves)
  return linesOf(buildDifferenceTree(before, after, changes).trees)
}

test('what is added, removed, renamed, moved and changed stands in one tree, what is gone at its old place', () => {
  const before = outline('Themes', '  Water', '    Rivers', '  Old', '    Older', '  Land: dry', 'Regions', '  Europe')
  const after = outline('Themes', '  Waters', '  Land: firm', '  New', '    Newer', 'Regions', '  Europe', '    Rivers')
  expect(
    differenceOf(before, after, [
      { from: '/Themes/Water', to: '/Themes/Waters' },
      { from: '/Themes/Water/Rivers', to: '/Regions/Europe/Rivers' },
    ]),
  ).toEqual([
    'same Themes',
    '  renamed Waters | from /Themes/Water',
    '    left Rivers | to /Regions/Europe/Rivers',
    '  removed Old',
    '    removed Older',
    '  same Land | dry>firm',
    '  added New',
    '    added Newer',
    'same Regions',
    '  same Europe',
    '    moved Rivers | from /Themes/Water/Rivers',
  ])
})

test('a rename that is reordered shows both', () => {
  const moves = [{ from: '/A/One', to: '/A/Three' }]
  expect(differenceOf(outline('A', '  One', '  Two'), outline('A', '  Two', '  Three'), moves)).toEqual([
    'same A',
    '  same Two',
    '  renamed Three | from /A/One | 0>1',
  ])
})

test('a category that merges into another one, and what stays below a parent that goes', () => {
  const before = outline('A', '  One', '    Kept', '  Two')
  const after = outline('A', '  Two', 'B', '  Kept')
  const moves = [
    { from: '/A/One', to: '/A/Two' },
    { from: '/A/One/Kept', to: '/B/Kept' },
  ]
  expect(differenceOf(before, after, moves)).toEqual([
    'same A',
    '  merged One | to /A/Two',
    '    left Kept | to /B/Kept',
    '  same Two',
    'added B',
    '  moved Kept | from /A/One/Kept',
  ])
})

test('a new order is shown with the fewest categories', () => {
  expect(differenceOf(outline('A', 'B', 'C'), outline('C', 'A', 'B'))).toEqual(['same C | 2>0', 'same A', 'same B'])
})

test('a path that only items carry is listed beside the trees', () => {
  const schema = outline('A')
  const change = {
    op: 'merge',
    path: '/Stale',
    to: '/A',
    toPointer: '/categorySchema/0',
    categories: 0,
    declared: true,
    items: 3,
  } as const
  const { trees, stale } = buildDifferenceTree(schema, schema, [change])
  expect(stale).toEqual([{ path: '/Stale', to: '/A', items: 3 }])
  expect(linesOf(trees)).toEqual(['same A'])
})

test('of any two schemas, the tree has each new category once and in order, and each old one that is not there any more', () => {
  fc.assert(
    fc.property(pairsWithin(portalLimits), ([before, after]) => {
      const { changes } = diffSchemas(before, after, [])
      const shown: DifferenceNode[] = []
      const visit = (nodes: readonly DifferenceNode[]) => {
        for (const node of nodes) {
          shown.push(node)
          visit(node.children)
        }
      }
      visit(buildDifferenceTree(before, after, changes).trees)
      const titles = ({ category }: { readonly category: Category }) => category.title ?? category.source ?? ''
      const isOld = ({ mark }: DifferenceNode) => mark === 'removed' || mark === 'left' || mark === 'merged'
      expect(shown.filter((node) => !isOld(node)).map(({ title }) => title)).toEqual(listCategories(after).map(titles))
      const removed = changes.flatMap((change) => (change.op === 'remove' ? change.categories : []))
      const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0)
      expect(shown.filter(({ mark }) => mark === 'removed')).toHaveLength(sum(removed))
      const added = changes.flatMap((change) => (change.op === 'add' ? change.categories : []))
      expect(shown.filter(({ mark }) => mark === 'added')).toHaveLength(sum(added))
    }),
    { seed: 7, numRuns: 300 },
  )
})
