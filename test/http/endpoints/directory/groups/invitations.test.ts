import { describe, expect, test } from 'vitest'
import { permissionDenied, refused, resourceNotFound } from '../../../../support/portal/envelopes.ts'
import { type Client, startOfTests } from '../../../../support/portal/portal.ts'
import { openInvitingGroup } from './inviting-group.ts'

const minute = 60_000
const week = 7 * 24 * 60 * minute
/** Settings of a server with low limits. */
const environment = {
  LIMIT_MEMBERSHIPS: '4',
  LIMIT_INVITATIONS: '4',
  LIMIT_INVITATIONS_PER_GROUP: '2',
  LIMIT_NOTIFICATIONS: '1',
}

describe('an invitation', () => {
  test('has the role and the time that are given, and shows a private group to the user alone', async () => {
    const { portal, owner, anna, groupId, call, invitations } = await openInvitingGroup()
    await using _ = portal
    await call(owner, 'invite', { users: 'Anna', role: 'group_admin', expiration: '1440' })
    const [invitation] = await invitations(anna)
    expect(invitation).toMatchObject({ role: 'group_admin', expiration: startOfTests + 1_440 * minute })
    const { group, ...same } = await anna.get(`/community/users/anna/invitations/${invitation.id}`)
    expect(same).toEqual(invitation)
    expect(group).toMatchObject({ id: groupId, title: 'Maps', userMembership: { memberType: 'none' } })
    expect(await anna.get(`/community/groups/${groupId}`)).toHaveProperty('error')
  })

  test.each([
    ['group_member', 'member'],
    ['group_admin', 'admin'],
    [undefined, 'member'],
  ])('as %s that is accepted makes the user a %s, and is deleted', async (role, memberType) => {
    const { portal, owner, anna, groupId, call, invitations, answer, types, membership } = await openInvitingGroup()
    await using _ = portal
    await call(owner, 'invite', { users: 'anna', ...(role ? { role } : {}) })
    const [{ id, expiration }] = await invitations(anna)
    expect(expiration).toBe(startOfTests + week)
    expect(await answer(anna, 'accept')).toEqual({ success: true, username: 'anna', groupId, id })
    expect(await membership(anna)).toMatchObject({ memberType })
    expect(await invitations(anna)).toEqual([])
    expect(await answer(anna, 'accept', id)).toEqual(resourceNotFound)
    expect((await types(anna)).toSorted()).toEqual(['user_invitation_accepted', 'user_invite'])
  })

  test('that is declined is deleted, and lets no user in', async () => {
    const { portal, owner, anna, groupId, call, invitations, answer, types } = await openInvitingGroup()
    await using _ = portal
    await call(owner, 'invite', { users: 'anna' })
    const [{ id }] = await invitations(anna)
    expect(await answer(anna, 'decline')).toEqual({ success: true, username: 'anna', groupId, id })
    expect(await answer(anna, 'accept', id)).toEqual(resourceNotFound)
    expect(await answer(anna, 'decline', id)).toEqual(resourceNotFound)
    expect(await anna.get(`/community/groups/${groupId}`)).toHaveProperty('error')
    expect((await types(anna)).toSorted()).toEqual(['user_invitation_declined', 'user_invite'])
  })

  test('expires in the minute that it names, and may be sent again', async () => {
    const { portal, owner, anna, call, invitations, answer, membership } = await openInvitingGroup()
    await using _ = portal
    await call(owner, 'invite', { users: 'anna', expiration: '1' })
    const [{ id }] = await invitations(anna)
    portal.clock.now += minute
    expect(await invitations(anna)).toEqual([])
    expect(await answer(anna, 'accept', id)).toEqual(resourceNotFound)
    await call(owner, 'invite', { users: 'anna', expiration: '1' })
    portal.clock.now += minute - 1
    expect(await answer(anna, 'accept')).toMatchObject({ success: true })
    expect(await membership(anna)).toMatchObject({ memberType: 'member' })
  })

  test('that is sent again takes the place of the open one, and notifies once', async () => {
    const { portal, owner, anna, call, invitations, types } = await openInvitingGroup()
    await using _ = portal
    await call(owner, 'invite', { users: 'anna' })
    const [{ id }] = await invitations(anna)
    await call(owner, 'invite', { users: 'anna', role: 'group_admin', expiration: '10' })
    expect(await invitations(anna)).toMatchObject([{ id, role: 'group_admin', expiration: startOfTests + 10 * minute }])
    expect(await types(anna)).toEqual(['user_invite'])
  })

  test('of a member changes nothing, and succeeds', async () => {
    const { portal, owner, anna, groupId, call, invitations, membership } = await openInvitingGroup()
    await using _ = portal
    await call(owner, 'addUsers', { users: 'anna' })
    const answer = await call(owner, 'invite', { users: 'anna,owner', role: 'group_admin' })
    expect(answer).toEqual({ success: true, groupId, notInvited: [] })
    expect(await invitations(anna)).toEqual([])
    expect(await membership(anna)).toMatchObject({ memberType: 'member' })
  })

  test('is not sent to those who do not exist, are disabled or are not seen', async () => {
    const { portal, admin, owner, groupId, call } = await openInvitingGroup()
    await using _ = portal
    await admin.invite('disabled')
    await admin.post('/community/users/disabled/disable')
    const hermit = await admin.invite('hermit')
    await hermit.post('/community/users/hermit/update', { access: 'private' })
    await portal.otherOrganization()
    const names = ['nobody', 'disabled', 'hermit', 'outsider', '%', '__proto__']
    expect(await call(owner, 'invite', { users: names.join() })).toEqual({
      success: true,
      groupId,
      notInvited: names,
      reasons: names.map(
        (name) => `${name} ${name === 'disabled' ? 'is disabled.' : 'is not a user whom you can see.'}`,
      ),
      warnings: ['No user was invited.'],
    })
    expect(await call(admin, 'invite', { users: 'hermit' })).toMatchObject({ notInvited: [] })
  })

  test('as a manager takes who may update the group', async () => {
    const { portal, admin, anna, groupId, call } = await openInvitingGroup({}, { access: 'org' })
    await using _ = portal
    const role = await admin.createRole('Assigner', [
      'portal:user:viewOrgGroups',
      'portal:user:viewOrgUsers',
      'portal:admin:assignToGroups',
    ])
    const assigner = await admin.invite('assigner', role)
    expect(await call(assigner, 'invite', { users: 'anna', role: 'group_admin' })).toEqual(permissionDenied)
    expect(await call(assigner, 'invite', { users: 'anna' })).toMatchObject({ success: true, groupId })
    expect(await call(anna, 'invite', { users: 'anna' })).toEqual(permissionDenied)
  })
})

