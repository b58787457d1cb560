import { describe, expect, test } from 'vitest'
import { permissionDenied, refused, resourceNotFound, userNotFound } from '../../../../support/portal/envelopes.ts'
import { adminPassword, type Client, type StartOptions, startOfTests } from '../../../../support/portal/portal.ts'
import { openInvitingGroup } from './inviting-group.ts'

const day = 86_400_000

/** A group by invitation only that the organization sees, and people who want to join it. */
async function makeFixture(options: StartOptions = {}) {
  const fixture = await openInvitingGroup(options, { access: 'org' })
  const applications = (client: Client) => client.get(`/community/groups/${fixture.groupId}/applications`)
  return { ...fixture, applications }
}

const annas = { username: 'anna', fullname: 'anna', received: startOfTests }

/** Settings of a server with low limits. */
const environment = { LIMIT_MEMBERSHIPS: '2', LIMIT_APPLICATIONS: '1', LIMIT_APPLICATIONS_PER_GROUP: '1' }

describe('a request to join', () => {
  test('is made by join to a group by invitation only, once, and is seen by those who may accept it', async () => {
    const { portal, admin, owner, anna, groupId, call, applications, membership, types } = await makeFixture()
    await using _ = portal
    const manager = await admin.invite('manager')
    await call(owner, 'addUsers', { admins: 'manager' })
    const applied = { success: true, groupId, applied: true }
    expect(await call(anna, 'join')).toEqual(applied)
    portal.clock.now += 1
    expect(await call(anna, 'join')).toEqual(applied)
    for (const client of [admin, owner, manager]) {
      expect(await applications(client)).toEqual({ applications: [annas] })
      expect(await client.get(`/community/groups/${groupId}/applications/ANNA`)).toEqual(annas)
    }
    expect(await applications(anna)).toEqual(permissionDenied)
    expect(await membership(owner)).toMatchObject({ applications: 1 })
    expect(await membership(manager)).toMatchObject({ applications: 1 })
    expect(await membership(anna)).toMatchObject({ memberType: 'none', applications: 0 })
    expect(await membership(admin)).toMatchObject({ memberType: 'none', applications: 0 })
    const { groups } = await owner.get('/community/self')
    expect(groups).toMatchObject([{ userMembership: { applications: 1 } }])
    expect(await types(anna)).toEqual(['group_join'])
    for (const client of [owner, manager]) expect(await types(client)).toEqual(['group_application'])
    expect(await types(admin)).toEqual([])
    // The notification of a further request takes the place of the one that was read.
    await owner.post('/community/users/owner/notifications/markRead')
    portal.clock.now += 1
    await call(await admin.invite('bruno'), 'join')
    const { notifications } = await owner.get('/community/users/owner/notifications')
    expect(notifications).toMatchObject([{ read: false, received: portal.clock.now, data: { groupTitle: 'Maps' } }])
  })

  test('that is accepted makes the user a member, and is deleted', async () => {
    const { portal, owner, anna, groupId, call, applications, membership, types } = await makeFixture()
    await using _ = portal
    await call(anna, 'join')
    expect(await call(owner, 'applications/Anna/accept')).toEqual({ success: true, username: 'anna', groupId })
    expect(await membership(anna)).toMatchObject({ memberType: 'member' })
    expect(await applications(owner)).toEqual({ applications: [] })
    expect(await call(owner, 'applications/anna/accept')).toEqual(userNotFound)
    expect((await types(anna)).toSorted()).toEqual(['group_application_accepted', 'group_join'])
  })

  test('that is declined is deleted, and may be made again', async () => {
    const { portal, owner, anna, groupId, call, applications, membership, types } = await makeFixture()
    await using _ = portal
    await call(anna, 'join')
    expect(await call(owner, 'applications/anna/decline')).toEqual({ success: true, username: 'anna', groupId })
    expect(await applications(owner)).toEqual({ applications: [] })
    expect(await membership(anna)).toMatchObject({ memberType: 'none' })
    expect(await call(owner, 'applications/anna/accept')).toEqual(userNotFound)
    expect((await types(anna)).toSorted()).toEqual(['group_application_declined', 'group_join'])
    await call(anna, 'join')
    expect(await applications(owner)).toEqual({ applications: [annas] })
  })

  test('of a user who is invited then is accepted by the invitation', async () => {
    const { portal, owner, anna, groupId, call, applications, membership } = await makeFixture()
    await using _ = portal
    await call(anna, 'join')
    expect(await call(owner, 'invite', { users: 'anna', role: 'group_admin' })).toEqual({
      success: true,
      groupId,
      notInvited: [],
    })
    expect(await membership(anna)).toMatchObject({ memberType: 'admin' })
    expect(await applications(owner)).toEqual({ applications: [] })
    expect(await anna.get('/community/users/anna/invitations')).toEqual({ userInvitations: [] })
  })

  test('waits whatever autoJoin says', async () => {
    const { portal, owner, anna, call } = await makeFixture()
    await using _ = portal
    await call(owner, 'update', { autoJoin: 'true' })
    expect(await call(anna, 'join')).toMatchObject({ applied: true })
  })
})

