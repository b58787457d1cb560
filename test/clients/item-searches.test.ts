import {
  createItem,
  type ISearchResult,
  SearchQueryBuilder,
  searchGroupContent,
  searchItems,
  shareItemWithGroup,
} from '@esri/arcgis-rest-portal'
import { ArcGISRequestError, request } from '@esri/arcgis-rest-request'
import { expect, test } from 'vitest'
import { startListeningPortal } from '../support/portal/listening-portal.ts'
import { rejectionOf } from '../support/rejection.ts'

const tree = (title: string, ...titles: string[]) => ({
  categorySchema: [{ title, categories: titles.map((name) => ({ title: name })) }],
})
// biome-ignore lint/suspicious/noExplicitAny: groups, items and users are searched alike
const titles = ({ results }: ISearchResult<any>) => results.map(({ title }) => title).toSorted()

/** A portal with a schema and four items, two of them in a group with a schema of its own. */
async function openLibrary() {
  const portal = await startListeningPortal()
  const admin = await portal.admin()
  await admin.post('/portals/self/assignCategorySchema', { categorySchema: tree('Categories', 'Water', 'Soil') })
  const { id: groupId } = await admin.createGroup('Alps')
  await admin.post(`/community/groups/${groupId}/assignCategorySchema`, {
    categorySchema: tree('Region', 'East', 'West'),
  })
  const authentication = await portal.identity()
  const ids: Record<string, string> = {}
  const add = async (title: string, type: string, tags: string[], categories: string[]) => {
    ids[title] = (await createItem({ item: { title, type, tags, categories }, authentication })).id
  }
  await add('Alpine lakes', 'Web Map', ['water', 'alps'], ['/Categories/Water'])
  await add('Lake district', 'Web Scene', ['water'], ['/Categories/Water', '/Categories/Soil'])
  await add('Alpine soils', 'Web Map', ['alps'], ['/Categories/Soil'])
  await add('Borders', 'Web Map', [], [])
  for (const title of ['Alpine lakes', 'Alpine soils']) {
    await shareItemWithGroup({ id: ids[title]!, groupId, authentication })
  }
  return { portal, authentication, groupId, ids, [Symbol.asyncDispose]: () => portal[Symbol.asyncDispose]() }
}

test('searchItems finds by words what was just written, and echoes the query', async () => {
  await using library = await openLibrary()
  const found = await searchItems({ q: 'title:alpine', authentication: library.authentication })
  expect(found).toMatchObject({ query: 'title:alpine', total: 2, start: 1, num: 10, nextStart: -1 })
  expect(titles(found)).toEqual(['Alpine lakes', 'Alpine soils'])
})

test.each<readonly [string, unknown, readonly string[]]>([
  ['one of a list', ['/Categories/Water', '/Categories/Soil'], ['Alpine lakes', 'Alpine soils', 'Lake district']],
  ['each of several lists', [['/Categories/Water', '/Categories/Nowhere'], ['/categories/soil']], ['Lake district']],
  ['a parent', '/Categories', ['Alpine lakes', 'Alpine soils', 'Lake district']],
])('searchItems by categories finds %s', async (_, categories, expected) => {
  await using library = await openLibrary()
  const { authentication } = library
  for (const httpMethod of ['GET', 'POST'] as const) {
    const found = await searchItems({ q: '', categories: categories as string[], httpMethod, authentication })
    expect(titles(found)).toEqual(expected)
  }
})

test('searchItems with num 0 counts categories with their parents, and types', async () => {
  await using library = await openLibrary()
  const found = await searchItems({
    q: '*',
    num: 0,
    countFields: 'categories,type',
    countSize: 200,
    authentication: library.authentication,
  })
  expect(found).toMatchObject({ total: 4, num: 0, nextStart: -1, results: [] })
  expect(found.aggregations).toEqual({
    counts: [
      {
        fieldName: 'categories',
        fieldValues: [
          { value: '/Categories', count: 3 },
          { value: '/Categories/Soil', count: 2 },
          { value: '/Categories/Water', count: 2 },
        ],
      },
      {
        fieldName: 'type',
        fieldValues: [
          { value: 'Web Map', count: 3 },
          { value: 'Web Scene', count: 1 },
        ],
      },
    ],
  })
})

