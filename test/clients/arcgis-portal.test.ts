import { getGroupCategorySchema, getSelf, searchGroupContent, searchItems } from '@esri/arcgis-rest-portal'
import { ArcGISIdentityManager, request } from '@esri/arcgis-rest-request'
import { expect, test } from 'vitest'
import { ArcgisPortal } from '../support/arcgis/arcgis-portal.ts'

/** The portal that stands for ArcGIS in tests is judged by the client that Esri writes for ArcGIS. */

const schema = { categorySchema: [{ title: 'Water', categories: [{ title: 'Rivers' }] }] }

async function open(kind: 'online' | 'enterprise') {
  const portal = await ArcgisPortal.open(kind)
  const rest = `${portal.url}/sharing/rest`
  const password = portal.users.get('anna')!.password
  const authentication = await ArcGISIdentityManager.signIn({ username: 'anna', password, portal: rest })
  return { portal, rest, authentication }
}

test.each(['online', 'enterprise'] as const)(
  'ArcGIS REST JS signs in, assigns, reads and searches (%s)',
  async (kind) => {
    const { portal, rest, authentication } = await open(kind)
    await using _ = portal
    const group = portal.addGroup('Maps', 'anna')
    const item = portal.addItem({ categories: ['/Water/Rivers'] })
    item.inGroups.set(group.id, [])
    const foreign = portal.addItem({ categories: ['/Water'], orgId: 'AnotherOrgAAAAAA' })
    portal.index.settle()

    expect(await getSelf({ authentication })).toMatchObject({ id: portal.id, isPortal: kind === 'enterprise' })
    const assign = `${rest}/community/groups/${group.id}/assignCategorySchema`
    expect(await request(assign, { authentication, params: { categorySchema: schema } })).toEqual({ success: true })
    expect(await getGroupCategorySchema(group.id, { authentication })).toEqual(schema)
    const update = `${rest}/content/groups/${group.id}/updateCategories`
    const items = [{ [item.id]: ['/Water'] }]
    const results = [{ itemId: item.id, success: true }]
    expect(await request(update, { authentication, params: { items } })).toEqual({ results })

    // Without an organization, a search finds the items of the whole world.
    const everywhere = await searchItems({ q: '', params: { categories: '/water' }, authentication })
    expect(everywhere.results.map(({ id }) => id)).toEqual([item.id, foreign.id])
    const own = await searchItems({ q: `orgid:${portal.id}`, params: { categories: '/water' }, authentication })
    expect(own.results.map(({ id }) => id)).toEqual([item.id])
    const inGroup = await searchGroupContent({ q: '', groupId: group.id, categories: ['/Water'], authentication })
    expect(inGroup.results.map(({ groupCategories }) => groupCategories)).toEqual([['/Water']])
    expect(portal.extensions).toEqual([])
  },
)

test('every byte that no public page describes is counted, and has no effect', async () => {
  const { portal, rest, authentication } = await open('enterprise')
  await using _ = portal
  const url = `${rest}/portals/self/assignCategorySchema`
  const withTests = { ...schema, tests: [] }
  const params = { categorySchema: withTests, dryRun: true }
  await request(url, { authentication, params, headers: { 'If-Match': '"1"' } })
  await request(`${rest}/portals/self/categorySchema/plan`, { authentication }).catch(() => {})
  expect(portal.extensions).toEqual([
    { where: 'assignPortalSchema parameter', text: 'dryRun=true' },
    { where: 'assignPortalSchema header', text: 'if-match: "1"' },
    { where: 'assignPortalSchema member of the schema', text: 'tests:[]' },
    { where: 'path', text: '/portal/sharing/rest/portals/self/categorySchema/plan' },
  ])
  expect(portal.extensionBytes).toBe(85)
  // An unknown parameter is ignored: a dry run writes.
  expect(portal.schemas.get(portal.id)).toEqual(withTests)
})

test('a token is bound to the Referer that it was asked for with, and ends', async () => {
  await using portal = await ArcgisPortal.open('online')
  const rest = `${portal.url}/sharing/rest`
  const read = async (headers: Record<string, string>) => {
    const answer = await fetch(`${rest}/community/self?f=json`, { headers })
    return ((await answer.json()) as { error?: { code: number } }).error?.code
  }
  const token = portal.tokenOf('anna', 'https://client.example')
  const authorization = { 'X-Esri-Authorization': `Bearer ${token}` }
  expect(await read({ ...authorization, Referer: 'https://client.example' })).toBeUndefined()
  expect(await read(authorization)).toBe(498)
  portal.tokens.get(token)!.isOver = true
  expect(await read({ ...authorization, Referer: 'https://client.example' })).toBe(498)
  expect(await read({})).toBe(499)
})