describe('meanwhile', () => {
  test('the user may not join groups any more, is disabled or has gone: not accepted', async () => {
    const { portal, admin, owner, anna, call, applications } = await makeFixture()
    await using _ = portal
    await call(anna, 'join')
    const problem = refused('accept application', 'anna may not join Maps now.')
    await admin.post('/portals/self/updateUserRole', { user: 'anna', role: await admin.createRole('Recluse', []) })
    expect(await call(owner, 'applications/anna/accept')).toEqual(problem)
    await admin.post('/portals/self/updateUserRole', { user: 'anna', role: 'org_user' })
    await admin.post('/community/users/anna/disable')
    expect(await call(owner, 'applications/anna/accept')).toEqual(problem)
    await admin.post('/community/users/anna/delete')
    expect(await applications(owner)).toEqual({ applications: [] })
    expect(await call(owner, 'applications/anna/accept')).toEqual(userNotFound)
  })

  test('the group has become private, or open: the request is answered as before', async () => {
    const { portal, admin, owner, anna, call, membership } = await makeFixture()
    await using _ = portal
    const bruno = await admin.invite('bruno')
    await call(anna, 'join')
    await call(bruno, 'join')
    await call(owner, 'update', { access: 'private' })
    expect(await call(owner, 'applications/anna/accept')).toMatchObject({ success: true })
    expect(await membership(anna)).toMatchObject({ memberType: 'member' })
    await call(owner, 'update', { access: 'org', isInvitationOnly: 'false' })
    expect(await call(bruno, 'join')).not.toHaveProperty('applied')
    expect(await call(owner, 'applications/bruno/accept')).toEqual(userNotFound)
  })

  test('the user belongs to as many groups as is allowed', async () => {
    const { portal, owner, anna, call } = await makeFixture({ environment })
    await using _ = portal
    await call(anna, 'join')
    for (const title of ['One', 'Two']) await anna.createGroup(title)
    const full = 'anna belongs to 2 groups; at most 2 are allowed.'
    expect(await call(owner, 'applications/anna/accept')).toEqual(refused('accept application', full))
    expect(await call(owner, 'invite', { users: 'anna' })).toMatchObject({ notInvited: ['anna'] })
  })

  test('no manager has answered for 90 days: the request has ended, and may be made again', async () => {
    const { portal, anna, call, applications } = await makeFixture()
    await using _ = portal
    await call(anna, 'join')
    portal.clock.now += 90 * day
    // Sign-in ends before.
    const [later, latest] = [await portal.signIn('owner', adminPassword), await portal.signIn('anna', adminPassword)]
    expect(await applications(later)).toEqual({ applications: [annas] })
    portal.clock.now += 1
    expect(await applications(later)).toEqual({ applications: [] })
    expect(await call(later, 'applications/anna/accept')).toEqual(userNotFound)
    expect(await call(latest, 'join')).toMatchObject({ applied: true })
    expect((await applications(later)).applications).toHaveLength(1)
  })
})

describe('limits', () => {
  test('of a user and of a group are refused with a sentence; what is open is asked for again all the same', async () => {
    const { portal, admin, owner, anna, call } = await makeFixture({ environment })
    await using _ = portal
    const bruno = await admin.invite('bruno')
    await call(anna, 'join')
    const full = '1 requests to join the group are open, the most that is allowed.'
    expect(await call(bruno, 'join')).toEqual(refused('join group', full))
    const { id } = await owner.createGroup('Water', { access: 'org' })
    const many = 'You have asked to join 1 groups, the most that is allowed.'
    expect(await anna.post(`/community/groups/${id}/join`)).toEqual(refused('join group', many))
    expect(await call(anna, 'join')).toMatchObject({ applied: true })
  })
})

test('a notification is read, and deleted once', async () => {
  const { portal, anna, call } = await makeFixture()
  await using _ = portal
  await call(anna, 'join')
  const path = '/community/users/anna/notifications'
  const [notification] = (await anna.get(path)).notifications
  expect(await anna.get(`${path}/${notification.id}`)).toEqual(notification)
  await anna.post(`${path}/${notification.id}/delete`)
  expect(await anna.get(path)).toEqual({ notifications: [] })
  expect(await anna.post(`${path}/${notification.id}/delete`)).toEqual(resourceNotFound)
})
