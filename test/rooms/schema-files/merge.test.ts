import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { portalLimits } from '../../../src/categories/limits.ts'
import type { CategorySchema } from '../../../src/categories/schema.ts'
import { listPaths } from '../../../src/categories/schema-paths.ts'
import { readCsv } from '../../../src/schema-files/csv/read.ts'
import { judgeRead } from '../../../src/schema-files/import.ts'
import { mergeSchemas, type PlacedSchema } from '../../../src/schema-files/merge.ts'
import { schemaWithin } from '../../support/inputs/any-schema.ts'
import { sketch } from '../../support/inputs/sketch.ts'

function placed(csv: string): PlacedSchema {
  const reading = readCsv(csv, {})
  if ('problems' in reading) throw new Error(reading.problems.join(' '))
  return reading.value
}

const present = placed('path,description,source\n/A,a,\n/A/B,b,s\n/C,,\n').schema

describe('merged with A: a (B: b <s>), C', () => {
  test.each([
    ['a new tree is added', 'path\n/D\n/D/E\n', 'A: a (B: b <s>), C, D (E)'],
    ['a new category is added behind its siblings', 'path\n/A/D\n/C/E\n', 'A: a (B: b <s>, D), C (E)'],
    ['equal paths are one', 'path\n/A\n/A/B\n/A/B/D\n', 'A: a (B: b <s> (D)), C'],
    ['texts of the file replace others', 'path,description,source\n/A,x,\n/A/B,,y\n', 'A: x (B: b <y>), C'],
    ['siblings of one title are paired in order', 'path\n/A\n/A/D\n/A\n/A/E\n', 'A: a (B: b <s>, D), C, A (E)'],
    ['a category without a title is known by its source', 'path,source\n/,s\n', 'A: a (B: b <s>), C, ? <s>'],
  ])('%s', (_what, csv, merged) => {
    expect(sketch(mergeSchemas(present, placed(csv)).schema)).toBe(merged)
  })
})

const anySchema = schemaWithin(portalLimits) as fc.Arbitrary<CategorySchema>

test('merging what is there changes nothing', () => {
  fc.assert(
    fc.property(anySchema, (schema) => {
      expect(mergeSchemas(schema, { schema, places: new Map() }).schema).toEqual(schema)
    }),
  )
})

test('merging removes no path and adds every path of the file', () => {
  fc.assert(
    fc.property(anySchema, anySchema, (kept, schema) => {
      const merged = listPaths(mergeSchemas(kept, { schema, places: new Map() }).schema)
      expect([...listPaths(kept), ...listPaths(schema)].filter((path) => !merged.includes(path))).toEqual([])
    }),
  )
})

describe('a violation of the rules names', () => {
  const problemsOf = (read: PlacedSchema) => {
    const judged = judgeRead(read, portalLimits)
    return 'problems' in judged ? judged.problems : []
  }

  test('the row of the category', () => {
    expect(problemsOf(placed(`path,description\n/A,\n/A/B;,\n/A/C,${'x'.repeat(301)}\n`))).toEqual([
      'Row 4: Description at /categorySchema/0/categories/1/description has 301 characters; at most 300 are allowed.',
    ])
    expect(problemsOf(placed('path\n/A/B/C/D\n/A/B/C/D/E\n'))).toEqual([
      'Row 3: Category at /categorySchema/0/categories/0/categories/0/categories/0/categories/0 is on level 5; at most 4 levels are allowed.',
    ])
  })

  test('the first trees where there are too many', () => {
    expect(problemsOf(placed('path\n/A\n/B\n/C\n/D\n/E\n/F\n/G\n'))).toEqual([
      'There are 7 trees (Row 2, Row 3, Row 4, Row 5, Row 6, Row 7 and others); at most 5 are allowed.',
    ])
  })

  test('the URI of the category', () => {
    const places = new Map([['/categorySchema/0', { uri: 'http://a.example/1' }]])
    expect(problemsOf({ schema: { categorySchema: [{ title: ' ' }] }, places })).toEqual([
      'http://a.example/1: Title at /categorySchema/0/title is blank.',
    ])
  })

  test('nothing else where the file has no places', () => {
    expect(problemsOf({ schema: { categorySchema: [] }, places: new Map() })).toEqual([
      'There are 0 trees; at most 5 are allowed.',
    ])
  })

  test('the row in the file, after merging', () => {
    const merged = mergeSchemas(present, placed(`path,description\n/C,\n/C/X,${'x'.repeat(301)}\n`))
    expect(problemsOf(merged)).toEqual([
      'Row 3: Description at /categorySchema/1/categories/0/description has 301 characters; at most 300 are allowed.',
    ])
    expect(problemsOf(mergeSchemas(present, placed('path\n/D\n/E\n/F\n/G\n')))).toEqual([
      'There are 6 trees (Row 2, Row 3, Row 4, Row 5); at most 5 are allowed.',
    ])
  })
})

test('what keeps the rules is a text to be stored', () => {
  const read = placed('path,description\n/A,a\n')
  expect(judgeRead(read, portalLimits)).toEqual({
    value: {
      schema: read.schema,
      places: read.places,
      verdict: { document: '{"categorySchema":[{"title":"A","description":"a"}]}', size: { trees: 1, categories: 1 } },
    },
  })
})
