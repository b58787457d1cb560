import {
  getPortal,
  getPortalUrl,
  getSelf,
  getUser,
  getUserUrl,
  isOrgAdmin,
  searchCommunityUsers,
  searchUsers,
  updateUser,
} from '@esri/arcgis-rest-portal'
import { ArcGISRequestError, request } from '@esri/arcgis-rest-request'
import { expect, test } from '../support/portal/client-test.ts'
import { adminPassword } from '../support/portal/portal.ts'
import { rejectionOf } from '../support/rejection.ts'

test('getSelf answers the organization with its caller', async ({ portal }) => {
  const self = await getSelf({ authentication: await portal.identity() })
  expect(self).toMatchObject({
    id: expect.stringMatching(/^[A-Za-z0-9]{16}$/),
    name: 'Ministry of Maps',
    isPortal: true,
    user: { username: 'admin', role: 'org_admin' },
  })
})

test('getSelf without an identity answers the public view', async ({ portal }) => {
  const self = await getSelf({ portal: portal.url })
  expect(self).toMatchObject({ name: 'Ministry of Maps' })
  expect(self).not.toHaveProperty('user')
})

test('getPortal by its id and without one are the same', async ({ authentication }) => {
  const self = await getPortal(undefined, { authentication })
  expect(await getPortal(self.id, { authentication })).toEqual(self)
})

test('getPortal by an unknown id is 404', async ({ authentication }) => {
  const error = await rejectionOf(getPortal('AbCdEfGh01234567', { authentication }), ArcGISRequestError)
  expect(error.code).toBe(404)
  expect(error.originalMessage).toBe('Resource does not exist or is inaccessible.')
})

test('getPortalUrl of an identity is where it signed in', async ({ authentication }) => {
  expect(await request(getPortalUrl({ authentication }))).toHaveProperty('currentVersion')
})

test('getUser reads another member of the organization', async ({ portal }) => {
  await portal.user('anna')
  const authentication = await portal.newIdentity('bruno')
  expect(await getUser({ username: 'anna', authentication })).toMatchObject({ username: 'anna', role: 'org_user' })
})

test('getUser of an unknown name is 400', async ({ authentication }) => {
  const error = await rejectionOf(getUser({ username: 'nobody', authentication }), ArcGISRequestError)
  expect(error.code).toBe(400)
})

test('getUserUrl leads to the user, with an at sign in the name too', async ({ portal }) => {
  const authentication = await portal.newIdentity('anna@example.com')
  expect(await request(getUserUrl(authentication), { authentication })).toMatchObject({ username: 'anna@example.com' })
})

test('isOrgAdmin takes a default administrator for one', async ({ portal }) => {
  expect(await isOrgAdmin({ authentication: await portal.identity() })).toBe(true)
})

test('isOrgAdmin takes no other user for one, however much a custom role may do', async ({ portal, admin }) => {
  const role = await admin.createRole('Curator', ['portal:admin:viewGroups', 'portal:admin:updateItemCategorySchema'])
  const curator = await portal.newIdentity('clara', role)
  const anna = await portal.newIdentity('anna')
  expect(await curator.getUser()).toMatchObject({ roleId: role })
  expect(await isOrgAdmin({ authentication: curator })).toBe(false)
  expect(await isOrgAdmin({ authentication: anna })).toBe(false)
})

test('updateUser changes the caller', async ({ portal }) => {
  const authentication = await portal.newIdentity('anna')
  const user = { firstName: 'Anna', lastName: 'Atlas', fullName: 'Anna Atlas', description: 'draws maps' }
  expect(await updateUser({ user, authentication })).toEqual({ success: true, username: 'anna' })
  expect(await getUser({ authentication })).toMatchObject(user)
})

test('updateUser of another by an administrator changes the other', async ({ portal }) => {
  await portal.user('anna')
  const authentication = await portal.identity()
  await updateUser({ user: { username: 'anna', fullName: 'Anna Atlas' }, authentication })
  expect(await getUser({ username: 'anna', authentication })).toMatchObject({ fullName: 'Anna Atlas' })
})

test('an invitation list makes users who sign in', async ({ portal }) => {
  const invitation = {
    username: 'anna',
    firstname: 'Anna',
    lastname: 'Atlas',
    role: 'org_user',
    password: adminPassword,
  }
  const answer = await request(`${portal.url}/portals/self/invite`, {
    authentication: await portal.identity(),
    params: { invitationList: { invitations: [invitation] }, subject: 'Welcome', html: '<p>Welcome</p>' },
  })
  expect(answer).toEqual({ success: true, notInvited: [] })
  expect(await (await portal.identity('anna')).getUser()).toMatchObject({ fullName: 'Anna Atlas' })
})

test('searchUsers and searchCommunityUsers find users of the organization, page by page', async ({ portal }) => {
  for (const username of ['anna', 'annika', 'bert']) await portal.user(username)
  const authentication = await portal.identity()
  for (const search of [searchUsers, searchCommunityUsers]) {
    const first = await search({ q: 'username:ann*', num: 1, sortField: 'username', authentication })
    expect(first).toMatchObject({ query: 'username:ann*', total: 2, nextStart: 2, results: [{ username: 'anna' }] })
    const last = await first.nextPage!()
    expect(last).toMatchObject({ nextStart: -1, results: [{ username: 'annika' }] })
  }
})