describe('meanwhile', () => {
  test('the inviter is no manager any more: the invitation is not accepted, and another one is', async () => {
    const { portal, admin, owner, anna, call, invitations, answer } = await openInvitingGroup()
    await using _ = portal
    const manager = await admin.invite('manager')
    await call(owner, 'addUsers', { admins: 'manager' })
    await call(manager, 'invite', { users: 'anna' })
    await call(owner, 'updateUsers', { users: 'manager' })
    const problem = 'manager may not invite to Maps now; ask for another invitation.'
    expect(await answer(anna, 'accept')).toEqual(refused('accept invitation', problem))
    expect(await invitations(anna)).toMatchObject([{ fromUsername: { username: 'manager' } }])
    await call(owner, 'invite', { users: 'anna' })
    expect(await answer(anna, 'accept')).toMatchObject({ success: true })
  })

  test('the inviter is disabled: not accepted; enabled again: accepted', async () => {
    const { portal, admin, owner, anna, call, answer } = await openInvitingGroup()
    await using _ = portal
    await call(owner, 'invite', { users: 'anna' })
    await admin.post('/community/users/owner/disable')
    expect(await answer(anna, 'accept')).toHaveProperty('error')
    await admin.post('/community/users/owner/enable')
    expect(await answer(anna, 'accept')).toMatchObject({ success: true })
  })

  test('the inviter, the group or the user is deleted: there is no invitation', async () => {
    const { portal, admin, owner, anna, groupId, call, invitations, answer } = await openInvitingGroup()
    await using _ = portal
    const manager = await admin.invite('manager')
    await call(owner, 'addUsers', { admins: 'manager' })
    await call(manager, 'invite', { users: 'anna' })
    const [{ id }] = await invitations(anna)
    await admin.post('/community/users/manager/delete')
    expect(await invitations(anna)).toEqual([])
    expect(await answer(anna, 'accept', id)).toEqual(resourceNotFound)
    await call(owner, 'invite', { users: 'anna' })
    await admin.post(`/community/groups/${groupId}/delete`)
    expect(await invitations(anna)).toEqual([])
    // The notification stays, with the title that the group had.
    const { notifications } = await anna.get('/community/users/anna/notifications')
    expect(notifications).toMatchObject([
      { type: 'user_invite', data: { groupId, groupTitle: 'Maps' } },
      { type: 'user_invite', data: { groupId, groupTitle: 'Maps' } },
    ])
  })

  test('the user was added, or has joined: there is no invitation any more', async () => {
    const { portal, owner, anna, call, invitations, membership } = await openInvitingGroup({}, { access: 'org' })
    await using _ = portal
    await call(owner, 'invite', { users: 'anna', role: 'group_admin' })
    await call(owner, 'addUsers', { users: 'anna' })
    expect(await invitations(anna)).toEqual([])
    await call(owner, 'removeUsers', { users: 'anna' })
    await call(owner, 'invite', { users: 'anna', role: 'group_admin' })
    // By invitation only, and invited: both sides agree.
    expect(await call(anna, 'join')).not.toHaveProperty('applied')
    expect(await membership(anna)).toMatchObject({ memberType: 'admin' })
    expect(await invitations(anna)).toEqual([])
  })

  test('the user may not join groups any more, or belongs to as many as is allowed', async () => {
    const { portal, admin, owner, anna, call, answer } = await openInvitingGroup({ environment })
    await using _ = portal
    await call(owner, 'invite', { users: 'anna' })
    const role = await admin.createRole('Recluse', [])
    await admin.post('/portals/self/updateUserRole', { user: 'anna', role })
    expect(await answer(anna, 'accept')).toEqual(permissionDenied)
    await admin.post('/portals/self/updateUserRole', { user: 'anna', role: 'org_user' })
    for (const title of ['One', 'Two', 'Three']) await anna.createGroup(title)
    const { id } = await anna.createGroup('Four')
    const full = 'anna belongs to 4 groups; at most 4 are allowed.'
    expect(await answer(anna, 'accept')).toEqual(refused('accept invitation', full))
    await anna.post(`/community/groups/${id}/delete`)
    expect(await answer(anna, 'accept')).toMatchObject({ success: true })
  })
})

