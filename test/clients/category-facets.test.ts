import { createRequire } from 'node:module'
import { createItem } from '@esri/arcgis-rest-portal'
import { expect, test } from 'vitest'
import { startListeningPortal } from '../support/portal/listening-portal.ts'
import type { Body } from '../support/portal/portal.ts'

/**
 * The client that builds the galleries of public sites: it narrows what it shows by the categories that a search counts.
 * Its types are not read: one of the packages that they name has sources in place of declarations, which do not compile.
 */
const require = createRequire(import.meta.url)
const { fetchCategoriesUiSchemaElement, hubSearch } = require('@esri/hub-common') as {
  readonly fetchCategoriesUiSchemaElement: (options: object) => Promise<Body>
  readonly hubSearch: (query: object, options: object) => Promise<Body>
}

const categorySchema = {
  categorySchema: [
    { title: 'Categories', categories: [{ title: 'Water', categories: [{ title: 'Lakes' }] }, { title: 'Soil' }] },
  ],
}

/** A portal with a schema and four items, and how the client calls it. */
async function openGallery() {
  const portal = await startListeningPortal()
  await (await portal.admin()).post('/portals/self/assignCategorySchema', { categorySchema })
  const authentication = await portal.identity()
  const add = (title: string, type: string, tags: string[], categories: string[]) =>
    createItem({ item: { title, type, tags, categories }, authentication })
  await add('Alpine lakes', 'Web Map', ['alps'], ['/Categories/Water/Lakes'])
  await add('Rivers', 'Web Scene', ['rivers'], ['/Categories/Water', '/Categories/Soil'])
  await add('Alpine soils', 'Web Map', ['alps'], ['/Categories/Soil'])
  await add('Borders', 'Web Map', [], [])
  const requestOptions = { authentication, portal: portal.url, isPortal: true }
  return { portal, requestOptions, [Symbol.asyncDispose]: () => portal[Symbol.asyncDispose]() }
}

type Gallery = Awaited<ReturnType<typeof openGallery>>

const items = (...predicates: Record<string, unknown>[]) => ({
  targetEntity: 'item',
  filters: [{ operation: 'AND', predicates }],
})

/** Categories that the form offers. */
async function categoriesToChoose({ requestOptions }: Gallery, query: object, currentValues: string[] = []) {
  const context = { hubRequestOptions: requestOptions }
  const [control] = await fetchCategoriesUiSchemaElement({ source: 'query', query, currentValues, context })
  return control.options.groups
}

const titlesOf = ({ results }: { readonly results: readonly { readonly name: string }[] }) =>
  results.map(({ name }) => name).toSorted()

test('the categories to choose from are the tree of what a query finds', async () => {
  await using gallery = await openGallery()
  expect(await categoriesToChoose(gallery, items({ owner: 'admin' }))).toMatchObject([
    {
      items: expect.arrayContaining([
        {
          label: 'Water',
          value: '/Categories/Water',
          children: [{ label: 'Lakes', value: '/Categories/Water/Lakes', children: [] }],
        },
        { label: 'Soil', value: '/Categories/Soil', children: [] },
      ]),
    },
  ])
})

test('a narrower query offers fewer, and what was chosen before stands among the unrecognized', async () => {
  await using gallery = await openGallery()
  const groups = await categoriesToChoose(gallery, items({ title: 'soils' }), ['/Categories/Water'])
  expect(groups).toMatchObject([
    { label: expect.stringContaining('unrecognized'), items: [{ value: '/Categories/Water' }] },
    { label: expect.stringContaining('recognized'), items: [{ value: '/Categories/Soil' }] },
  ])
})

test('where nothing has a category, there is nothing to choose, and no error', async () => {
  await using gallery = await openGallery()
  expect(await categoriesToChoose(gallery, items({ title: 'Borders' }))).toEqual([])
})

test.each<readonly [string, Record<string, unknown>, readonly string[]]>([
  ['a category and what is below it', { categories: ['/Categories/Water'] }, ['Alpine lakes', 'Rivers']],
  [
    'one of several categories',
    { categories: ['/Categories/Water/Lakes', '/Categories/Soil'] },
    ['Alpine lakes', 'Alpine soils', 'Rivers'],
  ],
  ['a word and a category', { term: 'alpine', categories: ['/Categories/Soil'] }, ['Alpine soils']],
  ['a type and no tag', { type: 'Web Map', tags: { not: ['alps'] } }, ['Borders']],
])('a gallery finds by %s', async (_, predicate, expected) => {
  await using gallery = await openGallery()
  const found = await hubSearch(items(predicate), { requestOptions: gallery.requestOptions, num: 10 })
  expect(titlesOf(found)).toEqual(expected)
  expect(found.total).toBe(expected.length)
})

test('a gallery counts categories and types beside its first page, and goes to the next', async () => {
  await using gallery = await openGallery()
  const found = await hubSearch(items({ owner: 'admin' }), {
    requestOptions: gallery.requestOptions,
    num: 3,
    sortField: 'title',
    sortOrder: 'asc',
    aggFields: ['categories', 'type'],
    aggLimit: 50,
  })
  expect(titlesOf(found)).toEqual(['Alpine lakes', 'Alpine soils', 'Borders'])
  expect(found).toMatchObject({ total: 4, hasNext: true })
  expect(found.aggregations).toMatchObject([
    {
      field: 'categories',
      values: [
        { value: '/Categories', count: 3 },
        { value: '/Categories/Soil', count: 2 },
        { value: '/Categories/Water', count: 2 },
        { value: '/Categories/Water/Lakes', count: 1 },
      ],
    },
    {
      field: 'type',
      values: [
        { value: 'Web Map', count: 3 },
        { value: 'Web Scene', count: 1 },
      ],
    },
  ])
  const last = await found.next()
  expect(titlesOf(last)).toEqual(['Rivers'])
  expect(last.hasNext).toBe(false)
})
