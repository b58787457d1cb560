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

const { stringify } = JSON

test.each<[Given, string]>([
  [{ categories: Array(9).fill('/A') }, 'categories: has 9 lists; at most 8 are allowed.'],
  [{ categories: stringify(paths(9).map((path) => [path])) }, 'categories: has 9 lists; at most 8 are allowed.'],
  [{ categories: paths(9).join() }, 'categories: has a list of 9; at most 8 are allowed.'],
  [{ categories: '[1]' }, 'categories: has to be a list of texts, or a list of such lists.'],
  [{ categories: '[[["/A"]]]' }, 'categories: has to be a list of texts, or a list of such lists.'],
  [{ categories: '["/A"' }, 'categories: begins like JSON, and is none.'],
  [{ categories: '"/A' }, 'categories: begins like JSON, and is none.'],
  [{ categories: `/${'a'.repeat(1_000)}` }, 'categories: an entry has 1001 characters; at most 1000 are allowed.'],
  [{ categories: '['.repeat(10_241) }, 'categories: has 10241 characters; at most 10240 are allowed.'],
  [{ categories: '/A\u0007' }, 'categories: an entry has a control character.'],
  [{ categoryFilters: ['a', 'b', 'c'] }, 'categoryFilters: has 3 lists; at most 2 are allowed.'],
  [{ categoryFilters: 'a,b,c,d' }, 'categoryFilters: has a list of 4; at most 3 are allowed.'],
  [{ q: ['a', 'b'] }, 'q: given 2 times; give it once.'],
  [{ bbox: '1,2,3' }, 'bbox: has to be four numbers: west,south,east,north.'],
  [{ bbox: '1,2,3,4,5' }, 'bbox: has to be four numbers: west,south,east,north.'],
  [{ bbox: '1,,3,4' }, 'bbox: has to be four numbers: west,south,east,north.'],
  [{ bbox: '1,2,3,Infinity' }, 'bbox: has to be four numbers: west,south,east,north.'],
  [{ bbox: '3,2,1,4' }, 'bbox: has to have west before east and south before north.'],
  [{ sortField: 'title,size' }, expect.stringMatching(/^sortField: has to be one of relevance, title,/)],
  [{ sortField: 'constructor' }, expect.stringMatching(/^sortField: has to be one of/)],
  [{ sortOrder: 'up' }, 'sortOrder: has to be one of asc, desc.'],
  [{ countFields: 'tags,owner' }, 'countFields: has to be some of categories, tags, type, access, contentstatus.'],
  [{ countFields: 'tags,type,access,categories' }, 'countFields: has 4 fields; at most 3 are allowed.'],
  [{ countSize: '-1' }, 'countSize: has to be 0 or more.'],
  [{ num: '-1' }, 'num: has to be 0 or more.'],
  [{ num: 'all' }, 'num: is not a whole number.'],
  [{ start: '1.5' }, 'start: is not a whole number.'],
  [{ exclude: paths(21).join() }, 'exclude: has 21 entries; at most 20 are allowed.'],
])('%j is refused', async (given, problem) => {
  expect(await read(given)).toEqual({ problems: [problem] })
})
