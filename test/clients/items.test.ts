import {
  addItemData,
  createItem,
  getGroupContent,
  getItem,
  getItemData,
  getItemGroups,
  getUserContent,
  type IItem,
  protectItem,
  reassignItem,
  removeItem,
  setItemAccess,
  shareItemWithGroup,
  unprotectItem,
  unshareItemWithGroup,
  updateItem,
} from '@esri/arcgis-rest-portal'
import { ArcGISAuthError, ArcGISRequestError, request } from '@esri/arcgis-rest-request'
import { expect, test } from 'vitest'
import { type ListeningPortal, startListeningPortal } from '../support/portal/listening-portal.ts'
import { rejectionOf } from '../support/rejection.ts'

const categorySchema = {
  categorySchema: [{ title: 'Categories', categories: [{ title: 'Water' }, { title: 'Soil' }] }],
}

/** A portal with a schema, and its administrator, who signed in with the client. */
async function openLibrary() {
  const portal = await startListeningPortal()
  const admin = await portal.admin()
  await admin.post('/portals/self/assignCategorySchema', { categorySchema })
  const authentication = await portal.identity()
  return { portal, admin, authentication, [Symbol.asyncDispose]: () => portal[Symbol.asyncDispose]() }
}

type Library = Awaited<ReturnType<typeof openLibrary>>

async function addLakes({ authentication }: Pick<Library, 'authentication'>): Promise<string> {
  return (await createItem({ item: { title: 'Lakes', type: 'Web Map', tags: ['water'] }, authentication })).id
}

const pathsOf = (portal: ListeningPortal, since: number) =>
  portal.arrivals.slice(since).map(({ method, url }) => `${method} ${new URL(url, portal.url).pathname}`)

test('createItem answers an id, by which getItem reads what was given', async () => {
  await using library = await openLibrary()
  const { authentication, portal } = library
  const created = await createItem({
    item: {
      title: 'Lakes & rivers',
      type: 'Web Map',
      tags: ['water', 'Überblick'],
      typeKeywords: ['Map'],
      snippet: 'All of them',
      description: '',
      categories: ['/Categories/Water', '/Categories/Soil'],
      extent: [
        [5.9, 45.8],
        [10.5, 47.8],
      ],
      properties: { scale: 1 },
      access: 'public',
    },
    authentication,
  })
  expect(created).toEqual({
    warnings: ['access has no effect here.'],
    success: true,
    id: expect.stringMatching(/^[0-9a-f]{32}$/),
    folder: null,
  })
  expect(await getItem(created.id, { authentication })).toMatchObject({
    id: created.id,
    owner: 'admin',
    title: 'Lakes & rivers',
    type: 'Web Map',
    tags: ['water', 'Überblick'],
    typeKeywords: ['Map'],
    snippet: 'All of them',
    categories: ['/Categories/Water', '/Categories/Soil'],
    extent: [
      [5.9, 45.8],
      [10.5, 47.8],
    ],
    properties: { scale: 1 },
    access: 'private',
    created: portal.clock.now,
  })
})

test('updateItem changes what it names, empties what it names empty, and leaves the rest', async () => {
  await using library = await openLibrary()
  const { authentication } = library
  const id = await addLakes(library)
  const before = await getItem(id, { authentication })
  library.portal.clock.now += 1_000
  const item = { id, owner: 'admin', snippet: 'All of them', tags: [], categories: ['/Categories/Water'] }
  const updated = await updateItem({ item, params: { clearEmptyFields: true }, authentication })
  expect(updated).toEqual({ success: true, id })
  expect(await getItem(id, { authentication })).toEqual({
    ...before,
    snippet: 'All of them',
    tags: [],
    categories: ['/Categories/Water'],
    modified: library.portal.clock.now,
  })
})

test('updateItem takes back what getItem answered', async () => {
  await using library = await openLibrary()
  const { authentication } = library
  const id = await addLakes(library)
  const before = await getItem(id, { authentication })
  await updateItem({ item: { ...before, title: 'Rivers' }, authentication })
  expect(await getItem(id, { authentication })).toEqual({ ...before, title: 'Rivers' })
})

test('updateItem with a category that the schema does not have is refused by its name', async () => {
  await using library = await openLibrary()
  const { authentication } = library
  const id = await addLakes(library)
  const update = updateItem({ item: { id, categories: ['/Categories/Watr'] }, authentication })
  const error = await rejectionOf(update, ArcGISRequestError)
  expect(error.originalMessage).toBe('Unable to update item.')
  expect(JSON.stringify(error.response.error.details)).toContain('/Categories/Watr')
})

test('getItemData reads what addItemData gave, and nothing before', async () => {
  await using library = await openLibrary()
  const { authentication } = library
  const id = await addLakes(library)
  expect(await getItemData(id, { authentication })).toBeUndefined()
  const text = JSON.stringify({ layers: ['Seen & Flüsse'] })
  expect(await addItemData({ id, text, authentication })).toEqual({ success: true, id })
  expect(await getItemData(id, { authentication })).toEqual({ layers: ['Seen & Flüsse'] })
  expect(await getItem(id, { authentication })).toMatchObject({ size: Buffer.byteLength(text) })
})

test('an item that is not there is an error with its code', async () => {
  await using library = await openLibrary()
  const { authentication } = library
  const error = await rejectionOf(getItem('0'.repeat(32), { authentication }), ArcGISRequestError)
  expect(error.message).toBe('CONT_0001: Item does not exist or is inaccessible.')
})