test('searchItems goes from page to page with nextPage', async () => {
  await using library = await openLibrary()
  const { authentication } = library
  const first = await searchItems({ q: '*', num: 3, sortField: 'title', sortOrder: 'desc', authentication })
  expect(first.results.map(({ title }) => title)).toEqual(['Lake district', 'Borders', 'Alpine soils'])
  const last = await first.nextPage!()
  expect(last.results.map(({ title }) => title)).toEqual(['Alpine lakes'])
  expect(last.nextPage).toBeUndefined()
})

test('searchItems by filter compares whole values', async () => {
  await using library = await openLibrary()
  const search = (filter: string) => searchItems({ q: '', filter, authentication: library.authentication })
  expect(titles(await search('title:"alpine lakes"'))).toEqual(['Alpine lakes'])
  expect(titles(await search('title:"alpine"'))).toEqual([])
})

test('searchItems understands groups, ranges, phrases and boosts of the query builder', async () => {
  await using library = await openLibrary()
  const { authentication, portal } = library
  const q = new SearchQueryBuilder()
    .match('admin')
    .in('owner')
    .and()
    .from(portal.clock.now - 1)
    .to(portal.clock.now + 1)
    .in('created')
    .and()
    .startGroup()
    .match('Web Scene')
    .in('type')
    .or()
    .match('Lakes')
    .in('title')
    .endGroup()
    .and()
    .match('water')
    .boost(3)
  const found = await searchItems({ q, authentication })
  expect(found.query).toContain('AND (type:"Web Scene" OR title:Lakes) AND water^3')
  expect(titles(found)).toEqual(['Alpine lakes', 'Lake district'])
})

test('searchItems understands a builder that only leaves out', async () => {
  await using library = await openLibrary()
  const q = new SearchQueryBuilder().not().match('alpine').in('title')
  const found = await searchItems({ q, authentication: library.authentication })
  expect(titles(found)).toEqual(['Borders', 'Lake district'])
})

test('searchItems refuses a field that there is not, and names it', async () => {
  await using library = await openLibrary()
  const { authentication } = library
  const error = await rejectionOf(searchItems({ q: 'colour:red', authentication }), ArcGISRequestError)
  expect(error.originalMessage).toBe('Unable to search items.')
  expect(JSON.stringify(error.response.error.details)).toContain('colour')
})

test('searchGroupContent without a query finds all that the group has', async () => {
  await using library = await openLibrary()
  const { authentication, groupId } = library
  const found = await searchGroupContent({ groupId, num: 1, q: '', authentication })
  expect(found).toMatchObject({ total: 2, num: 1, nextStart: 2 })
  const bare = await request(`${library.portal.url}/content/groups/${groupId}/search`, {
    httpMethod: 'GET',
    authentication,
    params: { num: 1 },
  })
  expect(bare).toMatchObject({ query: '', total: 2, results: [{ groupCategories: [] }] })
})

test('categories of a group are given by updateCategories, and searched and counted in the group', async () => {
  await using library = await openLibrary()
  const { authentication, groupId, ids, portal } = library
  const lakes = ids['Alpine lakes']!
  const soils = ids['Alpine soils']!
  const items = [{ [lakes]: ['/Region/East'] }, { [soils]: { categories: ['/Region/West'] } }]
  const url = `${portal.url}/content/groups/${groupId}/updateCategories`
  expect(await request(url, { authentication, params: { items } })).toEqual({
    results: [
      { itemId: lakes, success: true },
      { itemId: soils, success: true },
    ],
  })
  const search = (categories: string[]) => searchGroupContent({ groupId, q: '', categories, authentication })
  const found = await search(['/Region/East'])
  expect(found.results).toMatchObject([{ title: 'Alpine lakes', groupCategories: ['/Region/East'] }])
  expect(titles(await search(['/Region']))).toEqual(['Alpine lakes', 'Alpine soils'])
  expect(titles(await search(['/Categories/Water']))).toEqual([])
  const counted = await searchGroupContent({ groupId, q: '', num: 0, countFields: 'categories', authentication })
  expect(counted.aggregations?.counts[0]?.fieldValues).toEqual([
    { value: '/Region', count: 2 },
    { value: '/Region/East', count: 1 },
    { value: '/Region/West', count: 1 },
  ])
})

test('searchItems without an identity finds what is public, and nothing else', async () => {
  await using library = await openLibrary()
  const { authentication, ids, portal } = library
  await request(`${portal.url}/content/users/admin/items/${ids['Borders']}/share`, {
    authentication,
    params: { everyone: true, org: true },
  })
  expect(titles(await searchItems({ q: '*', portal: portal.url }))).toEqual(['Borders'])
})
