import type { Client, TestPortal } from '../../support/portal/portal.ts'
import { describe, expect, test } from '../../support/portal/test.ts'

/**
 * Reads of another organization by an administrator, where it answers; its refusals are in the expectations of
 * who may call.
 */

/** Two organizations: what the first one has, and the administrator of the second. */
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

describe('an administrator of another organization', () => {
  test('sees nothing personal of a user whose profile is public', async ({ portal }) => {
    const { anna, outsider } = await makeFixture(portal)
    await anna.post('/community/users/anna/update', { access: 'public', email: 'anna@example.com' })
    const profile = await outsider.get('/community/users/anna')
    expect(profile).toMatchObject({ username: 'anna', groups: [] })
    for (const member of ['email', 'privileges', 'disabled', 'lastLogin']) expect(profile).not.toHaveProperty(member)
  })

  test('finds none of its groups, not by id nor by organization', async ({ portal }) => {
    const { outsider, groups, portalId } = await makeFixture(portal)
    for (const q of ['', 'maps', `orgid:${portalId}`, 'owner:anna', `id:${groups.public}`, 'access:public']) {
      expect(await outsider.get('/community/groups', { q }), q).toMatchObject({ total: 0, results: [] })
    }
  })

  test('has lists of its own only', async ({ portal }) => {
    const { outsider } = await makeFixture(portal)
    const { users } = await outsider.get('/portals/self/users')
    expect(users.map(({ username }: Client) => username)).toEqual(['outsider'])
    expect(await outsider.get('/portals/self/roles')).toMatchObject({ total: 0 })
    expect(await outsider.get('/portals/self/categorySchema')).toEqual({ categorySchema: [] })
  })

  test('brings none of its users into groups of the other, nor as their owners', async ({ portal }) => {
    const { outsider } = await makeFixture(portal)
    const { id } = await outsider.createGroup('Seas', { access: 'public', isInvitationOnly: 'false' })
    expect(await outsider.post(`/community/groups/${id}/addUsers`, { users: 'anna', admins: 'admin' })).toEqual({
      notAdded: ['admin', 'anna'],
      reasons: ['admin is not a user whom you can see.', 'anna is not a user whom you can see.'],
    })
    expect(await outsider.post(`/community/groups/${id}/reassign`, { targetUsername: 'anna' })).toHaveProperty('error')
  })
})

test('two organizations of one name have two keys in their urls, and two schemas', async ({ portal, admin }) => {
  const twin = await portal.otherOrganization('Ministry of Maps', 'twin')
  const [one, two] = [await admin.get('/portals/self'), await twin.get('/portals/self')]
  expect(one.urlKey).toBe('ministryofmaps')
  expect(two).toMatchObject({ name: 'Ministry of Maps', urlKey: two.id.toLowerCase() })
  await twin.post('/portals/self/assignCategorySchema', { categorySchema: { categorySchema: [{ title: 'Twin' }] } })
  expect(await admin.get('/portals/self/categorySchema')).toEqual({ categorySchema: [] })
})

test('failed sign-ins for a user of one organization do not keep out one of another', async ({ portal }) => {
  await portal.otherOrganization()
  for (let time = 0; time < 10; time += 1) {
    await portal.anonymous.post('/generateToken', { username: 'admin', password: 'wrong password' })
  }
  expect((await portal.signIn('outsider', 'correct horse battery staple')).token).toBeDefined()
})
