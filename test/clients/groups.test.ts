import {
  createGroup,
  getGroup,
  protectGroup,
  removeGroup,
  SearchQueryBuilder,
  searchGroups,
  unprotectGroup,
  updateGroup,
} from '@esri/arcgis-rest-portal'
import { ArcGISRequestError, type IGroup } from '@esri/arcgis-rest-request'
import { requestAsBrowser } from '../support/browser/browser-client.ts'
import { expect, test } from '../support/portal/client-test.ts'
import { startListeningPortal } from '../support/portal/listening-portal.ts'
import { rejectionOf } from '../support/rejection.ts'

const titles = ({ results }: { readonly results: readonly IGroup[] }) => results.map(({ title }) => title)

test('createGroup answers the group as it was made', async ({ portal, authentication }) => {
  const answer = await createGroup({
    group: { title: 'Water', tags: ['lakes', 'rivers'], access: 'org', isInvitationOnly: false, snippet: 'All of it' },
    authentication,
  })
  expect(answer).toMatchObject({
    success: true,
    group: {
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      title: 'Water',
      tags: ['lakes', 'rivers'],
      access: 'org',
      owner: 'admin',
      isInvitationOnly: false,
      snippet: 'All of it',
      created: portal.clock.now,
      userMembership: { username: 'admin', memberType: 'owner' },
    },
  })
})

test('createGroup by a viewer is refused: 403', async ({ portal }) => {
  const authentication = await portal.newIdentity('vera', 'org_viewer')
  const create = createGroup({ group: { title: 'Water', tags: [], access: 'private' }, authentication })
  const error = await rejectionOf(create, ArcGISRequestError)
  expect(error.name).toBe('ArcGISRequestError')
  expect(error.code).toBe('GWM_0003')
  expect(error.response.error.code).toBe(403)
  expect(error.originalMessage).toBe('You do not have permissions to access this resource or perform this operation.')
})

test('getGroup answers what createGroup answered', async ({ authentication }) => {
  const { group } = await createGroup({ group: { title: 'Water', tags: ['lakes'], access: 'org' }, authentication })
  expect(await getGroup(group.id, { authentication })).toEqual(group)
})

test('getGroup without an identity reads a public group', async ({ portal }) => {
  const { id } = await (await portal.admin()).createGroup('Maps', { access: 'public' })
  expect(await getGroup(id, { portal: portal.url })).toMatchObject({ id, userMembership: { memberType: 'none' } })
})

test('getGroup of a group that is not there has the words that clients look for', async ({ authentication }) => {
  const error = await rejectionOf(getGroup('0'.repeat(32), { authentication }), ArcGISRequestError)
  expect(error.message).toBe('COM_0003: Group does not exist or is inaccessible.')
  expect(error.response.error).toEqual({
    code: 400,
    messageCode: 'COM_0003',
    message: 'Group does not exist or is inaccessible.',
    details: [],
  })
})

test('updateGroup changes what it names and leaves the rest', async ({ portal, authentication }) => {
  const { group } = await createGroup({ group: { title: 'Water', tags: ['lakes'], access: 'org' }, authentication })
  portal.clock.now += 1_000
  const answer = await updateGroup({ group: { id: group.id, snippet: 'All of it' }, authentication })
  expect(answer).toEqual({ success: true, groupId: group.id })
  expect(await getGroup(group.id, { authentication })).toEqual({
    ...group,
    snippet: 'All of it',
    modified: portal.clock.now,
  })
})

test('updateGroup with a picture is multipart, and its texts are taken', async ({ portal, authentication }) => {
  const { id } = await (await portal.admin()).createGroup('Water')
  const thumbnail = new Blob([Uint8Array.of(0x89, 0x50, 0x4e, 0x47)], { type: 'image/png' })
  const group = { id, title: 'Wässer & Flüsse', tags: ['see', 'bach'], thumbnail }
  await updateGroup({ group: group as unknown as IGroup, authentication, request: requestAsBrowser })
  expect(portal.lastArrival.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/)
  expect(await getGroup(id, { authentication })).toMatchObject({ title: 'Wässer & Flüsse', tags: ['see', 'bach'] })
})

test('searchGroups finds by a query of field and words', async ({ portal, admin }) => {
  for (const title of ['Land use', 'Land cover', 'Water']) await admin.createGroup(title)
  const authentication = await portal.identity()
  const found = await searchGroups({ q: 'title:land', authentication })
  expect(found).toMatchObject({ query: 'title:land', total: 2, start: 1, num: 10, nextStart: -1 })
  expect(titles(found)).toEqual(['Land cover', 'Land use'])
})

test('searchGroups understands what the query builder writes', async ({ portal, admin }) => {
  for (const title of ['Lake use', 'Lake depth', 'Use of lakes']) await admin.createGroup(title)
  const authentication = await portal.identity()
  const q = new SearchQueryBuilder().match('Lake use').in('title').and().match('admin').in('owner')
  const found = await searchGroups({ q, authentication })
  expect(found.query).toBe('title:"Lake use" AND owner:admin')
  expect(titles(found)).toEqual(['Lake use'])
})

test('searchGroups finds by one thing or another, by ids in brackets, and the groups of the caller', async () => {
  await using portal = await startListeningPortal()
  const admin = await portal.admin()
  const [land, water] = [await admin.createGroup('Land', { access: 'org' }), await admin.createGroup('Water')]
  await admin.createGroup('Sea')
  const authentication = await portal.identity()
  const q = new SearchQueryBuilder().match('land').or().match('water')
  expect(titles(await searchGroups({ q, authentication }))).toEqual(['Land', 'Water'])
  const several = `id:(${land.id} OR ${water.id})`
  expect(titles(await searchGroups({ q: several, authentication }))).toEqual(['Land', 'Water'])
  const { id: accountId } = await admin.get('/portals/self')
  expect(titles(await searchGroups({ q: `sea accountid:${accountId}`, authentication }))).toEqual(['Sea'])

  const anna = await portal.newIdentity('anna')
  await admin.post(`/community/groups/${water.id}/addUsers`, { users: 'anna' })
  const own = await searchGroups({ q: '*', searchUserAccess: 'groupMember', authentication: anna })
  expect(titles(own)).toEqual(['Water'])
})

test('searchGroups says what it does not understand', async ({ authentication }) => {
  const error = await rejectionOf(searchGroups({ q: 'password:x', authentication }), ArcGISRequestError)
  expect(error.originalMessage).toBe('Unable to search groups.')
})

test('searchGroups goes from page to page with nextPage', async ({ portal, admin }) => {
  for (const title of ['A', 'B', 'C']) await admin.createGroup(title)
  const authentication = await portal.identity()
  const first = await searchGroups({ q: '*', num: 2, sortField: 'title', sortOrder: 'desc', authentication })
  expect(titles(first)).toEqual(['C', 'B'])
  const last = await first.nextPage!()
  expect(titles(last)).toEqual(['A'])
  expect(last.nextPage).toBeUndefined()
})

test('protectGroup keeps removeGroup from it until unprotectGroup', async ({ portal }) => {
  const { id } = await (await portal.admin()).createGroup('Maps')
  const authentication = await portal.identity()
  expect(await protectGroup({ id, authentication })).toEqual({ success: true })
  expect(await getGroup(id, { authentication })).toMatchObject({ protected: true })
  const error = await rejectionOf(removeGroup({ id, authentication }), ArcGISRequestError)
  expect(error.message).toBe('400: Unable to delete group.')
  expect(await unprotectGroup({ id, authentication })).toEqual({ success: true })
  expect(await removeGroup({ id, authentication })).toEqual({ success: true, groupId: id })
})
