import fc from 'fast-check'
import { expect, test } from 'vitest'
import { diffSchemas, summarizeChange } from '../../../src/categories/diff/diff.ts'
import { withoutEqualParts } from '../../../src/categories/diff/equal-parts.ts'
import { portalLimits } from '../../../src/categories/limits.ts'
import type { Move } from '../../../src/categories/moves.ts'
import type { Category, CategorySchema } from '../../../src/categories/schema.ts'
import { listPaths } from '../../../src/categories/schema-paths.ts'
import { countOf } from '../../support/length.ts'
import { acceptedOf, pairsWithin, sizeOf } from './random-schemas.ts'

const numRuns = countOf({ sample: 200, system: 3_000, long: 200_000 })

/**
 * Without sources, by which a category is the same as one elsewhere, and with more titles, as nothing is left out beside those that
 * repeat: so most parts are equal.
 */
function withEqualParts({ categorySchema }: CategorySchema): CategorySchema {
  const plain = ({ source: _, title = 'C', description, categories }: Category): Category => ({
    title: `${title}${categories?.length ?? 0}${description?.length ?? ''}`,
    ...(description !== undefined && { description }),
    ...(categories && { categories: categories.map(plain) }),
  })
  return { categorySchema: categorySchema.map(plain) }
}

/** Moves along a ring of paths that both schemas have, as a swap is one, then any others; without those that are refused. */
function movesBetween(before: CategorySchema, after: CategorySchema, numbers: readonly number[]): readonly Move[] {
  const [old, present] = [listPaths(before), listPaths(after)]
  const pick = (paths: readonly string[], number: number) => paths[number % paths.length]!
  const shared = old.filter((path) => present.includes(path))
  const ring = shared.length > 0 ? [...new Set(numbers.slice(3).map((number) => pick(shared, number)))] : []
  const around = ring.map((from, at) => ({ from, to: pick(ring, at + 1) }))
  const others = numbers.slice(0, 3).map((number) => ({ from: pick(old, number), to: pick(present, number >>> 8) }))
  return acceptedOf([...around, ...others], { before: new Set(old), after: new Set(present), isCarried: () => false })
}

test('the sums of a change are those of its diff, however much is equal', () => {
  const seen = { moved: 0, equal: 0 }
  fc.assert(
    fc.property(pairsWithin(portalLimits), fc.array(fc.nat(), { maxLength: 6 }), (pair, numbers) => {
      const [before, after] = pair.map(withEqualParts) as [CategorySchema, CategorySchema]
      fc.pre(before.categorySchema.length > 0 && after.categorySchema.length > 0)
      const moves = movesBetween(before, after, numbers)
      if (moves.length > 0) seen.moved += 1
      const { summary } = diffSchemas(before, after, moves)
      if (sizeOf(withoutEqualParts(before, after, moves)[0].categorySchema) < sizeOf(before.categorySchema))
        seen.equal += 1
      expect(summarizeChange(before, after, moves)).toEqual(summary)
    }),
    { seed: 2028, numRuns },
  )
  expect(Math.min(seen.moved, seen.equal)).toBeGreaterThan(numRuns / 10)
})

/** A category with others below it, by their titles; a description after a colon. */
function tree(title: string, ...below: readonly string[]): Category {
  const categories = below.map((one) => {
    const [name = '', description] = one.split(':')
    return { title: name, ...(description !== undefined && { description }) }
  })
  return { title, ...(categories.length > 0 && { categories }) }
}

test.each([
  {
    what: 'categories that change places, though both places look as before',
    before: [tree('A', 'x:one'), tree('B', 'x:two')],
    after: [tree('A', 'x:one'), tree('B', 'x:two')],
    moves: ['/A>/B', '/B>/A'],
    sums: { renamed: 2, changed: 2, reordered: 1 },
  },
  {
    what: 'a category that leaves the one that moves, and is followed by an equal one',
    before: [tree('A', 'x')],
    after: [tree('B', 'x'), tree('C')],
    moves: ['/A>/B', '/A/x>/C'],
    sums: { renamed: 1, moved: 1, added: 1 },
  },
  {
    what: 'a category that comes to one that has moved there with its own',
    before: [tree('A', 'x'), tree('C')],
    after: [tree('B', 'x')],
    moves: ['/A>/B', '/C>/B/x'],
    sums: { renamed: 1, merged: 1 },
  },
  {
    what: 'two categories that become one',
    before: [tree('A', 'x'), tree('B', 'x', 'y')],
    after: [tree('C', 'x')],
    moves: ['/A>/C', '/B>/C'],
    sums: { renamed: 1, merged: 1, removed: 1 },
  },
  {
    what: 'a category that is merged into one that stays',
    before: [tree('A', 'x'), tree('C', 'x', 'y')],
    after: [tree('C', 'x')],
    moves: ['/A>/C'],
    sums: { merged: 1, removed: 1 },
  },
  {
    what: 'a category that comes to one which has moved there with its parent',
    before: [{ title: 'P', categories: [{ title: 'y' }] }, tree('A', 'x')],
    after: [{ title: 'Q', categories: [tree('y', 'x')] }],
    moves: ['/P>/Q', '/A>/Q/y'],
    sums: { renamed: 1, merged: 1, moved: 1 },
  },
  {
    what: 'a category that comes to one whose parent is another by its source',
    before: [{ title: 'M', source: 'urn:u', categories: [{ title: 't' }] }, tree('A', 'x')],
    after: [{ title: 'N', source: 'urn:u', categories: [tree('t', 'x')] }],
    moves: ['/A>/N/t'],
    sums: { renamed: 1, merged: 1, moved: 1 },
  },
  {
    what: 'a category that is another by its source, while an equal one comes to its place',
    before: [{ title: 'M', source: 'urn:u', categories: [tree('t', 'x')] }],
    after: [
      { title: 'M', categories: [tree('t', 'x')] },
      { title: 'N', source: 'urn:u', categories: [tree('t', 'x')] },
    ],
    moves: [],
    sums: { added: 1, renamed: 1 },
  },
  {
    what: 'a category that leaves one of which there are two then',
    before: [{ title: 'D', categories: [{ title: 'P', categories: [tree('q', 'm')] }] }, tree('K')],
    after: [
      {
        title: 'D',
        categories: [
          { title: 'P', categories: [{ title: 'q' }] },
          { title: 'P', categories: [tree('q', 'm')] },
        ],
      },
      tree('Z', 'm'),
    ],
    moves: ['/D/P/q>/Z', '/K>/D/P/q'],
    sums: { added: 2, moved: 2 },
  },
  {
    what: 'what comes back to where it was, and keeps its place below what moves',
    before: [
      { title: 'A', categories: [tree('B', 'x')] },
      { title: 'D', categories: [] },
    ],
    after: [
      { title: 'C', categories: [tree('B', 'x')] },
      { title: 'A', categories: [tree('B', 'x')] },
    ],
    moves: ['/A>/C', '/D>/A', '/A/B>/A/B'],
    sums: { renamed: 2, added: 1 },
  },
])('$what', ({ before, after, moves, sums }) => {
  const schemas = [{ categorySchema: before }, { categorySchema: after }] as const
  const declared = moves.map((move) => move.split('>')).map(([from, to]) => ({ from: from!, to: to! }))
  const summary = summarizeChange(...schemas, declared)
  expect(summary).toEqual(diffSchemas(...schemas, declared).summary)
  expect(Object.fromEntries(Object.entries(summary).filter(([, count]) => count > 0))).toEqual(sums)
})
