import { permissionDenied, refused, tokenRequired } from '../../../../support/portal/envelopes.ts'
import { type Client, type Parameters, startPortal, type TestPortal } from '../../../../support/portal/portal.ts'
import { describe, expect, test } from '../../../../support/portal/test.ts'

/** A group of one owner, and names of people who are there to be added. */
async function makeFixture(portal: TestPortal, access = 'private', ...usernames: readonly string[]) {
  const admin = await portal.admin()
  const owner = await admin.invite('owner')
  const people: Client[] = []
  for (const username of usernames) people.push(await admin.invite(username))
  const { id } = await owner.createGroup('Maps', { access })
  const call = (client: Client, verb: string, parameters: Parameters = {}) =>
    client.post(`/community/groups/${id}/${verb}`, parameters)
  const users = () => admin.get(`/community/groups/${id}/users`)
  return { admin, owner, id, call, users, people }
}

const alone = { owner: 'owner', admins: ['owner'], users: [] }

describe('users', () => {
  test('are the owner, who is a manager too, the managers and the members, in order', async ({ portal }) => {
    const { owner, call, users } = await makeFixture(portal, 'private', 'zoe', 'Anna', 'bruno', 'carla')
    expect(await users()).toEqual(alone)
    await call(owner, 'addUsers', { users: 'zoe,Anna', admins: 'carla,bruno' })
    expect(await users()).toEqual({ owner: 'owner', admins: ['bruno', 'carla', 'owner'], users: ['Anna', 'zoe'] })
  })
})

describe('addUsers', () => {
  test('adds members and managers, whatever the case of their names', async ({ portal }) => {
    const { owner, call, users, people } = await makeFixture(portal, 'private', 'anna', 'bruno')
    expect(await call(owner, 'addUsers', { users: ' ANNA ,', admins: 'Bruno' })).toEqual({ notAdded: [] })
    expect(await users()).toEqual({ owner: 'owner', admins: ['bruno', 'owner'], users: ['anna'] })
    expect(await people[0]!.get('/community/groups')).toMatchObject({ total: 1 })
  })

  test('reports who is not added: unknown, foreign, disabled, belonging already', async ({ portal }) => {
    const { admin, owner, call, users } = await makeFixture(portal, 'private', 'anna', 'bruno')
    await portal.otherOrganization()
    await admin.post('/community/users/bruno/disable')
    await call(owner, 'addUsers', { users: 'anna' })
    const names = ['nobody', 'outsider', 'bruno', 'anna', 'owner', '__proto__', 'constructor', 'аdmin', '%']
    const reasons = new Map([
      ['bruno', 'is disabled.'],
      ['anna', 'belongs to the group already.'],
      ['owner', 'belongs to the group already.'],
    ])
    expect(await call(owner, 'addUsers', { users: names.join() })).toEqual({
      notAdded: names,
      reasons: names.map((name) => `${name} ${reasons.get(name) ?? 'is not a user whom you can see.'}`),
    })
    expect(await users()).toEqual({ ...alone, users: ['anna'] })
  })

  test('does not change how a user belongs already', async ({ portal }) => {
    const { owner, call, users } = await makeFixture(portal, 'private', 'anna', 'bruno')
    await call(owner, 'addUsers', { users: 'anna', admins: 'bruno' })
    const answer = await call(owner, 'addUsers', { users: 'bruno', admins: 'anna,owner' })
    const names = ['anna', 'owner', 'bruno']
    const reasons = names.map((name) => `${name} belongs to the group already.`)
    expect(answer).toEqual({ notAdded: names, reasons })
    expect(await users()).toEqual({ owner: 'owner', admins: ['bruno', 'owner'], users: ['anna'] })
  })

  test('reports users whom the caller does not see as users who do not exist', async ({ admin }) => {
    await admin.invite('anna')
    const role = await admin.createRole('Recluse', ['portal:user:createGroup'])
    const recluse = await admin.invite('recluse', role)
    const { id } = await recluse.createGroup('Cell')
    const answer = await recluse.post(`/community/groups/${id}/addUsers`, { users: 'anna,nobody' })
    const reasons = ['anna is not a user whom you can see.', 'nobody is not a user whom you can see.']
    expect(answer).toEqual({ notAdded: ['anna', 'nobody'], reasons })
  })

  test.for([
    ['addUsers', 'add users to group'],
    ['updateUsers', 'update users of group'],
  ] as const)('%s without any username is refused', async ([verb, task], { portal }) => {
    const { owner, call } = await makeFixture(portal)
    for (const parameters of [{}, { users: ' , ,', admins: '' }]) {
      expect(await call(owner, verb, parameters)).toEqual(refused(task, 'users, admins: give at least one username.'))
    }
  })

  test('adds 25 in one request, and not 26 in both lists together', async ({ portal }) => {
    const { admin, owner, call, users } = await makeFixture(portal)
    const names = Array.from({ length: 25 }, (_, name) => `user${String(name).padStart(2, '0')}`)
    const invitations = names.map((username) => ({ username, password: 'a long enough password' }))
    await admin.post('/portals/self/invite', { invitationList: { invitations } })
    expect(await call(owner, 'addUsers', { users: names.join(), admins: 'admin' })).toEqual(
      refused('add users to group', 'users, admins: have 26 names together; at most 25 are allowed.'),
    )
    expect(await call(owner, 'addUsers', { users: names.join() })).toEqual({ notAdded: [] })
    expect(await users()).toEqual({ ...alone, users: names })
  })
})

