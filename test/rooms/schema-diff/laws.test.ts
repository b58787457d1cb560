import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalText } from '../../../src/categories/canonical.ts'
import { diffSchemas, summarizeChange } from '../../../src/categories/diff/diff.ts'
import { hashOf } from '../../../src/categories/history/document-hash.ts'
import { groupLimits, portalLimits } from '../../../src/categories/limits.ts'
import { judgeMoves } from '../../../src/categories/moves.ts'
import { type CategorySchema, judgeSchema } from '../../../src/categories/schema.ts'
import { listPaths } from '../../../src/categories/schema-paths.ts'
import { countOf } from '../../support/length.ts'
import { applyChanges } from './apply-changes.ts'
import { acceptedOf, pairsWithin, schemasWithin, sizeOf } from './random-schemas.ts'

const seed = 2027
const runs = countOf({ sample: 100, system: 500, long: 10_000 })
const owners = [
  { owner: 'a group', limits: groupLimits },
  { owner: 'an organization', limits: portalLimits },
]

/** Pairs with moves that are accepted: those of random ones that are not refused. */
function withMoves(pair: readonly [CategorySchema, CategorySchema], numbers: readonly number[]) {
  const [before, after] = pair
  const froms = [...listPaths(before), '/Stale', '/Stale/A']
  const tos = listPaths(after)
  const context = {
    before: new Set(listPaths(before)),
    after: new Set(tos),
    isCarried: (path: string) => path.startsWith('/Stale'),
  }
  const moves = numbers.flatMap((number) =>
    tos.length > 0 ? [{ from: froms[number % froms.length]!, to: tos[(number >>> 8) % tos.length]! }] : [],
  )
  return { before, after, moves: acceptedOf(moves, context) }
}

test.each(owners)('the schemas of these tests are valid for $owner', ({ limits }) => {
  fc.assert(
    fc.property(schemasWithin(limits), (schema) => {
      fc.pre(schema.categorySchema.length > 0)
      expect(judgeSchema(JSON.stringify(schema), limits)).toHaveProperty('document')
    }),
    { seed, numRuns: 100 },
  )
})

test.each(owners)('the changes make the new schema of the old one, for $owner', ({ limits }) => {
  const seen = { moves: 0, merge: 0, remove: 0, reorder: 0, change: 0, rename: 0, move: 0, add: 0, copies: 0 }
  fc.assert(
    fc.property(pairsWithin(limits), fc.array(fc.nat(), { maxLength: 4 }), (pair, numbers) => {
      const { before, after, moves } = withMoves(pair, numbers)
      const { changes, summary } = diffSchemas(before, after, moves)
      seen.moves += moves.length
      for (const change of changes) {
        seen[change.op] += 1
        if ('copyOf' in change) seen.copies += 1
      }
      const applied = applyChanges(before, changes, after)
      // L1, L3: what a plan promises as the hash of its result.
      expect(canonicalText(applied)).toBe(canonicalText(after))
      expect(hashOf(applied)).toBe(hashOf(after))
      // L2: a plan after it was applied.
      expect(diffSchemas(applied, after, [])).toMatchObject({ changes: [], suggestions: [] })
      // L6; a path that only items carry is in neither schema.
      const stale = changes.filter(({ op, ...change }) => op === 'merge' && !('pointer' in change)).length
      expect(changes.length - stale).toBeLessThanOrEqual(sizeOf(before.categorySchema) + sizeOf(after.categorySchema))
      const twofold = changes.filter((change) => 'reordered' in change).length
      expect(Object.values(summary).reduce((total, count) => total + count)).toBe(changes.length + twofold)
      expect(summarizeChange(before, after, moves)).toEqual(summary)
    }),
    { seed, numRuns: runs },
  )
  for (const [what, count] of Object.entries(seen))
    expect({ what, count: count > runs / 50 }).toEqual({ what, count: true })
})

test('a schema does not differ from itself, nor from another document that says the same', () => {
  fc.assert(
    fc.property(schemasWithin(groupLimits), (schema) => {
      const nothing = { changes: [], suggestions: [] }
      expect(diffSchemas(schema, schema, [])).toMatchObject(nothing)
      expect(diffSchemas(schema, JSON.parse(canonicalText(schema)) as CategorySchema, [])).toMatchObject(nothing)
    }),
    { seed, numRuns: runs },
  )
})

test('a diff is the same each time, and the one back has the mirrored sums', () => {
  fc.assert(
    fc.property(pairsWithin(portalLimits), ([before, after]) => {
      const there = diffSchemas(before, after, [])
      expect(diffSchemas(structuredClone(before), structuredClone(after), [])).toEqual(there)
      const { added, removed, ...others } = there.summary
      const back = diffSchemas(after, before, [])
      expect(back.summary).toEqual({ added: removed, removed: added, ...others })
    }),
    { seed, numRuns: runs },
  )
})

test('what is suggested could be declared beside the moves that are', () => {
  let suggested = 0
  fc.assert(
    fc.property(pairsWithin(groupLimits), fc.array(fc.nat(), { maxLength: 2 }), (pair, numbers) => {
      const { before, after, moves } = withMoves(pair, numbers)
      const { suggestions } = diffSchemas(before, after, moves)
      suggested += suggestions.length
      const all = [...moves, ...suggestions.map(({ from, to }) => ({ from, to }))]
      const isCarried = (path: string) => path.startsWith('/Stale')
      expect(
        judgeMoves(all, { before: new Set(listPaths(before)), after: new Set(listPaths(after)), isCarried }),
      ).toEqual([])
    }),
    { seed, numRuns: runs },
  )
  expect(suggested).toBeGreaterThan(runs / 5)
})
