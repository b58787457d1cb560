import { describe, expect, test } from 'vitest'
import { groupLimits } from '../../src/categories/limits.ts'
import { findProblems, judgeSchema } from '../../src/categories/schema.ts'

const invalid = ['Invalid category schema.']

describe('what is no category schema has the documented sentence, and its reasons beside it', () => {
  const rows: readonly (readonly [text: string, ...reasons: string[]])[] = [
    ['', 'not JSON at line 1, column 1: the text is empty.'],
    ['{"categorySchema":[\n{"title":"A"},]}', 'not JSON at line 2, column 14: nothing follows the comma before ].'],
    ['null', 'The document is not an object with the member categorySchema.'],
    ['"{}"', 'The document is not an object with the member categorySchema.'],
    ['{"schema":[]}', 'The document has no member categorySchema.'],
    ['{"categorySchema":{"categorySchema":[]}}', '/categorySchema is not an array.'],
    ['["b","c"]', '/categorySchema/0 is not an object.', '/categorySchema/1 is not an object.'],
    ['[{"titel":"A"}]', '/categorySchema/0 has no title.'],
    ['[{"source":null}]', '/categorySchema/0 has no title, and its source is not a string.'],
    ['["A"]', '/categorySchema/0 is not an object.'],
    ['[null]', '/categorySchema/0 is not an object.'],
    ['[["A"]]', '/categorySchema/0 is not an object.'],
    ['[{"title":2024}]', '/categorySchema/0/title is not a string.'],
    ['[{"title":"A","description":null}]', '/categorySchema/0/description is not a string.'],
    ['[{"title":"A","categories":null}]', '/categorySchema/0/categories is not an array.'],
    [
      '[{"title":"A"},{"title":"B","categories":[{"title":"C"},{"description":"D"}]}]',
      '/categorySchema/1/categories/1 has no title.',
    ],
    ['[{"title":"A","title":"B"}]', '/categorySchema/0 has the member title twice.'],
    ['{"categorySchema":[],"categorySchema":[{"title":"A"}]}', 'The document has the member categorySchema twice.'],
    [
      '{"categorySchema":[{"title":"A","categories":[{"title":"B","description":"a","description":"b"}]}]}',
      '/categorySchema/0/categories/0 has the member description twice.',
    ],
  ]
  test.each(rows)('%j', (text, ...reasons) => {
    expect(judgeSchema(text, groupLimits)).toEqual({ violations: invalid, reasons })
  })

  test('each has the place of the member that is wrong, or else of the category', () => {
    const trees = [
      { title: 2024, description: null, categories: {} },
      { title: 'A', categories: [{ title: [] }, {}, 7] },
    ]
    const below = '/categorySchema/1/categories'
    expect(findProblems(trees, groupLimits)).toEqual([
      { pointer: '/categorySchema/0/title', sentence: '/categorySchema/0/title is not a string.', rule: 'form' },
      {
        pointer: '/categorySchema/0/description',
        sentence: '/categorySchema/0/description is not a string.',
        rule: 'form',
      },
      {
        pointer: '/categorySchema/0/categories',
        sentence: '/categorySchema/0/categories is not an array.',
        rule: 'form',
      },
      { pointer: `${below}/0/title`, sentence: `${below}/0/title is not a string.`, rule: 'form' },
      { pointer: `${below}/1`, sentence: `${below}/1 has no title.`, rule: 'form' },
      { pointer: `${below}/2`, sentence: `${below}/2 is not an object.`, rule: 'form' },
    ])
  })

  test('a place below the levels that may be is that of the last one that may', () => {
    const deep = '[{"title":"A","categories":'.repeat(9) + '[{}]' + '}]'.repeat(9)
    const place = `/categorySchema/0${'/categories/0'.repeat(4)}/categories`
    expect(judgeSchema(deep, groupLimits)).toEqual({
      violations: invalid,
      reasons: [`A category below ${place} is malformed.`],
    })
  })

  test('at most a hundred are listed', () => {
    const verdict = judgeSchema(JSON.stringify(Array.from({ length: 500 }, () => 1)), groupLimits)
    const { reasons = [] } = verdict as { readonly reasons?: readonly string[] }
    expect(reasons).toHaveLength(101)
    expect(reasons.at(-1)).toBe('Further violations are not listed.')
  })
})
