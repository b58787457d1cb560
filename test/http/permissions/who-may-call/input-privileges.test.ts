import { expect, test } from 'vitest'
import type { Privilege } from '../../../../src/directory/privilege.ts'
import { type Client, startPortal } from '../../../support/portal/portal.ts'
import { forbidden, unable } from './expectations/outcomes.ts'

/** Privileges that reach only so far, depending on what the call is about to do. */

const refused = { error: forbidden }

/** Somebody with a custom role of just these privileges. */
async function holderOf(admin: Client, ...privileges: readonly Privilege[]): Promise<Client> {
  return admin.invite('holder', await admin.createRole('Holder', privileges))
}

test('who may assign members to groups makes no managers', async () => {
  await using portal = await startPortal()
  const admin = await portal.admin()
  const holder = await holderOf(admin, 'portal:admin:viewGroups', 'portal:admin:assignToGroups')
  await admin.invite('anna')
  const { id } = await admin.createGroup('Maps')
  expect(await holder.post(`/community/groups/${id}/addUsers`, { admins: 'anna' })).toEqual(refused)
  expect(await holder.post(`/community/groups/${id}/addUsers`, { users: 'anna', admins: 'holder' })).toEqual(refused)
  const members = { owner: 'admin', admins: ['admin'], users: [] }
  expect(await admin.get(`/community/groups/${id}/users`)).toEqual(members)
  expect(await holder.post(`/community/groups/${id}/addUsers`, { users: 'anna' })).toEqual({ notAdded: [] })
})

test.each([
  ['org', 'portal:user:shareGroupToOrg'],
  ['public', 'portal:user:shareGroupToPublic'],
] as const)('a group with access %s takes a privilege of its own', async (access, privilege) => {
  await using portal = await startPortal()
  const admin = await portal.admin()
  const maker = await holderOf(admin, 'portal:user:createGroup')
  expect(await maker.post('/community/createGroup', { title: 'Maps', access })).toEqual(refused)
  const { id } = await maker.createGroup('Maps')
  expect(await maker.post(`/community/groups/${id}/update`, { access })).toEqual(refused)
  expect(await maker.get(`/community/groups/${id}`)).toMatchObject({ access: 'private' })

  const { role } = await maker.get('/community/self')
  const privileges = { privileges: ['portal:user:createGroup', privilege] }
  await admin.post(`/portals/self/roles/${role}/setPrivileges`, { privileges })
  expect(await maker.post(`/community/groups/${id}/update`, { access })).toMatchObject({ success: true })
  expect(await maker.post('/community/createGroup', { title: 'Seas', access })).toMatchObject({ success: true })
})

test('who may change roles raises nobody above himself and leaves administrators alone', async () => {
  await using portal = await startPortal()
  const admin = await portal.admin()
  const holder = await holderOf(admin, 'portal:admin:changeUserRoles')
  await admin.invite('anna')
  await admin.invite('chief', 'org_admin')
  const change = (user: string, role: string) => holder.post('/portals/self/updateUserRole', { user, role })
  for (const role of ['org_admin', 'org_user', 'org_viewer']) {
    const refusal = unable('update user role', `role: You may not give the role ${role}.`)
    expect(await change('anna', role)).toEqual({ error: refusal })
    expect(await change('holder', role)).toEqual({ error: refusal })
  }
  expect(await change('chief', (await holder.get('/community/self')).role)).toEqual(refused)
  expect(await admin.get('/community/users/anna')).toMatchObject({ role: 'org_user' })
  expect(await admin.get('/community/users/chief')).toMatchObject({ role: 'org_admin' })
})

test('who may invite makes nobody who may do more', async () => {
  await using portal = await startPortal()
  const admin = await portal.admin()
  const holder = await holderOf(admin, 'portal:admin:inviteUsers')
  const { role } = await holder.get('/community/self')
  const password = 'a long enough password'
  const invitations = [
    { username: 'boss', password, role: 'org_admin' },
    { username: 'anna', password, role: 'org_user' },
    { username: 'peer', password, role },
  ]
  const answer = await holder.post('/portals/self/invite', { invitationList: { invitations } })
  expect(answer).toMatchObject({ success: true, notInvited: ['boss', 'anna'] })
  const { users } = await admin.get('/portals/self/users')
  expect(users.map(({ username }: { username: string }) => username)).toEqual(['admin', 'holder', 'peer'])
})

test('who manages roles touches none that allows more', async () => {
  await using portal = await startPortal()
  const admin = await portal.admin()
  const holder = await holderOf(admin, 'portal:admin:manageRoles')
  const mighty = await admin.createRole('Mighty', ['portal:admin:deleteUsers'])
  expect(await holder.post(`/portals/self/roles/${mighty}/update`, { name: 'Meek' })).toEqual(refused)
  expect(await holder.post(`/portals/self/roles/${mighty}/delete`)).toEqual(refused)
  expect(await admin.get(`/portals/self/roles/${mighty}`)).toMatchObject({ name: 'Mighty' })
})

test('a privilege that is taken away, and a role that is, count at once', async () => {
  await using portal = await startPortal()
  const admin = await portal.admin()
  const holder = await holderOf(admin, 'portal:admin:manageCollaborations')
  const { role } = await holder.get('/community/self')
  expect(await holder.get('/portals/self/collaborations')).toMatchObject({ total: 0 })
  await admin.post(`/portals/self/roles/${role}/setPrivileges`, { privileges: { privileges: [] } })
  expect(await holder.get('/portals/self/collaborations')).toEqual(refused)
  await admin.post('/portals/self/updateUserRole', { user: 'holder', role: 'org_admin' })
  expect(await holder.get('/portals/self/collaborations')).toMatchObject({ total: 0 })
  await admin.post('/portals/self/updateUserRole', { user: 'holder', role: 'org_user' })
  expect(await holder.get('/portals/self/collaborations')).toEqual(refused)
})