test.each(['org', 'public', 'private'] as const)('setItemAccess makes an item %s', async (access) => {
  await using library = await openLibrary()
  const { authentication } = library
  const id = await addLakes(library)
  if (access === 'private') await setItemAccess({ id, access: 'public', authentication })
  expect(await setItemAccess({ id, access, authentication })).toEqual({ notSharedWith: [], itemId: id })
  expect(await getItem(id, { authentication })).toMatchObject({ access })
})

test('a public item is read without an identity', async () => {
  await using library = await openLibrary()
  const { authentication, portal } = library
  const id = await addLakes(library)
  const error = await rejectionOf(getItem(id, { portal: portal.url }), ArcGISAuthError)
  expect(error.response.error.code).toBe(499)
  await setItemAccess({ id, access: 'public', authentication })
  expect(await getItem(id, { portal: portal.url })).toMatchObject({ title: 'Lakes' })
})

test('shareItemWithGroup and unshareItemWithGroup look first, and see each other immediately', async () => {
  await using library = await openLibrary()
  const { admin, authentication, portal } = library
  const { id: groupId } = await admin.createGroup('Maps')
  const id = await addLakes(library)
  const shared = await shareItemWithGroup({ id, groupId, authentication })
  expect(shared).toEqual({ notSharedWith: [], itemId: id })
  expect(await getItem(id, { authentication })).toMatchObject({ access: 'shared' })
  expect(await getItemGroups(id, { authentication })).toMatchObject({ admin: [{ id: groupId }], member: [], other: [] })

  const before = portal.arrivals.length
  expect(await shareItemWithGroup({ id, groupId, authentication })).toMatchObject({ shortcut: true })
  expect(pathsOf(portal, before)).toEqual(['POST /sharing/rest/search'])

  expect(await unshareItemWithGroup({ id, groupId, authentication })).toEqual({ notUnsharedFrom: [], itemId: id })
  expect(await getItemGroups(id, { authentication })).toEqual({ admin: [], member: [], other: [] })
  expect(await unshareItemWithGroup({ id, groupId, authentication })).toMatchObject({ shortcut: true })
})

test('a member shares an item of their own into a group that another user owns', async () => {
  await using library = await openLibrary()
  const { admin, portal } = library
  const { id: groupId } = await admin.createGroup('Maps', { access: 'org' })
  const authentication = await portal.newIdentity('anna')
  await admin.post(`/community/groups/${groupId}/addUsers`, { users: 'anna' })
  const id = await addLakes({ authentication })
  expect(await shareItemWithGroup({ id, groupId, authentication })).toEqual({ notSharedWith: [], itemId: id })
  expect(await getItemGroups(id, { authentication })).toMatchObject({ admin: [], member: [{ id: groupId }] })
})

test('getGroupContent and getUserContent list items in pages', async () => {
  await using library = await openLibrary()
  const { admin, authentication } = library
  const { id: groupId } = await admin.createGroup('Maps')
  const ids: string[] = []
  for (const title of ['Lakes', 'Rivers', 'Soils']) {
    ids.push((await createItem({ item: { title, type: 'Web Map' }, authentication })).id)
  }
  for (const id of ids.slice(0, 2)) await shareItemWithGroup({ id, groupId, authentication })
  const group = await getGroupContent(groupId, { authentication, paging: { start: 1, num: 100 } })
  expect(group).toMatchObject({ total: 2, start: 1, num: 100, nextStart: -1 })
  expect(group.items.map(({ id }: IItem) => id).toSorted()).toEqual(ids.slice(0, 2).toSorted())
  const user = await getUserContent({ owner: 'admin', start: 1, num: 2, authentication })
  expect(user).toMatchObject({ username: 'admin', total: 3, nextStart: 3, folders: [] })
  expect(user.items).toHaveLength(2)
})

test('reassignItem gives an item to another owner', async () => {
  await using library = await openLibrary()
  const { authentication, portal } = library
  await portal.user('anna')
  const id = await addLakes(library)
  const answer = await reassignItem({ id, currentOwner: 'admin', targetUsername: 'anna', authentication })
  expect(answer).toEqual({ success: true, itemId: id })
  expect(await getItem(id, { authentication })).toMatchObject({ owner: 'anna' })
})

test('protectItem keeps removeItem from it until unprotectItem', async () => {
  await using library = await openLibrary()
  const { authentication } = library
  const id = await addLakes(library)
  expect(await protectItem({ id, authentication })).toEqual({ success: true })
  expect(await getItem(id, { authentication })).toMatchObject({ protected: true })
  expect((await rejectionOf(removeItem({ id, authentication }), ArcGISRequestError)).code).toBe('CONT_0048')
  expect(await unprotectItem({ id, authentication })).toEqual({ success: true })
  expect(await removeItem({ id, authentication })).toEqual({ success: true, itemId: id })
  expect((await rejectionOf(getItem(id, { authentication }), ArcGISRequestError)).code).toBe('CONT_0001')
})

test('a request for updateItems categorises, and names what it could not', async () => {
  await using library = await openLibrary()
  const { authentication, portal } = library
  const id = await addLakes(library)
  const other = await addLakes(library)
  const items = [{ [id]: { categories: ['/Categories/Water'] } }, { [other]: { categories: ['/Categories/Watr'] } }]
  const answer = await request(`${portal.url}/content/updateItems`, { authentication, params: { items } })
  expect(answer.results).toMatchObject([
    { itemId: id, success: true },
    { itemId: other, success: false, error: { message: 'Category does not exist: /Categories/Watr' } },
  ])
  expect(await getItem(id, { authentication })).toMatchObject({ categories: ['/Categories/Water'] })
  expect(await getItem(other, { authentication })).toMatchObject({ categories: [] })
})
