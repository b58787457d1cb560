import { getGroup, getGroupCategorySchema, getSelf } from '@esri/arcgis-rest-portal'
import { type ArcGISIdentityManager, ArcGISRequestError, request } from '@esri/arcgis-rest-request'
import { requestAsBrowser } from '../support/browser/browser-client.ts'
import { expect, test } from '../support/portal/client-test.ts'
import type { ListeningPortal } from '../support/portal/listening-portal.ts'
import { rejectionOf } from '../support/rejection.ts'

const schema = {
  categorySchema: [
    {
      title: 'Region',
      description: 'Wo liegt’s? 50 % & mehr + 🗺️',
      categories: [{ title: 'World' }, { title: 'Überall', categories: [] }],
    },
    { title: '主题' },
  ],
}
const sixTrees = { categorySchema: ['A', 'B', 'C', 'D', 'E', 'F'].map((title) => ({ title })) }
const tooLargeOrEmpty = {
  error: {
    code: 400,
    messageCode: 'ORG_1132',
    message: 'Unable to assign category schema.',
    details: ['Category schema exceeds max tree size or empty.'],
  },
}

/** 200 categories in five trees, each with a long description: about 50 KB on the wire. */
const fullSchema = {
  categorySchema: ['A', 'B', 'C', 'D', 'E'].map((title) => ({
    title,
    categories: Array.from({ length: 39 }, (_, number) => ({
      title: `${title} ${number}`,
      description: 'Ä'.repeat(40),
    })),
  })),
}

interface Setting {
  readonly authentication: ArcGISIdentityManager
  readonly groupId: string
  readonly groupUrl: string
  readonly portalUrl: string
}

/** An administrator with a group. */
async function open(portal: ListeningPortal): Promise<Setting> {
  const { id: groupId } = await (await portal.admin()).createGroup('Maps')
  return {
    authentication: await portal.identity(),
    groupId,
    groupUrl: `${portal.url}/community/groups/${groupId}`,
    portalUrl: `${portal.url}/portals/self`,
  }
}

test('getGroupCategorySchema of a group without one is an empty list', async ({ portal }) => {
  const { authentication, groupId } = await open(portal)
  expect(await getGroupCategorySchema(groupId, { authentication })).toEqual({ categorySchema: [] })
})

test('getGroupCategorySchema answers what was assigned, to the letter', async ({ portal }) => {
  const { authentication, groupId, groupUrl } = await open(portal)
  const params = { categorySchema: schema }
  expect(await request(`${groupUrl}/assignCategorySchema`, { authentication, params })).toEqual({ success: true })
  const answer = await getGroupCategorySchema(groupId, { authentication })
  expect(JSON.stringify(answer)).toBe(JSON.stringify(schema))
})

test('a group schema that comes as multipart, beside a file, is assigned', async ({ portal }) => {
  const { authentication, groupId, groupUrl } = await open(portal)
  const params = { categorySchema: schema, attachment: new Blob(['anything']) }
  await requestAsBrowser(`${groupUrl}/assignCategorySchema`, { authentication, params })
  expect(portal.lastArrival.headers['content-type']).toMatch(/^multipart\/form-data/)
  expect(await getGroupCategorySchema(groupId, { authentication })).toEqual(schema)
})

test('a group schema that is too long for a URL arrives although the client was set to GET', async ({ portal }) => {
  const { authentication, groupId, groupUrl } = await open(portal)
  const params = { categorySchema: fullSchema }
  await request(`${groupUrl}/assignCategorySchema`, { authentication, httpMethod: 'GET', params })
  expect(await getGroupCategorySchema(groupId, { authentication })).toEqual(fullSchema)
})

test('getGroup says whether the group has a schema', async ({ portal }) => {
  const { authentication, groupId, groupUrl } = await open(portal)
  expect(await getGroup(groupId, { authentication })).toMatchObject({ hasCategorySchema: false })
  await request(`${groupUrl}/assignCategorySchema`, { authentication, params: { categorySchema: schema } })
  expect(await getGroup(groupId, { authentication })).toMatchObject({ hasCategorySchema: true })
})

test('getSelf says whether the organization has a schema', async ({ portal }) => {
  const { authentication, portalUrl } = await open(portal)
  expect(await getSelf({ authentication })).toMatchObject({ hasCategorySchema: false })
  await request(`${portalUrl}/assignCategorySchema`, { authentication, params: { categorySchema: schema } })
  expect(await getSelf({ authentication })).toMatchObject({ hasCategorySchema: true })
})

test('more than five trees are ORG_1132', async ({ portal }) => {
  const { authentication, groupUrl } = await open(portal)
  const url = `${groupUrl}/assignCategorySchema`
  const params = { categorySchema: sixTrees }
  const error = await rejectionOf(request(url, { authentication, params }), ArcGISRequestError)
  expect(error.name).toBe('ArcGISRequestError')
  expect(error.code).toBe('ORG_1132')
  expect(error.originalMessage).toBe('Unable to assign category schema.')
  expect(error.message).toBe('ORG_1132: Unable to assign category schema.')
  expect(error.response).toEqual(tooLargeOrEmpty)
  expect(error.url).toBe(url)
})

test('deleting a schema that the organization does not have is 404 without a message code', async ({ portal }) => {
  const { authentication, portalUrl } = await open(portal)
  const remove = request(`${portalUrl}/deleteCategorySchema`, { authentication })
  const error = await rejectionOf(remove, ArcGISRequestError)
  expect(error.code).toBe(404)
  expect(error.message).toBe('404: Resource does not exist or is inaccessible.')
  expect(error.response).toEqual({
    error: { code: 404, message: 'Resource does not exist or is inaccessible.', details: [] },
  })
})

test('a member of a group may read its schema and not assign it: 403', async ({ portal }) => {
  const { groupId, groupUrl } = await open(portal)
  const anna = await portal.newIdentity('anna')
  await (await portal.admin()).post(`/community/groups/${groupId}/addUsers`, { users: 'anna' })
  expect(await getGroupCategorySchema(groupId, { authentication: anna })).toEqual({ categorySchema: [] })
  const assign = request(`${groupUrl}/assignCategorySchema`, {
    authentication: anna,
    params: { categorySchema: schema },
  })
  const error = await rejectionOf(assign, ArcGISRequestError)
  expect(error.code).toBe('GWM_0003')
  expect(error.response.error.code).toBe(403)
})
