import { expect, test } from 'vitest'
import { readRequestParameters } from '../../../../src/http/decoding/request-parameters.ts'
import { searchParameters } from '../../../../src/http/endpoints/items/search-parameters.ts'
import { readValues } from '../../../../src/http/endpoints/parameter-values.ts'

type Given = Readonly<Record<string, string | readonly string[]>>

/** Reads a request with these parameters, as a query and as a form. */
async function read(given: Given) {
  const pairs = Object.entries(given).flatMap(([name, values]) => [values].flat().map((value) => [name, value]))
  const text = new URLSearchParams(pairs as [string, string][]).toString()
  const form = { contentType: 'application/x-www-form-urlencoded', bareBody: undefined }
  const sources = [
    { ...form, query: text, body: undefined },
    { ...form, query: '', body: Buffer.from(text) },
  ]
  const [query, body] = await Promise.all(
    sources.map(async (source) => readValues(searchParameters, await readRequestParameters(source))),
  )
  expect(query).toEqual(body)
  return query!
}

test('nothing given', async () => {
  expect(await read({})).toEqual({
    value: {
      q: undefined,
      filter: undefined,
      bbox: undefined,
      categories: [],
      categoryFilters: [],
      uncategorized: undefined,
      start: 1,
      num: 10,
      sortField: undefined,
      sortOrder: undefined,
      countFields: [],
      countSize: 10,
      exclude: undefined,
    },
  })
})

const paths = (count: number) => Array.from({ length: count }, (_, at) => `/${at}`)

test.each<[string, Given, Record<string, unknown>]>([
  ['one path', { categories: '/A' }, { categories: [['/A']] }],
  ['a comma list', { categories: ' /A , /B,, ' }, { categories: [['/A', '/B']] }],
  ['several parameters', { categories: ['/A,/B', '/C'] }, { categories: [['/A', '/B'], ['/C']] }],
  ['JSON arrays in several parameters', { categories: ['["A","B"]', '["C"]'] }, { categories: [['A', 'B'], ['C']] }],
  ['a JSON array', { categories: '["/A", "/B"]' }, { categories: [['/A', '/B']] }],
  ['a JSON array of comma lists', { categories: '["/A,/B","/C"]' }, { categories: [['/A', '/B', '/C']] }],
  ['a JSON string', { categories: '"/A,/B"' }, { categories: [['/A', '/B']] }],
  ['an array of arrays', { categories: '[["/A","/B"],["/C"]]' }, { categories: [['/A', '/B'], ['/C']] }],
  ['an array of both', { categories: '["/A",["/B","/C"]]' }, { categories: [['/A'], ['/B', '/C']] }],
  ['the same twice', { categories: '/A,/A' }, { categories: [['/A']] }],
  ['blank', { categories: '' }, { categories: [] }],
  ['blank lists', { categories: ['', '[]', '""', '[[]]', ' , '] }, { categories: [] }],
  ['eight of eight', { categories: Array(8).fill(paths(8).join()) }, { categories: Array(8).fill(paths(8)) }],
  ['filters', { categoryFilters: ['water,land use', '["x"]'] }, { categoryFilters: [['water', 'land use'], ['x']] }],
  ['a box', { bbox: '-10.5, -20,30,4e1' }, { bbox: [-10.5, -20, 30, 40] }],
  ['an empty box', { bbox: '' }, { bbox: undefined }],
  ['sort fields', { sortField: 'Title, avg-rating,UPLOADED' }, { sortField: ['title', 'created'] }],
  ['a sort field that is 0', { sortField: 'avgRating', sortOrder: 'DESC' }, { sortField: [], sortOrder: 'desc' }],
  ['an empty sort field', { sortField: '', sortOrder: '' }, { sortField: undefined, sortOrder: undefined }],
  [
    'counts',
    { countFields: 'Tags , categories,contentStatus', countSize: '500' },
    { countFields: ['tags', 'categories', 'contentstatus'], countSize: 200 },
  ],
  ['no counts', { countFields: '', countSize: '0' }, { countFields: [], countSize: 0 }],
  ['a start before the first', { start: '-1', num: '0' }, { start: -1, num: 0 }],
  ['a start beyond all', { start: '9'.repeat(50), num: '500' }, { start: Number.MAX_SAFE_INTEGER, num: 100 }],
  ['uncategorized', { uncategorized: 'TRUE' }, { uncategorized: true }],
  ['members to exclude', { exclude: 'description,url' }, { exclude: ['description', 'url'] }],
])('%s', async (_, given, expected) => {
  expect(await read(given)).toMatchObject({ value: expected })
})

test.each<[Given, string]>([
  [{ categories: Array(9).fill('/A') }, 'categories: has 9 lists; at most 8 are allowed.'],
  [{ categoryFilters: ['a', 'b', 'c'] }, 'categoryFilters: has 3 lists; at most 2 are allowed.'],
])('%j is refused', async (given, problem) => {
  expect(await read(given)).toEqual({ problems: [problem] })
})