describe('limits', () => {
  test('of a user: one inviter uses up half of the open invitations, others the rest', async () => {
    const { portal, admin, owner, anna, invitations } = await openInvitingGroup({ environment })
    await using _ = portal
    const invite = async (client: Client, title: string) => {
      const { id } = await client.createGroup(title)
      return (await client.post(`/community/groups/${id}/invite`, { users: 'anna' })).notInvited
    }
    for (const title of ['One', 'Two']) expect(await invite(owner, title)).toEqual([])
    expect(await invite(owner, 'Three')).toEqual(['anna'])
    for (const title of ['Four', 'Five']) expect(await invite(admin, title)).toEqual([])
    expect(await invite(await admin.invite('carla'), 'Six')).toEqual(['anna'])
    expect(await invitations(anna)).toHaveLength(4)
  })

  test('of a group: 400 with a sentence, and no invitation of the call is made', async () => {
    const { portal, admin, owner, anna, call, invitations } = await openInvitingGroup({ environment })
    await using _ = portal
    for (const name of ['bruno', 'carla']) await admin.invite(name)
    const problem = '2 invitations to the group are open, the most that is allowed.'
    expect(await call(owner, 'invite', { users: 'anna,bruno,carla' })).toEqual(refused('invite to group', problem))
    expect(await invitations(anna)).toEqual([])
    expect(await call(owner, 'invite', { users: 'anna,bruno' })).toMatchObject({ notInvited: [] })
    // An open one is renewed all the same.
    expect(await call(owner, 'invite', { users: 'bruno' })).toMatchObject({ notInvited: [] })
  })

  test('of notifications: the latest is kept', async () => {
    const { portal, owner, anna, types } = await openInvitingGroup({ environment })
    await using _ = portal
    for (const title of ['One', 'Two']) {
      portal.clock.now += 1
      const { id } = await owner.createGroup(title)
      await owner.post(`/community/groups/${id}/invite`, { users: 'anna' })
    }
    expect(await types(anna)).toHaveLength(1)
    const { notifications } = await anna.get('/community/users/anna/notifications')
    expect(notifications).toMatchObject([{ data: { groupTitle: 'Two' } }])
  })
})