describe('removeUsers', () => {
  test('removes members and managers, and reports whom it did not: the owner and who does not belong', async () => {
    await using portal = await startPortal()
    const { owner, call, users } = await makeFixture(portal, 'private', 'anna', 'bruno', 'carla', 'dora')
    await call(owner, 'addUsers', { users: 'anna,bruno', admins: 'carla' })
    const answer = await call(owner, 'removeUsers', { users: 'ANNA,carla,owner,dora,nobody,__proto__' })
    expect(answer).toEqual({ notRemoved: ['owner', 'dora', 'nobody', '__proto__'] })
    expect(await users()).toEqual({ ...alone, users: ['bruno'] })
  })
})

describe('updateUsers', () => {
  test('makes members managers and managers members', async ({ portal }) => {
    const { owner, call, users } = await makeFixture(portal, 'private', 'anna', 'bruno')
    await call(owner, 'addUsers', { users: 'anna', admins: 'bruno' })
    expect(await call(owner, 'updateUsers', { users: 'bruno', admins: 'anna' })).toEqual({
      results: [
        { username: 'bruno', success: true },
        { username: 'anna', success: true },
      ],
    })
    expect(await users()).toEqual({ owner: 'owner', admins: ['anna', 'owner'], users: ['bruno'] })
  })

  test('neither unseats the owner nor brings a user in', async ({ portal }) => {
    const { owner, call, users } = await makeFixture(portal, 'private', 'anna')
    expect(await call(owner, 'updateUsers', { users: 'owner', admins: 'anna,nobody,owner' })).toEqual({
      results: ['owner', 'anna', 'nobody', 'owner'].map((username) => ({ username, success: false })),
    })
    expect(await users()).toEqual(alone)
  })

  test('takes effect immediately: a manager who is a member again manages nothing', async ({ portal }) => {
    const { owner, call, people } = await makeFixture(portal, 'private', 'anna')
    const [anna] = people
    await call(owner, 'addUsers', { admins: 'anna' })
    expect(await call(anna!, 'update', { snippet: 'x' })).toMatchObject({ success: true })
    await call(owner, 'updateUsers', { users: 'anna' })
    expect(await call(anna!, 'update', { snippet: 'x' })).toEqual(permissionDenied)
    expect(await call(anna!, 'updateUsers', { admins: 'anna' })).toEqual(permissionDenied)
    expect(await call(portal.anonymous, 'updateUsers', { admins: 'anna' })).toEqual(tokenRequired)
  })
})

