import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { groupLimits, type SchemaLimits } from '../../src/categories/limits.ts'
import { measurePlainSchema } from '../../src/categories/plain-schema.ts'
import { isBlank } from '../../src/plain-text.ts'
import { judgeAgain } from '../support/inputs/schema-oracle.ts'
import { countOf } from '../support/length.ts'

const schemaOf = (...trees: readonly string[]) => `{"categorySchema":[${trees.join()}]}`
const nested = (levels: number) =>
  `${'{"title":"A","categories":['.repeat(levels - 1)}{"title":"A"}${']}'.repeat(levels - 1)}`
const titled = (title: string) => schemaOf(`{"title":"${title}"}`)
const described = (member: string, text: string) => schemaOf(`{"title":"A","${member}":"${text}"}`)
const leaves = (count: number) => Array(count).fill('{"title":"A"}').join()

describe('a schema is plain', () => {
  test.each([
    ['of one category', titled('A')],
    ['with every member', schemaOf('{"title":"A","description":"B","source":"C","categories":[{"title":"D"}]}')],
    ['with an empty list of children', schemaOf('{"title":"A","categories":[]}', '{"title":"B"}')],
    ['with empty texts', schemaOf('{"title":"A","description":"","source":""}')],
    ['of five trees', schemaOf(leaves(5))],
    ['of four levels', schemaOf(nested(4), nested(3))],
    [
      'with an empty list on the fourth level',
      schemaOf(nested(4).replace('{"title":"A"}', '{"title":"A","categories":[]}')),
    ],
    ['of 200 categories', schemaOf(`{"title":"A","categories":[${leaves(199)}]}`)],
    ['with the longest texts', titled('x'.repeat(99)).replace('"}', `","description":"${'x'.repeat(299)}"}`)],
    ['with the longest source', described('source', 'x'.repeat(1000))],
    ['with characters beyond Latin', titled('Länder 🗺')],
    ['with spaces around a title', titled(' A ')],
    ['with signs that only titles must not have', described('description', '/,\u007f\u0085\u2028{}[]')],
  ])('%s', (_what, text) => {
    const size = measurePlainSchema(text, groupLimits)
    expect(judgeAgain(text, groupLimits)).toEqual({ document: text, size })
  })
})

describe('a text is no plain schema', () => {
  test.each([
    ['without a tree', schemaOf()],
    ['of six trees', schemaOf(leaves(6))],
    ['of five levels', schemaOf(nested(5))],
    ['of 201 categories', schemaOf(`{"title":"A","categories":[${leaves(200)}]}`)],
    ['with a title of 100 characters', titled('x'.repeat(100))],
    ['with a description of 300 characters', described('description', 'x'.repeat(300))],
    ['with a source of 1001 characters', described('source', 'x'.repeat(1001))],
    ['with an empty title', titled('')],
    ['with the longest blank title', titled('\u00a0'.repeat(99))],
    ['with a title of what is not seen', titled('\u200b\u2060\u00ad\u034f')],
    ['with the longest title of what is not seen', titled('\u{e0041}'.repeat(49))],
    ['with a slash in a title', titled('A/B')],
    ['with a comma in a title', titled('A,B')],
    ['with a control character in a title', titled('A\u0085')],
    ['with a lone surrogate', described('description', '\ud800')],
    ['with a line break in a text', described('description', 'A\nB')],
    ['with an escape', titled('A\\u0042')],
    ['with a quote in a title', titled('A"B')],
    ['with a member twice', schemaOf('{"title":"A","title":"A"}')],
    ['with a member after the children', schemaOf('{"title":"A","categories":[{"title":"B"}],"description":"C"}')],
    ['with another member', schemaOf('{"title":"A","id":1}')],
    ['with a comma too many', schemaOf('{"title":"A"},')],
    ['with lists closed that were not open', `${titled('A')}]},{"title":"B","categories":[{"title":"C"}`],
    ['with lists closed that were not open, twice', `${titled('A')}]}]},{"title":"B","categories":[{"title":"C"}]}`],
    ['with a comma too few', schemaOf('{"title":"A"}{"title":"B"}')],
    ['with a comma before the children', schemaOf('{"title":"A","categories":[,{"title":"B"}]}')],
    ['with a bracket too many', schemaOf('{"title":"A"}]}')],
    ['that ends too early', titled('A').slice(0, -2)],
    ['that ends too late', `${titled('A')} `],
    ['that begins too early', ` ${titled('A')}`],
    ['that is nothing', ''],
  ])('%s', (_what, text) => {
    expect(measurePlainSchema(text, groupLimits)).toBeUndefined()
  })
})

test('a title that any one character leaves blank is no plain schema', () => {
  const blank = Array.from({ length: 0x110000 }, (_, point) => String.fromCodePoint(point)).filter(isBlank)
  expect(blank.length).toBeGreaterThan(4000)
  expect(blank.filter((sign) => measurePlainSchema(titled(sign), groupLimits))).toEqual([])
})

const smallLimits: SchemaLimits = {
  trees: 2,
  levels: 2,
  categories: 4,
  titleLength: 2,
  descriptionLength: 3,
  sourceLength: 4,
}

test('the verdict on a plain text is the text, by a plain judge', () => {
  const words = fc.constantFrom(
    ...['{"title":"A"', '{"title":" ', '"', 'A', '🗺', ',"description":"', ',"source":"', ',"categories":['],
    ...['{"title":"A"}', '{"title":"B","categories":[', ']}', '}', ']', ',', '\\n', '/', '\ud800', ' '],
  )
  let plain = 0
  fc.assert(
    fc.property(fc.array(words, { maxLength: 10 }), fc.constantFrom(']}', ']}]}'), (middle, end) => {
      const text = `{"categorySchema":[${middle.join('')}${end}`
      const size = measurePlainSchema(text, smallLimits)
      if (!size) return
      plain += 1
      expect(judgeAgain(text, smallLimits)).toEqual({ document: text, size })
    }),
    { seed: 14, numRuns: countOf({ sample: 10_000, long: 30_000 }) },
  )
  expect(plain).toBeGreaterThan(50)
})

test('texts put together of the parts of schemas are plain only if they are JSON, whole and as it would be written', () => {
  const parts = [
    '{"title":"A"',
    '{"title":"B","description":"C"',
    '}',
    ']}',
    ',"categories":[',
    ',',
    '{"title":"A"}',
    '{"title":"A","categories":[',
    '{"title":"A","categories":[]}',
    ']',
  ]
  const text = fc
    .array(fc.constantFrom(...parts), { maxLength: 12 })
    .map((chosen) => `{"categorySchema":[${chosen.join('')}`)
  const numRuns = countOf({ sample: 10_000, system: 30_000, long: 200_000 })
  let plain = 0
  fc.assert(
    fc.property(text, (given) => {
      if (!measurePlainSchema(given, groupLimits)) return
      plain += 1
      expect(JSON.stringify(JSON.parse(given))).toBe(given)
    }),
    { seed: 1, numRuns },
  )
  expect(plain).toBeGreaterThan(numRuns / 1_000)
})
