import fc from 'fast-check'
import { expect, test } from 'vitest'
import { groupLimits, portalLimits, type SchemaLimits } from '../../src/categories/limits.ts'
import { judgeSchema } from '../../src/categories/schema.ts'
import { schemaWithin } from '../support/inputs/any-schema.ts'
import { judgeAgain } from '../support/inputs/schema-oracle.ts'
import { countOf } from '../support/length.ts'
import type { Node } from '../support/portal/schema-builder.ts'

/** Limits that small random schemas reach. */
const smallLimits: SchemaLimits = {
  trees: 3,
  levels: 2,
  categories: 6,
  titleLength: 4,
  descriptionLength: 6,
  sourceLength: 100,
}

const seed = 2018
const runs = countOf({ sample: 45, system: 150, long: 3_000 })

/** Schemas of right and wrong nodes alike, small and around the small limits. */
const anySchema = fc.letrec<{ node: Node; nodes: Node[] }>((tie) => ({
  node: fc.record(
    {
      title: fc.oneof(
        fc.constantFrom('A', 'B', ' C', 'ABCD'),
        fc.constantFrom('ABCDE', '', ' ', 'a/b', ',', '\u0007', '\ud800', '🗺🗺', '🗺🗺🗺'),
        fc.string({ unit: 'grapheme', maxLength: 4 }),
      ),
      description: fc.string({ maxLength: 8 }),
      source: fc.oneof(fc.string(), fc.integer()),
      categories: tie('nodes'),
      extra: fc.jsonValue(),
    },
    { requiredKeys: ['title'] },
  ),
  nodes: fc.array(tie('node'), { maxLength: 3, depthIdentifier: 'levels' }),
})).nodes

function sentences(value: unknown): readonly string[] {
  const verdict = judgeSchema(JSON.stringify(value), smallLimits)
  return 'violations' in verdict ? verdict.violations : []
}

test.each([
  { owner: 'a group', limits: groupLimits },
  { owner: 'an organization', limits: portalLimits },
])('any schema within the limits of $owner is stored as it was sent', ({ limits }) => {
  fc.assert(
    fc.property(schemaWithin(limits), (schema) => {
      const text = JSON.stringify(schema)
      expect(judgeSchema(text, limits)).toMatchObject({ document: text })
    }),
    { seed, numRuns: runs / 3 },
  )
})

test('a stored document is judged to be itself', () => {
  fc.assert(
    fc.property(anySchema, (categorySchema) => {
      const verdict = judgeSchema(JSON.stringify(categorySchema), smallLimits)
      if ('document' in verdict) expect(judgeSchema(verdict.document, smallLimits)).toEqual(verdict)
    }),
    { seed, numRuns: runs },
  )
})

test('adding a category never removes a violation', () => {
  let refused = 0
  fc.assert(
    fc.property(
      anySchema.filter((nodes) => nodes.length > 0),
      fc.nat(),
      fc.constantFrom('A', '', 'a/b'),
      (before, where, title) => {
        const after: Node[] = structuredClone(before)
        const lists = [after, ...listsOfChildren(after)]
        lists[where % lists.length]!.push({ title })
        const isNotCount = (sentence: string) => !sentence.startsWith('Category schema at')
        const earlier = sentences(before)
        const later = sentences(after)
        if (earlier.length > 0) {
          refused += 1
          expect(later).not.toEqual([])
        }
        if (after.length <= smallLimits.trees) {
          expect(later).toEqual(expect.arrayContaining(earlier.filter(isNotCount)))
          if (!earlier.every(isNotCount)) expect(later.every(isNotCount)).toBe(false)
        }
      },
    ),
    { seed, numRuns: runs },
  )
  expect(refused).toBeGreaterThan(runs / 10)
})

/** The lists of children that are there, and new ones for the nodes that have none. */
function listsOfChildren(nodes: readonly Node[]): Node[][] {
  return nodes.flatMap((node) => {
    const children = (node.categories ?? []) as Node[]
    Object.assign(node, { categories: children })
    return [children, ...listsOfChildren(children)]
  })
}

test('the verdict on a schema is that of a plain judge', () => {
  const seen = { accepted: 0, refused: 0 }
  fc.assert(
    fc.property(anySchema, (categorySchema) => {
      const text = JSON.stringify({ categorySchema })
      const verdict = judgeSchema(text, smallLimits)
      seen['document' in verdict ? 'accepted' : 'refused'] += 1
      expect(verdict).toMatchObject(judgeAgain(text, smallLimits))
    }),
    { seed, numRuns: 3 * runs },
  )
  expect(seen.accepted).toBeGreaterThan(runs / 10)
  expect(seen.refused).toBeGreaterThan(runs)
})

test('the verdict on a schema with a few wrong characters is that of a plain judge', () => {
  const seen = { accepted: 0, invalid: 0, refused: 0 }
  const wrong = fc.oneof(
    fc.constantFrom(
      ...'{}[],:"\\/ 0-.eE+tn\u0000\ufeff',
      '"title"',
      '"title":"B",',
      '\\u00',
      'null',
      '"categories":[]',
    ),
    fc.string({ unit: 'binary', maxLength: 2 }),
  )
  const change = fc.record({ at: fc.nat(), length: fc.nat({ max: 3 }), put: wrong })
  fc.assert(
    fc.property(anySchema, fc.array(change, { minLength: 1, maxLength: 2 }), (categorySchema, changes) => {
      let text = JSON.stringify({ categorySchema })
      for (const { at, length, put } of changes) {
        const start = at % (text.length + 1)
        text = text.slice(0, start) + put + text.slice(start + length)
      }
      const verdict = judgeSchema(text, smallLimits)
      seen['document' in verdict ? 'accepted' : verdict.violations[0]!.startsWith('Inv') ? 'invalid' : 'refused'] += 1
      expect(verdict).toMatchObject(judgeAgain(text, smallLimits))
    }),
    { seed, numRuns: 5 * runs },
  )
  expect(Math.min(seen.accepted, seen.invalid, seen.refused)).toBeGreaterThan(runs / 20)
})

test('any text has a verdict', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.json({ maxDepth: 5 }),
    fc.json().map((json) => `[${json}]`),
  )
  fc.assert(
    fc.property(text, (any) => {
      expect(judgeSchema(any, smallLimits)).toMatchObject(judgeAgain(any, smallLimits))
    }),
    { seed, numRuns: 3 * runs },
  )
})
