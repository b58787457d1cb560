import type { Privilege } from '../../../../src/call/privilege.ts'
import { everyPrivilege } from '../../../support/portal/actors.ts'
import { permissionDenied } from '../../../support/portal/envelopes.ts'
import type { Client } from '../../../support/portal/portal.ts'
import { describe, expect, test } from '../../../support/portal/test.ts'
import { unable } from './expectations/outcomes.ts'

/** Privileges that reach only so far, depending on what the call is about to do. */

const refused = permissionDenied

/** A user with a custom role of just these privileges. */
async function holderOf(admin: Client, ...privileges: readonly Privilege[]): Promise<Client> {
  return admin.invite('holder', await admin.createRole('Holder', privileges))
}

test('who may assign members to groups makes no managers', async ({ admin }) => {
  const holder = await holderOf(admin, 'portal:admin:viewGroups', 'portal:admin:assignToGroups')
  await admin.invite('anna')
  const { id } = await admin.createGroup('Maps')
  expect(await holder.post(`/community/groups/${id}/addUsers`, { admins: 'anna' })).toEqual(refused)
  expect(await holder.post(`/community/groups/${id}/addUsers`, { users: 'anna', admins: 'holder' })).toEqual(refused)
  const members = { owner: 'admin', admins: ['admin'], users: [] }
  expect(await admin.get(`/community/groups/${id}/users`)).toEqual(members)
  expect(await holder.post(`/community/groups/${id}/addUsers`, { users: 'anna' })).toEqual({ notAdded: [] })
})

test.for([
  ['org', 'portal:user:shareGroupToOrg'],
  ['public', 'portal:user:shareGroupToPublic'],
] as const)('a group with access %s takes a privilege of its own', async ([access, privilege], { admin }) => {
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

describe('a custom role that changes roles', () => {
  const change = (client: Client, user: string, role: string) =>
    client.post('/portals/self/updateUserRole', { user, role })
  const tooMuch = (role: string) => ({ error: unable('update user role', `role: You may not give the role ${role}.`) })

  test('gives none that allows more, to others or to its own user', async ({ admin }) => {
    const privileges: readonly Privilege[] = ['portal:admin:changeUserRoles', 'portal:user:joinGroup']
    const holder = await holderOf(admin, ...privileges)
    const { role: own } = await holder.get('/community/self')
    const lesser = await admin.createRole('Guest', ['portal:user:joinGroup'])
    const greater = await admin.createRole('Chief', [...privileges, 'portal:admin:deleteUsers'])
    await admin.invite('bruno', lesser)
    for (const user of ['holder', 'bruno']) {
      for (const role of ['org_admin', 'org_publisher', 'org_user', 'org_viewer', greater]) {
        expect(await change(holder, user, role)).toEqual(tooMuch(role))
      }
    }
    expect(await admin.get('/community/users/bruno')).toMatchObject({ role: lesser })
    expect(await change(holder, 'bruno', own)).toEqual({ success: true })
    expect(await change(holder, 'bruno', lesser)).toEqual({ success: true })
  })

  test('takes no role from a user who administers more, and from any other user', async ({ admin }) => {
    const holder = await holderOf(admin, 'portal:admin:changeUserRoles')
    const none = await admin.createRole('Nothing', [])
    await admin.invite('regent', await admin.createRole('Regent', everyPrivilege))
    await admin.invite('viewer', 'org_viewer')
    await admin.invite('idle', none)
    expect(await change(holder, 'regent', none)).toEqual(refused)
    expect(await admin.get('/community/users/regent')).toMatchObject({ role: expect.not.stringMatching(none) })
    for (const user of ['viewer', 'idle']) expect(await change(holder, user, none)).toEqual({ success: true })
  })
})

test('who may invite makes users with no role that allows more', async ({ admin }) => {
  const holder = await holderOf(admin, 'portal:admin:inviteUsers', 'portal:user:joinGroup')
  const { role: own } = await holder.get('/community/self')
  const lesser = await admin.createRole('Guest', ['portal:user:joinGroup'])
  const greater = await admin.createRole('Chief', ['portal:admin:inviteUsers', 'portal:admin:deleteUsers'])
  const password = 'a long enough password'
  const invitations = Object.entries({
    org_admin: 'boss',
    org_user: 'anna',
    [greater]: 'chief',
    [own]: 'peer',
    [lesser]: 'guest',
  }).map(([role, username]) => ({ username, password, role }))
  const answer = await holder.post('/portals/self/invite', { invitationList: { invitations } })
  expect(answer).toMatchObject({ success: true, notInvited: expect.arrayContaining(['boss', 'anna', 'chief']) })
  expect(answer.reasons).toContain('boss: You may not give the role org_admin.')
  const { users } = await admin.get('/portals/self/users')
  expect(users.map(({ username }: Client) => username)).toEqual(['admin', 'guest', 'holder', 'peer'])
})

test('who manages roles touches none that allows more', async ({ admin }) => {
  const holder = await holderOf(admin, 'portal:admin:manageRoles')
  const mighty = await admin.createRole('Mighty', ['portal:admin:deleteUsers'])
  expect(await holder.post(`/portals/self/roles/${mighty}/update`, { name: 'Meek' })).toEqual(refused)
  expect(await holder.post(`/portals/self/roles/${mighty}/delete`)).toEqual(refused)
  expect(await admin.get(`/portals/self/roles/${mighty}`)).toMatchObject({ name: 'Mighty' })
})

test('a privilege that is taken away, and a role that is, take effect immediately', async ({ admin }) => {
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
