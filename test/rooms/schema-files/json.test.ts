import { describe, expect, test } from 'vitest'
import { readJson, writeJson } from '../../../src/schema-files/json.ts'

const water = { title: 'Water', categories: [{ title: 'Rivers', description: 'Flowing' }] }
const schema = { categorySchema: [water] }

function readValue(text: string) {
  const reading = readJson(text)
  if ('problems' in reading) throw new Error(reading.problems.join(' '))
  return reading.value
}

describe('a JSON file may contain', () => {
  test.each([
    ['the object of the API', schema],
    ['a bare array', [water]],
    ['an export with its version', { ...schema, version: 7, hash: 'sha256:00', comment: null }],
    ['one that is wrapped in data', { data: schema }],
    ['a bare array in data', { data: [water] }],
    [
      'the result of a plan file',
      { cartularyPlan: 1, base: { document: { categorySchema: [] } }, result: { hash: 'sha256:00', document: schema } },
    ],
  ])('%s', (_what, document) => {
    expect(readValue(JSON.stringify(document))).toEqual({
      schema,
      format: 'json',
      rows: 2,
      notes: [],
      places: new Map(),
    })
  })
})

test('a member that a category does not have is left out with a note', () => {
  const text = '{"categorySchema":[{"title":"A","id":1,"__proto__":{"title":"B"},"categories":[{"title":"C","id":2}]}]}'
  const { schema, notes } = readValue(text)
  expect(schema).toEqual({ categorySchema: [{ title: 'A', categories: [{ title: 'C' }] }] })
  expect(notes).toEqual([
    {
      message: 'The member id at /categorySchema/0 was left out, first of 2 times: a category has no such member.',
    },
    { message: 'The member __proto__ at /categorySchema/0 was left out: a category has no such member.' },
  ])
})

test('a source that is not a text is left out with a note', () => {
  expect(readValue('[{"title":"A","source":5}]').notes).toEqual([
    { message: 'The member source at /categorySchema/0 was left out: a category has no such member.' },
  ])
})

test('of many unknown members, twenty have a note of their own', () => {
  const members = Array.from({ length: 23 }, (_, at) => `"m${at}":0`).join()
  const { notes } = readValue(`[{"title":"A",${members}}]`)
  expect(notes).toHaveLength(21)
  expect(notes.at(-1)).toEqual({ message: '3 further members were left out.' })
})

describe('a JSON file is refused', () => {
  test.each([
    ['that is not JSON', '{"categorySchema":[,]}', 'Not JSON at line 1, column 20: a value is expected, not ,.'],
    [
      'with a member twice',
      '{"categorySchema":[],"categorySchema":[]}',
      'The document has the member categorySchema twice.',
    ],
    ['without a schema', '{"type":"FeatureCollection"}', 'The document has no array categorySchema.'],
    ['of another value', '"categorySchema"', 'The document has no array categorySchema.'],
    ['with null for a schema', '{"data":null}', 'The document has no array categorySchema.'],
    ['wrapped too often', '{"data":{"data":{"data":{"data":[]}}}}', 'The document has no array categorySchema.'],
    ['with an object for a schema', '{"categorySchema":{}}', 'The document has no array categorySchema.'],
    ['without categories', '{"categorySchema":[]}', 'The document has no categories.'],
    ['with a category that is none', '[1]', '/categorySchema/0 is not an object.'],
    ['with a title that is none', '[{"title":1}]', '/categorySchema/0/title is not a string.'],
    ['that nests deeply', `${'['.repeat(65)}${']'.repeat(65)}`, 'The document nests more than 64 levels deep.'],
    ['of too many values', `[${'{},'.repeat(10_000)}{}]`, 'The document has more than 10000 values.'],
  ])('%s', (_what, text, problem) => {
    expect(readJson(text)).toEqual({ problems: [problem] })
  })
})

test('a JSON file is the stored document, or laid out in lines', () => {
  const document = '{"categorySchema":[{"title":"A"}]}'
  expect(writeJson(document, false).content).toBe(document)
  expect(writeJson(document, true).content).toBe(JSON.stringify(JSON.parse(document), null, 2))
})
