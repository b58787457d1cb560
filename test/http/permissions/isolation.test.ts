import { describe, expect, test } from 'vitest'
import { groupNotFound, permissionDenied, resourceNotFound } from '../../support/portal/envelopes.ts'
import { type Body, type Client, type Parameters, startPortal, type TestPortal } from '../../support/portal/portal.ts'

/** Two organizations: everything that the first one has, and the administrator of the second. */
async function makeFixture(portal: TestPortal) {
  const admin = await portal.admin()
  const anna = await admin.invite('anna')
  const { id: portalId } = await admin.get('/portals/self')
  const roleId = await admin.createRole('Cataloguer', ['portal:user:createGroup'])
  const groups = {
    private: (await anna.createGroup('Private maps')).id,
    org: (await anna.createGroup('Maps of all', { access: 'org' })).id,
    public: (await anna.createGroup('Public maps', { access: 'public', isInvitationOnly: 'false' })).id,
  }
  await admin.post('/portals/self/assignCategorySchema', { categorySchema: { categorySchema: [{ title: 'Region' }] } })
  portal.clock.now += 1
  const outsider = await portal.otherOrganization()
  return { admin, anna, outsider, portalId, roleId, groups }
}

type Fixture = Awaited<ReturnType<typeof makeFixture>>

/** All that the first organization knows of itself. */
async function everything({ admin, roleId, groups }: Fixture): Promise<readonly Body[]> {
  const paths = [
    '/portals/self',
    '/portals/self/users',
    '/portals/self/roles',
    `/portals/self/roles/${roleId}/privileges`,
    '/portals/self/categorySchema',
    '/portals/self/collaborations',
    '/community/users/anna',
    '/community/groups',
    ...Object.values(groups).flatMap((id) => [`/community/groups/${id}`, `/community/groups/${id}/users`]),
  ]
  return Promise.all(paths.map((path) => admin.get(path)))
}

const portalWrites: readonly [string, Parameters][] = [
  ['update', { name: 'Mine' }],
  ['invite', { invitationList: { invitations: [{ username: 'spy', password: 'a long enough password' }] } }],
  ['updateUserRole', { user: 'anna', role: 'org_admin' }],
  ['createRole', { name: 'Mine' }],
  ['assignCategorySchema', { categorySchema: { categorySchema: [{ title: 'Mine' }] } }],
  ['deleteCategorySchema', {}],
  ['createCollaboration', { name: 'Mine' }],
]

