import { describe, expect, test } from 'vitest'
import { tokenInvalid, tokenRequired, userNotFound } from '../../../support/portal/envelopes.ts'
import { type Client, startOfTests, startPortal, type TestPortal } from '../../../support/portal/portal.ts'

const viewerPrivileges = [
  'portal:user:joinGroup',
  'portal:user:viewOrgGroups',
  'portal:user:viewOrgItems',
  'portal:user:viewOrgUsers',
]

/** Profile of a user, for every caller who sees the user at all. */
const profile = {
  username: 'anna',
  id: expect.stringMatching(/^[0-9a-f]{32}$/),
  fullName: 'anna',
  firstName: '',
  lastName: '',
  description: '',
  tags: [],
  culture: null,
  region: null,
  units: null,
  orgId: expect.stringMatching(/^[A-Za-z0-9]{16}$/),
  role: 'org_viewer',
  access: 'org',
  created: startOfTests,
  modified: startOfTests,
  groups: [],
}

/** Additional members for the user and administrators. */
const personal = {
  ...profile,
  email: '',
  privileges: viewerPrivileges,
  disabled: false,
  provider: 'arcgis',
  lastLogin: startOfTests,
}

async function withAccess(portal: TestPortal, access: string): Promise<Client> {
  const anna = await portal.user('anna', 'org_viewer')
  await anna.post('/community/users/anna/update', { access })
  return anna
}

