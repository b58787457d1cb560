import { refused } from '../../../support/portal/envelopes.ts'
import { adminPassword, startPortal } from '../../../support/portal/portal.ts'
import { describe, expect, test } from '../../../support/portal/test.ts'

const bruno = { username: 'bruno', password: adminPassword, firstname: 'Bruno', lastname: 'B.', email: 'b@example.com' }
const path = '/portaladmin/security/users/createUser'

describe('/portaladmin', () => {
  test.for(['/portal/portaladmin', '//PORTAL//PortalAdmin/', '/portal/sharing/rest/portaladmin'])(
    'is at %s, with and without parameters',
    async (url, { portal }) => {
      for (const query of ['', '?f=json', '?f=json&_=portaladmin']) {
        const answer = await portal.server.app.inject({ method: 'POST', url: url + query })
        expect(answer.json()).toEqual({ version: expect.any(String), resources: ['security'] })
      }
    },
  )

  test.each(['/portaladmins', '/portal/portaladmins', '/portal/x/portaladmin'])('is not at %s', async (url) => {
    await using portal = await startPortal()
    expect((await portal.server.app.inject(url)).statusCode).toBe(404)
  })
})

describe('createUser', () => {
  test.for([
    ['iAAAAAAAAAAAAAAA', 'org_viewer'],
    ['iBBBBBBBBBBBBBBB', 'org_user'],
    ['iCCCCCCCCCCCCCCC', 'org_publisher'],
    ['org_admin', 'org_admin'],
    ['', 'org_user'],
  ] as const)('with role %j makes a user with the role %s', async ([role, expected], { portal, admin }) => {
    const given = { ...bruno, role, provider: 'arcgis', description: 'New', userLicenseTypeId: 'creatorUT', level: '2' }
    expect(await admin.post(path, given)).toEqual({ status: 'success' })
    expect(await (await portal.signIn('bruno', adminPassword)).get('/community/self')).toMatchObject({
      username: 'bruno',
      fullName: 'Bruno B.',
      email: 'b@example.com',
      description: 'New',
      role: expected,
    })
  })

  test('refuses what cannot be, and makes no user', async ({ admin }) => {
    const cases = [
      [{ username: 'ADMIN' }, 'ADMIN: The username is taken.'],
      [{ provider: 'enterprise' }, 'idpUsername: is missing; provider enterprise needs it.'],
      [{ password: '' }, 'bruno: No password is given, and no mail is sent from here.'],
    ] as const
    for (const [change, reason] of cases) {
      expect(await admin.post(path, { ...bruno, ...change })).toEqual(refused('create user', reason))
    }
    expect(await admin.get('/portals/self/users')).toMatchObject({ total: 1 })
  })

  test('gives no role with more than the caller has', async ({ admin }) => {
    const clerk = await admin.invite('clerk', await admin.createRole('Clerk', ['portal:admin:inviteUsers']))
    expect(await clerk.post(path, { ...bruno, role: 'iAAAAAAAAAAAAAAA' })).toEqual(
      refused('create user', 'bruno: You may not give the role org_viewer.'),
    )
  })
})

test('those role ids are taken wherever a role is named', async ({ admin }) => {
  const invitations = [{ username: 'anna', password: adminPassword, role: 'iAAAAAAAAAAAAAAA' }]
  await admin.post('/portals/self/invite', { invitationList: { invitations } })
  expect(await admin.get('/portals/self/users', { role: 'iAAAAAAAAAAAAAAA' })).toMatchObject({
    total: 1,
    users: [{ username: 'anna', role: 'org_viewer' }],
  })
  await admin.post('/portals/self/updateuserrole', { user: 'anna', role: 'iCCCCCCCCCCCCCCC' })
  expect(await admin.get('/community/users/anna')).toMatchObject({ role: 'org_publisher' })
})

test('users are listed by their role', async ({ admin }) => {
  const role = await admin.createRole('Clerk', [])
  for (const [username, given] of [
    ['anna', role],
    ['bruno', 'org_user'],
    ['clara', role],
  ] as const) {
    await admin.invite(username, given)
  }
  expect(await admin.get('/portals/self/users', { role, num: 1, start: 2 })).toMatchObject({
    total: 2,
    nextStart: -1,
    users: [{ username: 'clara', role, roleId: role }],
  })
  expect(await admin.get('/portals/self/users', { role: 'nothing' })).toMatchObject({ total: 0, users: [] })
  expect(await admin.get('/portals/self/users', { role: '' })).toMatchObject({ total: 4 })
})
