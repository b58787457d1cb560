import {
  acceptInvitation,
  createGroup,
  declineInvitation,
  getGroup,
  getUserInvitation,
  getUserInvitations,
  getUserMembership,
  getUserNotifications,
  inviteGroupUsers,
  joinGroup,
  leaveGroup,
  removeNotification,
  searchGroupUsers,
  updateGroup,
} from '@esri/arcgis-rest-portal'
import { ArcGISRequestError, request } from '@esri/arcgis-rest-request'
import { expect, test } from 'vitest'
import { startListeningPortal } from '../support/portal/listening-portal.ts'
import { rejectionOf } from '../support/rejection.ts'

async function openGroup(parameters: Record<string, string> = {}) {
  const portal = await startListeningPortal()
  const { id } = await (await portal.admin()).createGroup('Maps', { access: 'org', ...parameters })
  return { portal, id, owner: await portal.identity(), anna: await portal.newIdentity('anna') }
}

test('inviteGroupUsers invites, acceptInvitation makes a member', async () => {
  const { portal, id, owner, anna } = await openGroup()
  await using _ = portal
  const invited = { id, users: ['anna'], role: 'group_admin', expiration: 20_160 }
  expect(await inviteGroupUsers({ ...invited, authentication: owner })).toEqual({ success: true })
  const { userInvitations } = await getUserInvitations({ authentication: anna })
  expect(userInvitations).toMatchObject([{ role: 'group_admin', groupId: id, fromUsername: { username: 'admin' } }])
  const invitationId = userInvitations[0]!.id
  const invitation = await getUserInvitation({ invitationId, authentication: anna })
  expect(invitation.group).toMatchObject({ id, title: 'Maps' })
  expect(await acceptInvitation({ invitationId, authentication: anna })).toEqual({
    success: true,
    username: 'anna',
    groupId: id,
    id: invitationId,
  })
  expect(await getUserMembership({ id, groupId: id, authentication: anna })).toBe('admin')
})

test('declineInvitation deletes the invitation', async () => {
  const { portal, id, owner, anna } = await openGroup()
  await using _ = portal
  const invited = { id, users: ['anna'], role: 'group_member', expiration: 1_440 }
  await inviteGroupUsers({ ...invited, authentication: owner })
  const { userInvitations } = await getUserInvitations({ authentication: anna })
  const invitationId = userInvitations[0]!.id
  expect(await declineInvitation({ invitationId, authentication: anna })).toMatchObject({ success: true })
  expect(await getUserInvitations({ authentication: anna })).toEqual({ userInvitations: [] })
  const gone = await rejectionOf(acceptInvitation({ invitationId, authentication: anna }), ArcGISRequestError)
  expect(gone.response.error.code).toBe(404)
})

test('inviteGroupUsers by a member hands over the refusal among its errors', async () => {
  const { portal, id, anna } = await openGroup()
  await using _ = portal
  const invited = { id, users: ['anna'], role: 'group_member', expiration: 1_440 }
  const { success, errors } = await inviteGroupUsers({ ...invited, authentication: anna })
  expect(success).toBeFalsy()
  expect(errors).toMatchObject([{ name: 'ArcGISRequestError', code: 'GWM_0003' }])
})

test('joinGroup asks a group by invitation only, whose owner accepts', async () => {
  const { portal, id, owner, anna } = await openGroup()
  await using _ = portal
  expect(await joinGroup({ id, authentication: anna })).toMatchObject({ success: true, groupId: id })
  expect((await getGroup(id, { authentication: owner })).userMembership).toMatchObject({ applications: 1 })
  const below = `${portal.url}/community/groups/${id}/applications`
  const { applications } = await request(below, { authentication: owner })
  expect(applications).toMatchObject([{ username: 'anna' }])
  await request(`${below}/${applications[0].username}/accept`, { authentication: owner })
  expect(await getUserMembership({ id, groupId: id, authentication: anna })).toBe('member')
})

test('getUserNotifications lists what happened, removeNotification deletes one', async () => {
  const { portal, id, anna } = await openGroup()
  await using _ = portal
  await joinGroup({ id, authentication: anna })
  const { notifications } = await getUserNotifications({ authentication: anna })
  expect(notifications).toMatchObject([{ type: 'group_join', target: 'anna', data: { groupTitle: 'Maps' } }])
  const notificationId = notifications[0]!.id
  expect(await removeNotification({ id: notificationId, authentication: anna })).toEqual({
    success: true,
    notificationId,
  })
  expect(await getUserNotifications({ authentication: anna })).toEqual({ notifications: [] })
})

test('searchGroupUsers pages through the members, under the path as the client writes it', async () => {
  const { portal, id, owner } = await openGroup()
  await using _ = portal
  for (const username of ['bruno', 'carla']) await portal.user(username)
  await (await portal.admin()).post(`/community/groups/${id}/addUsers`, { users: 'anna,carla', admins: 'bruno' })
  const first = await searchGroupUsers(id, { num: 2, sortField: 'username', authentication: owner })
  expect(first).toMatchObject({ total: 3, start: 1, num: 2, nextStart: 3, owner: { username: 'admin' } })
  expect(first.users.map(({ username }: { username: string }) => username)).toEqual(['anna', 'bruno'])
  const rest = await searchGroupUsers(id, { num: 2, start: first.nextStart, authentication: owner })
  expect(rest).toMatchObject({ nextStart: -1, users: [{ username: 'carla', memberType: 'member' }] })
  const joined = [portal.clock.now - 1, portal.clock.now + 1]
  const managers = await searchGroupUsers(id, { memberType: 'admin', joined, name: 'BRU', authentication: owner })
  expect(managers.users).toMatchObject([{ username: 'bruno', memberType: 'admin' }])
})

test('createGroup and updateGroup keep shared update, and a group that cannot be left is not left', async () => {
  const { portal, owner, anna } = await openGroup()
  await using _ = portal
  const settings = {
    capabilities: ['updateitemcontrol'],
    leavingDisallowed: true,
    displaySettings: { itemTypes: 'CSV' },
  }
  const made = { title: 'Shared', access: 'org' as const, isInvitationOnly: false, ...settings }
  const { group } = await createGroup({ group: made, authentication: owner })
  expect(group).toMatchObject({ ...settings, membershipAccess: 'org' })
  // Clients send back the whole group.
  expect(await updateGroup({ group: { ...group, snippet: 'b' }, authentication: owner })).toMatchObject({
    success: true,
  })
  expect(await getGroup(group.id, { authentication: owner })).toMatchObject({ ...settings, snippet: 'b' })
  await joinGroup({ id: group.id, authentication: anna })
  const refusal = await rejectionOf(leaveGroup({ id: group.id, authentication: anna }), ArcGISRequestError)
  expect(refusal.response.error.details).toEqual(['Shared cannot be left; ask its owner or a manager.'])
})