describe('community/self', () => {
  test('is the caller, whole', async () => {
    await using portal = await startPortal()
    const anna = await portal.user('anna', 'org_viewer')
    expect(await anna.get('/community/self')).toEqual(personal)
    expect(await anna.post('/community/self')).toEqual(personal)
  })

  test('is 499 for an anonymous caller', async () => {
    await using portal = await startPortal()
    expect(await portal.anonymous.get('/community/self')).toEqual(tokenRequired)
    expect(await portal.anonymous.post('/community/self')).toEqual(tokenRequired)
  })

  test('has the groups that the caller belongs to, and how', async () => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    const anna = await admin.invite('anna')
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

  test('shows an administrator every privilege, and each but once', async () => {
    await using portal = await startPortal()
    const { privileges, role } = await (await portal.admin()).get('/community/self')
    expect(role).toBe('org_admin')
    expect(new Set(privileges).size).toBe(privileges.length)
    for (const privilege of [
      'portal:admin:updateItemCategorySchema',
      'portal:admin:manageCollaborations',
      'portal:admin:categorizeItems',
      'portal:user:categorizeItems',
      'portal:admin:updateItems',
      'portal:user:createGroup',
      'portal:user:createItem',
    ]) {
      expect(privileges).toContain(privilege)
    }
  })

  test.each([
    ['org_publisher', true],
    ['org_user', true],
    ['org_viewer', false],
  ])('tells a %s no privilege of administrators', async (role, createsGroups) => {
    await using portal = await startPortal()
    const { privileges } = await (await portal.user('anna', role)).get('/community/self')
    expect(privileges.filter((name: string) => name.startsWith('portal:admin:'))).toEqual([])
    expect(privileges.includes('portal:user:createGroup')).toBe(createsGroups)
  })

  test('shows the id of a custom role as role and roleId, with its privileges', async () => {
    await using portal = await startPortal()
    const admin = await portal.admin()
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
  test('is whole for the user and for administrators', async () => {
    await using portal = await startPortal()
    const anna = await portal.user('anna', 'org_viewer')
    expect(await anna.get('/community/users/anna')).toEqual(personal)
    expect(await (await portal.admin()).get('/community/users/anna')).toEqual(personal)
  })

  test('is a profile without anything personal for others of the organization', async () => {
    await using portal = await startPortal()
    await portal.user('anna', 'org_viewer')
    const bruno = await portal.user('bruno')
    expect(await bruno.get('/community/users/anna')).toEqual(profile)
  })

  test('is whole for a custom role that may view users', async () => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    await admin.invite('anna', 'org_viewer')
    const clerk = await admin.invite('clerk', await admin.createRole('Clerk', ['portal:admin:viewUsers']))
    expect(await clerk.get('/community/users/anna')).toEqual(personal)
  })

  test('is found whatever the case of the name', async () => {
    await using portal = await startPortal()
    const anna = await portal.user('anna', 'org_viewer')
    expect(await anna.get('/community/users/ANNA')).toEqual(personal)
  })

  test('is found by the id of the user, whatever its case', async () => {
    await using portal = await startPortal()
    const anna = await portal.user('anna', 'org_viewer')
    const { id } = await anna.get('/community/self')
    expect(await anna.get(`/community/users/${id}`)).toEqual(personal)
    expect(await anna.get(`/community/users/${id.toUpperCase()}`)).toEqual(personal)
    expect(await anna.get(`/community/users/${'0'.repeat(32)}`)).toEqual(userNotFound)
  })

  test('shows the groups of another user to administrators only', async () => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    const anna = await admin.invite('anna')
    const { id } = await anna.createGroup('Maps', { access: 'public' })
    const bruno = await admin.invite('bruno')
    expect((await admin.get('/community/users/anna')).groups).toMatchObject([
      { id, userMembership: { username: 'anna', memberType: 'owner' } },
    ])
    expect((await bruno.get('/community/users/anna')).groups).toEqual([])
  })

  test('with access private is for the user and administrators', async () => {
    await using portal = await startPortal()
    const anna = await withAccess(portal, 'private')
    const bruno = await portal.user('bruno')
    expect(await anna.get('/community/users/anna')).toMatchObject({ access: 'private' })
    expect(await (await portal.admin()).get('/community/users/anna')).toMatchObject({ access: 'private' })
    expect(await bruno.get('/community/users/anna')).toEqual(userNotFound)
    expect(await portal.anonymous.get('/community/users/anna')).toEqual(tokenRequired)
  })

  test('with access org is for the organization', async () => {
    await using portal = await startPortal()
    await withAccess(portal, 'org')
    const outsider = await portal.otherOrganization()
    const bruno = await portal.user('bruno')
    expect(await bruno.get('/community/users/anna')).toEqual(profile)
    expect(await outsider.get('/community/users/anna')).toEqual(userNotFound)
    expect(await portal.anonymous.get('/community/users/anna')).toEqual(tokenRequired)
  })

  test('with access public is a profile for everybody', async () => {
    await using portal = await startPortal()
    await withAccess(portal, 'public')
    const outsider = await portal.otherOrganization()
    expect(await outsider.get('/community/users/anna')).toEqual({ ...profile, access: 'public' })
    expect(await portal.anonymous.get('/community/users/anna')).toEqual({ ...profile, access: 'public' })
  })

  test('is not shown to a custom role that may view no users, but for oneself', async () => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    const recluse = await admin.invite('recluse', await admin.createRole('Recluse', []))
    expect(await recluse.get('/community/users/admin')).toEqual(userNotFound)
    expect(await recluse.get('/community/users/recluse')).toMatchObject({ username: 'recluse', privileges: [] })
  })

  test.each(['nobody', '__proto__', 'constructor', 'toString', '%', 'аnna', '\u212aate', 'self'])(
    'of %s is refused like any that the caller may not see, and 499 for an anonymous caller',
    async (username) => {
      await using portal = await startPortal()
      const admin = await portal.admin()
      await admin.invite('kate')
      const path = `/community/users/${encodeURIComponent(username)}`
      expect(await admin.get(path)).toEqual(userNotFound)
      expect(await portal.anonymous.get(path)).toEqual(tokenRequired)
    },
  )

  test('may be called __proto__ or constructor', async () => {
    await using portal = await startPortal()
    const admin = await portal.admin()
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
  test('lists everybody in the order of usernames, in pages', async () => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    for (const username of ['Zoe', 'anna', 'Bruno']) await admin.invite(username)
    const names = ({ users }: { users: Client[] }) => users.map(({ username }) => username)
    const all = await admin.get('/portals/self/users')
    expect(all).toMatchObject({ total: 4, start: 1, num: 10, nextStart: -1 })
    expect(names(all)).toEqual(['admin', 'anna', 'Bruno', 'Zoe'])
    const first = await admin.get('/portals/self/users', { num: '3' })
    expect(first).toMatchObject({ total: 4, start: 1, num: 3, nextStart: 4 })
    const second = await admin.get('/portals/self/users', { num: '3', start: String(first.nextStart) })
    expect(second).toMatchObject({ total: 4, start: 4, nextStart: -1 })
    expect([...names(first), ...names(second)]).toEqual(names(all))
  })

  test('shows administrators what is personal, and others not', async () => {
    await using portal = await startPortal()
    const anna = await portal.user('anna', 'org_viewer')
    const { groups: _groups, ...shown } = profile
    const { privileges: _privileges, groups: _none, ...own } = personal
    const [listed, whole] = [shown, own].map((one) => ({ ...one, roleId: 'org_viewer' }))
    const bruno = await portal.user('bruno')
    expect((await (await portal.admin()).get('/portals/self/users')).users[1]).toEqual(whole)
    expect((await anna.get('/portals/self/users')).users[1]).toEqual(whole)
    expect((await bruno.get('/portals/self/users')).users[1]).toEqual(listed)
  })

  test('leaves private users out, but for themselves and administrators', async () => {
    await using portal = await startPortal()
    const anna = await withAccess(portal, 'private')
    const bruno = await portal.user('bruno')
    const list = async (client: Client) => {
      const { total, users } = await client.get('/portals/self/users')
      return { total, names: users.map(({ username }: Client) => username) }
    }
    expect(await list(bruno)).toEqual({ total: 2, names: ['admin', 'bruno'] })
    expect(await list(anna)).toEqual({ total: 3, names: ['admin', 'anna', 'bruno'] })
    expect(await list(await portal.admin())).toEqual({ total: 3, names: ['admin', 'anna', 'bruno'] })
  })
})

test('a token outlives neither the user’s deletion nor a new user of the same name', async () => {
  await using portal = await startPortal()
  const admin = await portal.admin()
  const former = await admin.invite('anna')
  const { id } = await former.get('/community/self')
  await admin.post('/community/users/anna/delete')
  expect(await former.get('/community/self')).toEqual(tokenInvalid)
  const latter = await admin.invite('anna', 'org_admin')
  expect(await former.get('/community/self')).toEqual(tokenInvalid)
  expect((await latter.get('/community/self')).id).not.toBe(id)
})
