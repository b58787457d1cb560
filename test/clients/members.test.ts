import {
  addGroupUsers,
  ensureMembership,
  getGroup,
  getGroupUsers,
  getUser,
  getUserMembership,
  joinGroup,
  leaveGroup,
  removeGroupUsers,
  updateUserMemberships,
} from '@esri/arcgis-rest-portal'
import { expect, test } from '../support/portal/client-test.ts'
import type { ListeningPortal } from '../support/portal/listening-portal.ts'

/** A group that the administrator owns. */
async function groupOf(portal: ListeningPortal, parameters: Record<string, string> = {}): Promise<string> {
  return (await (await portal.admin()).createGroup('Maps', parameters)).id
}

test('addGroupUsers makes members and managers', async ({ portal }) => {
  const id = await groupOf(portal)
  const authentication = await portal.identity()
  for (const username of ['anna', 'bruno']) await portal.user(username)
  expect(await addGroupUsers({ id, users: ['anna'], admins: ['bruno'], authentication })).toEqual({ notAdded: [] })
  expect(await getGroupUsers(id, { authentication })).toEqual({
    owner: 'admin',
    admins: ['admin', 'bruno'],
    users: ['anna'],
  })
})

test('addGroupUsers sends more than 25 names in several requests', async ({ portal }) => {
  const id = await groupOf(portal)
  const authentication = await portal.identity()
  const users = Array.from({ length: 60 }, (_, number) => `nobody-${number}`)
  const { notAdded = [] } = await addGroupUsers({ id, users, authentication })
  expect(notAdded.toSorted()).toEqual(users.toSorted())
  expect(portal.arrivals.filter(({ url }) => url.endsWith('/addUsers'))).toHaveLength(3)
})

test('addGroupUsers by a member hands over the refusal among its errors', async ({ portal }) => {
  const id = await groupOf(portal, { access: 'org' })
  const authentication = await portal.newIdentity('anna')
  const { errors } = await addGroupUsers({ id, users: ['anna'], authentication })
  expect(errors).toHaveLength(1)
  expect(errors![0]).toMatchObject({ name: 'ArcGISRequestError', code: 'GWM_0003' })
})

test('removeGroupUsers removes members', async ({ portal }) => {
  const id = await groupOf(portal)
  const authentication = await portal.identity()
  await portal.user('anna')
  await addGroupUsers({ id, users: ['anna'], authentication })
  expect(await removeGroupUsers({ id, users: ['anna'], authentication })).toEqual({ notRemoved: [] })
  expect(await getGroupUsers(id, { authentication })).toMatchObject({ users: [] })
})

test('updateUserMemberships makes a member a manager and a manager a member', async ({ portal }) => {
  const id = await groupOf(portal)
  const authentication = await portal.identity()
  await portal.user('anna')
  await addGroupUsers({ id, users: ['anna'], authentication })
  const promoted = await updateUserMemberships({ id, users: ['anna'], newMemberType: 'admin', authentication })
  expect(promoted).toEqual({ results: [{ username: 'anna', success: true }] })
  expect(await getGroupUsers(id, { authentication })).toMatchObject({ admins: ['admin', 'anna'], users: [] })
  await updateUserMemberships({ id, users: ['anna'], newMemberType: 'member', authentication })
  expect(await getGroupUsers(id, { authentication })).toMatchObject({ admins: ['admin'], users: ['anna'] })
})

test('getUserMembership says how the caller belongs', async ({ portal }) => {
  const id = await groupOf(portal, { access: 'org' })
  const anna = await portal.newIdentity('anna')
  const membership = () => getUserMembership({ id: '', groupId: id, authentication: anna })
  expect(await membership()).toBe('none')
  await addGroupUsers({ id, admins: ['anna'], authentication: await portal.identity() })
  expect(await membership()).toBe('admin')
  await updateUserMemberships({
    id,
    users: ['anna'],
    newMemberType: 'member',
    authentication: await portal.identity(),
  })
  expect(await membership()).toBe('member')
})

test('ensureMembership promotes a member to manager and takes it back', async ({ portal }) => {
  const id = await groupOf(portal)
  const authentication = await portal.identity()
  await portal.user('anna')
  await addGroupUsers({ id, users: ['anna'], authentication })
  const [admin, anna] = [
    await getUser({ username: 'admin', authentication }),
    await getUser({ username: 'anna', authentication }),
  ]
  const adjustment = ensureMembership(admin, anna, true, 'not promoted', { id: '', groupId: id, authentication })
  expect(await adjustment.promise).toEqual({ notAdded: [] })
  expect(await getGroupUsers(id, { authentication })).toMatchObject({ admins: ['admin', 'anna'] })
  await adjustment.revert({ itemId: '', notSharedWith: [] })
  expect(await getGroupUsers(id, { authentication })).toMatchObject({ admins: ['admin'], users: ['anna'] })
})

test('ensureMembership adds a user who does not belong and takes it back', async ({ portal }) => {
  const id = await groupOf(portal)
  const authentication = await portal.identity()
  await portal.user('anna')
  const [admin, anna] = [
    await getUser({ username: 'admin', authentication }),
    await getUser({ username: 'anna', authentication }),
  ]
  const adjustment = ensureMembership(admin, anna, false, 'not added', { id: '', groupId: id, authentication })
  expect(await adjustment.promise).toEqual({ notAdded: [] })
  expect(await getGroupUsers(id, { authentication })).toMatchObject({ users: ['anna'] })
  await adjustment.revert({ itemId: '', notSharedWith: [] })
  expect(await getGroupUsers(id, { authentication })).toMatchObject({ users: [] })
})

test('joinGroup and leaveGroup go in and out of an open group', async ({ portal }) => {
  const id = await groupOf(portal, { access: 'org', isInvitationOnly: 'false' })
  const authentication = await portal.newIdentity('anna')
  expect(await joinGroup({ id, authentication })).toEqual({ success: true, groupId: id })
  expect(await getGroup(id, { authentication })).toMatchObject({ userMembership: { memberType: 'member' } })
  expect(await leaveGroup({ id, authentication })).toEqual({ success: true, groupId: id })
  expect(await getGroup(id, { authentication })).toMatchObject({ userMembership: { memberType: 'none' } })
})

test('joinGroup of a group by invitation asks to be let in', async ({ portal }) => {
  const id = await groupOf(portal, { access: 'org' })
  const authentication = await portal.newIdentity('anna')
  expect(await joinGroup({ id, authentication })).toEqual({ success: true, groupId: id, applied: true })
  expect(await getGroup(id, { authentication })).toMatchObject({ userMembership: { memberType: 'none' } })
})