describe('an administrator of another organization', () => {
  test('reads nothing of an organization', async () => {
    await using portal = await startPortal()
    const { outsider, portalId, roleId } = await makeFixture(portal)
    for (const path of [
      '',
      '/users',
      '/roles',
      `/roles/${roleId}`,
      `/roles/${roleId}/privileges`,
      '/categorySchema',
      '/collaborations',
    ]) {
      expect(await outsider.get(`/portals/${portalId}${path}`), path).toEqual(resourceNotFound)
    }
  })

  test('changes nothing of an organization', async () => {
    await using portal = await startPortal()
    const fixture = await makeFixture(portal)
    const before = await everything(fixture)
    for (const [verb, parameters] of portalWrites) {
      const answer = await fixture.outsider.post(`/portals/${fixture.portalId}/${verb}`, parameters)
      expect(answer, verb).toEqual(resourceNotFound)
    }
    for (const verb of ['setPrivileges', 'update', 'delete']) {
      const path = `/portals/${fixture.portalId}/roles/${fixture.roleId}/${verb}`
      expect(await fixture.outsider.post(path, { privileges: { privileges: [] } }), verb).toEqual(resourceNotFound)
    }
    expect(await everything(fixture)).toEqual(before)
  })

  test('changes nothing of an organization that is public, and reads only its public view', async () => {
    await using portal = await startPortal()
    const fixture = await makeFixture(portal)
    await fixture.admin.post('/portals/self/update', { access: 'public' })
    const before = await everything(fixture)
    expect(await fixture.outsider.get(`/portals/${fixture.portalId}`)).not.toHaveProperty('user')
    expect(await fixture.outsider.get(`/portals/${fixture.portalId}/users`)).toEqual(permissionDenied)
    expect(await fixture.outsider.get(`/portals/${fixture.portalId}/roles`)).toEqual(permissionDenied)
    for (const [verb, parameters] of portalWrites) {
      const answer = await fixture.outsider.post(`/portals/${fixture.portalId}/${verb}`, parameters)
      expect(answer, verb).toEqual(permissionDenied)
    }
    expect(await everything(fixture)).toEqual(before)
  })

  test('neither reads nor changes its users', async () => {
    await using portal = await startPortal()
    const fixture = await makeFixture(portal)
    const before = await everything(fixture)
    expect(await fixture.outsider.get('/community/users/anna')).toEqual(resourceNotFound)
    for (const verb of ['update', 'disable', 'enable', 'delete', 'changePassword']) {
      const answer = await fixture.outsider.post(`/community/users/anna/${verb}`, {
        newPassword: 'another long password',
      })
      expect(answer, verb).toEqual(resourceNotFound)
    }
    expect(await everything(fixture)).toEqual(before)
    expect(await fixture.anna.get('/community/self')).toMatchObject({ username: 'anna' })
  })

  test('changes no user whose profile is public, and sees nothing personal', async () => {
    await using portal = await startPortal()
    const fixture = await makeFixture(portal)
    await fixture.anna.post('/community/users/anna/update', { access: 'public', email: 'anna@example.com' })
    const before = await everything(fixture)
    const profile = await fixture.outsider.get('/community/users/anna')
    expect(profile).toMatchObject({ username: 'anna', groups: [] })
    for (const member of ['email', 'privileges', 'disabled', 'lastLogin']) expect(profile).not.toHaveProperty(member)
    for (const verb of ['update', 'disable', 'enable', 'delete', 'changePassword']) {
      const answer = await fixture.outsider.post(`/community/users/anna/${verb}`, {
        newPassword: 'another long password',
      })
      expect(answer, verb).toEqual(permissionDenied)
    }
    expect(await everything(fixture)).toEqual(before)
  })

  test.each(['private', 'org', 'public'] as const)('changes nothing of a %s group', async (access) => {
    await using portal = await startPortal()
    const fixture = await makeFixture(portal)
    const before = await everything(fixture)
    const refusal = access === 'public' ? permissionDenied : groupNotFound
    const id = fixture.groups[access]
    const categorySchema = { categorySchema: [{ title: 'Mine' }] }
    const writes: readonly [string, Parameters][] = [
      ['update', { title: 'Mine' }],
      ['delete', {}],
      ['protect', {}],
      ['unprotect', {}],
      ['reassign', { targetUsername: 'outsider' }],
      ['addUsers', { users: 'outsider', admins: 'outsider' }],
      ['removeUsers', { users: 'anna' }],
      ['updateUsers', { users: 'anna' }],
      ['join', {}],
      ['assignCategorySchema', { categorySchema }],
      ['deleteCategorySchema', {}],
    ]
    for (const [verb, parameters] of writes) {
      expect(await fixture.outsider.post(`/community/groups/${id}/${verb}`, parameters), verb).toEqual(refusal)
    }
    expect(await fixture.outsider.get(`/community/groups/${id}/users`)).toEqual(refusal)
    expect(await everything(fixture)).toEqual(before)
  })

  test('finds none of its groups, not by id nor by organization', async () => {
    await using portal = await startPortal()
    const { outsider, groups, portalId } = await makeFixture(portal)
    for (const q of ['', 'maps', `orgid:${portalId}`, 'owner:anna', `id:${groups.public}`, 'access:public']) {
      expect(await outsider.get('/community/groups', { q }), q).toMatchObject({ total: 0, results: [] })
    }
  })

  test('has lists of his own only', async () => {
    await using portal = await startPortal()
    const { outsider } = await makeFixture(portal)
    const { users } = await outsider.get('/portals/self/users')
    expect(users.map(({ username }: Client) => username)).toEqual(['outsider'])
    expect(await outsider.get('/portals/self/roles')).toMatchObject({ total: 0 })
    expect(await outsider.get('/portals/self/categorySchema')).toEqual({ categorySchema: [] })
  })

  test('brings none of its users into his groups, nor as their owners', async () => {
    await using portal = await startPortal()
    const { outsider } = await makeFixture(portal)
    const { id } = await outsider.createGroup('Seas', { access: 'public', isInvitationOnly: 'false' })
    expect(await outsider.post(`/community/groups/${id}/addUsers`, { users: 'anna', admins: 'admin' })).toEqual({
      notAdded: ['admin', 'anna'],
    })
    expect(await outsider.post(`/community/groups/${id}/reassign`, { targetUsername: 'anna' })).toHaveProperty('error')
  })
})

test('two organizations of one name have two keys in their urls, and two schemas', async () => {
  await using portal = await startPortal()
  const admin = await portal.admin()
  const twin = await portal.otherOrganization('Ministry of Maps', 'twin')
  const [one, two] = [await admin.get('/portals/self'), await twin.get('/portals/self')]
  expect(one.urlKey).toBe('ministryofmaps')
  expect(two).toMatchObject({ name: 'Ministry of Maps', urlKey: two.id.toLowerCase() })
  await twin.post('/portals/self/assignCategorySchema', { categorySchema: { categorySchema: [{ title: 'Twin' }] } })
  expect(await admin.get('/portals/self/categorySchema')).toEqual({ categorySchema: [] })
})

test('failed sign-ins for a user of one organization do not keep out one of another', async () => {
  await using portal = await startPortal()
  await portal.otherOrganization()
  for (let time = 0; time < 10; time += 1) {
    await portal.anonymous.post('/generateToken', { username: 'admin', password: 'wrong password' })
  }
  expect((await portal.signIn('outsider', 'correct horse battery staple')).token).toBeDefined()
})