describe('reassign', () => {
  test('gives the group to another, and the former owner stays as a manager', async ({ portal }) => {
    const { owner, id, call, users, people } = await makeFixture(portal, 'private', 'anna')
    await call(owner, 'addUsers', { users: 'anna' })
    expect(await call(owner, 'reassign', { targetUsername: 'ANNA' })).toEqual({ success: true, groupId: id })
    expect(await users()).toEqual({ owner: 'anna', admins: ['anna', 'owner'], users: [] })
    expect(await people[0]!.get(`/community/groups/${id}`)).toMatchObject({
      owner: 'anna',
      userMembership: { memberType: 'owner' },
    })
    expect(await call(owner, 'delete')).toEqual(permissionDenied)
    expect(await call(owner, 'reassign', { targetUsername: 'owner' })).toEqual(permissionDenied)
    expect(await call(people[0]!, 'delete')).toMatchObject({ success: true })
  })

  test.for(['anna', 'bruno'])('to a manager or a member, %s, leaves one owner', async (targetUsername, { portal }) => {
    const { owner, call, users } = await makeFixture(portal, 'private', 'anna', 'bruno')
    await call(owner, 'addUsers', { users: 'anna', admins: 'bruno' })
    await call(owner, 'reassign', { targetUsername })
    const { owner: now, admins } = await users()
    expect([now, admins.includes('owner'), admins.includes(targetUsername)]).toEqual([targetUsername, true, true])
  })

  test('to the owner changes nothing', async ({ portal }) => {
    const { owner, id, call, users } = await makeFixture(portal)
    expect(await call(owner, 'reassign', { targetUsername: 'owner' })).toEqual({ success: true, groupId: id })
    expect(await users()).toEqual(alone)
  })

  test.for(['nobody', 'outsider', 'disabled', '__proto__'])('to %s is refused', async (targetUsername, { portal }) => {
    const { admin, owner, call, users } = await makeFixture(portal, 'private', 'disabled')
    await portal.otherOrganization()
    await admin.post('/community/users/disabled/disable')
    for (const [caller, candidate] of [
      [owner, 'an enabled member of the group'],
      [admin, 'an enabled user of the organization'],
    ] as const) {
      expect(await call(caller, 'reassign', { targetUsername })).toEqual(
        refused('reassign group', `targetUsername: ${targetUsername} is not ${candidate}.`),
      )
    }
    expect(await users()).toEqual(alone)
  })

  test('by its owner gives the group only to a member, whether or not the other user exists', async ({ portal }) => {
    const { admin, owner, id, call, people } = await makeFixture(portal, 'org', 'anna')
    const [anna] = people
    await anna!.post('/community/users/anna/update', { access: 'private' })
    for (const targetUsername of ['anna', 'nobody']) {
      expect(await call(owner, 'reassign', { targetUsername })).toEqual(
        refused('reassign group', `targetUsername: ${targetUsername} is not an enabled member of the group.`),
      )
    }
    expect(await anna!.get('/community/self')).toMatchObject({ groups: [] })
    expect(await call(admin, 'reassign', { targetUsername: 'anna' })).toEqual({ success: true, groupId: id })
  })

  test('by its owner gives the group to no one whose role may not own groups', async ({ portal }) => {
    const { admin, owner, id, call, users } = await makeFixture(portal)
    await admin.invite('viewer', 'org_viewer')
    await call(owner, 'addUsers', { users: 'viewer' })
    expect(await call(owner, 'reassign', { targetUsername: 'viewer' })).toEqual(
      refused('reassign group', 'targetUsername: the role of viewer may not own groups.'),
    )
    expect(await users()).toEqual({ ...alone, users: ['viewer'] })
    expect(await call(admin, 'reassign', { targetUsername: 'viewer' })).toEqual({ success: true, groupId: id })
  })
})

describe('join and leave', () => {
  test('go and come in a group that is open', async ({ portal }) => {
    const { owner, id, call, users, people } = await makeFixture(portal, 'org', 'anna')
    const [anna] = people
    await call(owner, 'update', { isInvitationOnly: 'false' })
    expect(await call(anna!, 'join')).toEqual({ success: true, groupId: id })
    expect(await users()).toEqual({ ...alone, users: ['anna'] })
    expect(await call(anna!, 'join')).toEqual(refused('join group', 'You belong to Maps already.'))
    expect(await call(anna!, 'leave')).toEqual({ success: true, groupId: id })
    expect(await call(anna!, 'leave')).toEqual(refused('leave group', 'You do not belong to Maps.'))
    expect(await users()).toEqual(alone)
  })

  test('who joins a group by invitation only asks to be let in, even an administrator', async ({ portal }) => {
    const { id, admin, call, users, people } = await makeFixture(portal, 'public', 'anna')
    const applied = { success: true, groupId: id, applied: true }
    expect(await call(people[0]!, 'join')).toEqual(applied)
    expect(await call(admin, 'join')).toEqual(applied)
    expect(await users()).toEqual(alone)
  })

  test('managers leave, the owner does not', async ({ portal }) => {
    const { owner, call, users, people } = await makeFixture(portal, 'private', 'anna')
    await call(owner, 'addUsers', { admins: 'anna' })
    expect(await call(people[0]!, 'leave')).toMatchObject({ success: true })
    expect(await call(owner, 'leave')).toEqual(
      refused('leave group', 'The owner cannot leave; reassign the group first.'),
    )
    expect(await users()).toEqual(alone)
  })
})
