import { tokenInvalid, userNotFound } from '../../../support/portal/envelopes.ts'
import { exampleOf } from '../../../support/portal/example-call.ts'
import type { Client, TestPortal } from '../../../support/portal/portal.ts'
import { describe, expect, test } from '../../../support/portal/test.ts'

const viewerPrivileges = [
  'portal:user:joinGroup',
  'portal:user:viewOrgGroups',
  'portal:user:viewOrgItems',
  'portal:user:viewOrgUsers',
]

const { email: _, privileges: __, disabled, provider, lastLogin, ...others } = exampleOf('readUser')
/** Profile of a user, for every caller who sees the user at all. */
const profile = {
  ...others,
  ...{ fullName: 'anna', role: 'org_viewer', groups: [] },
  id: expect.stringMatching(/^[0-9a-f]{32}$/),
  orgId: expect.stringMatching(/^[A-Za-z0-9]{16}$/),
}

/** Additional members for the user and administrators. */
const personal = { ...profile, email: '', privileges: viewerPrivileges, disabled, provider, lastLogin }

async function withAccess(portal: TestPortal, access: string): Promise<Client> {
  const anna = await portal.user('anna', 'org_viewer')
  await anna.post('/community/users/anna/update', { access })
  return anna
}

describe('community/self', () => {
  test('is the caller, whole', async ({ portal }) => {
    const anna = await portal.user('anna', 'org_viewer')
    expect(await anna.get('/community/self')).toEqual(personal)
    expect(await anna.post('/community/self')).toEqual(personal)
  })

  test('has the groups that the caller belongs to, and how', async ({ admin, anna }) => {
    const own = await anna.createGroup('B of Anna')
    const shared = await admin.createGroup('A of the administrator')
    await admin.createGroup('Of the administrator alone', { access: 'org' })
    await admin.post(`/community/groups/${shared.id}/addUsers`, { admins: 'anna' })
    const { groups } = await anna.get('/community/self')
    expect(groups).toEqual([
      await anna.get(`/community/groups/${shared.id}`),
      await anna.get(`/community/groups/${own.id}`),
    ])
    expect(groups[0].userMembership).toEqual({ username: 'anna', memberType: 'admin', applications: 0 })
    expect(groups[1].userMembership).toEqual({ username: 'anna', memberType: 'owner', applications: 0 })
  })

  test('shows the id of a custom role as role and roleId, with its privileges', async ({ admin }) => {
    const role = await admin.createRole('Cataloguer', ['portal:admin:updateItemCategorySchema'])
    const anna = await admin.invite('anna', role)
    expect(await anna.get('/community/self')).toMatchObject({
      role,
      roleId: role,
      privileges: ['portal:admin:updateItemCategorySchema'],
    })
  })
})

describe('community/users/<username>', () => {
  test('is whole for the user and for administrators', async ({ portal }) => {
    const anna = await portal.user('anna', 'org_viewer')
    expect(await anna.get('/community/users/anna')).toEqual(personal)
    expect(await (await portal.admin()).get('/community/users/anna')).toEqual(personal)
  })

  test('is a profile without anything personal for others of the organization', async ({ portal }) => {
    await portal.user('anna', 'org_viewer')
    const bruno = await portal.user('bruno')
    expect(await bruno.get('/community/users/anna')).toEqual(profile)
  })

  test('is whole for a custom role that may view users', async ({ admin }) => {
    await admin.invite('anna', 'org_viewer')
    const clerk = await admin.invite('clerk', await admin.createRole('Clerk', ['portal:admin:viewUsers']))
    expect(await clerk.get('/community/users/anna')).toEqual(personal)
  })

  test('is found by the username or the id of the user, whatever the case', async ({ portal }) => {
    const anna = await portal.user('anna', 'org_viewer')
    const { id } = await anna.get('/community/self')
    for (const named of ['ANNA', id, id.toUpperCase()]) {
      expect(await anna.get(`/community/users/${named}`)).toEqual(personal)
    }
  })

  test('shows the groups of another user to administrators only', async ({ admin, anna }) => {
    const { id } = await anna.createGroup('Maps', { access: 'public' })
    const bruno = await admin.invite('bruno')
    expect((await admin.get('/community/users/anna')).groups).toMatchObject([
      { id, userMembership: { username: 'anna', memberType: 'owner' } },
    ])
    expect((await bruno.get('/community/users/anna')).groups).toEqual([])
  })

  test('with access public is a profile for everybody', async ({ portal }) => {
    await withAccess(portal, 'public')
    const outsider = await portal.otherOrganization()
    expect(await outsider.get('/community/users/anna')).toEqual({ ...profile, access: 'public' })
    expect(await portal.anonymous.get('/community/users/anna')).toEqual({ ...profile, access: 'public' })
  })

  test.for(['аnna', '\u212aate', 'self'])(
    'of %s is not there, as it only looks like one that is',
    async (username, { admin }) => {
      for (const one of ['anna', 'kate']) await admin.invite(one)
      expect(await admin.get(`/community/users/${encodeURIComponent(username)}`)).toEqual(userNotFound)
    },
  )

  test('may be called __proto__ or constructor', async ({ admin }) => {
    for (const username of ['__proto__', 'constructor', 'hasOwnProperty']) {
      const person = await admin.invite(username)
      expect(await person.get('/community/self')).toMatchObject({ username, role: 'org_user' })
      expect(await admin.get(`/community/users/${username}`)).toMatchObject({ username })
    }
    expect((await admin.get('/portals/self/users')).users.map((user: Client) => user.username)).toEqual([
      '__proto__',
      'admin',
      'constructor',
      'hasOwnProperty',
    ])
  })
})

describe('portals/<id>/users', () => {
  test('shows administrators what is personal, and others not', async ({ portal }) => {
    const anna = await portal.user('anna', 'org_viewer')
    const { groups: _groups, ...shown } = profile
    const { privileges: _privileges, groups: _none, ...own } = personal
    const [listed, whole] = [shown, own].map((one) => ({ ...one, roleId: 'org_viewer' }))
    const bruno = await portal.user('bruno')
    expect((await (await portal.admin()).get('/portals/self/users')).users[1]).toEqual(whole)
    expect((await anna.get('/portals/self/users')).users[1]).toEqual(whole)
    expect((await bruno.get('/portals/self/users')).users[1]).toEqual(listed)
  })
})

test('a token outlives neither the user’s deletion nor a new user of the same name', async ({ admin }) => {
  const former = await admin.invite('anna')
  const { id } = await former.get('/community/self')
  await admin.post('/community/users/anna/delete')
  expect(await former.get('/community/self')).toEqual(tokenInvalid)
  const latter = await admin.invite('anna', 'org_admin')
  expect(await former.get('/community/self')).toEqual(tokenInvalid)
  expect((await latter.get('/community/self')).id).not.toBe(id)
})
