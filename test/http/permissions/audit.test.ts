import type { AuditEntry } from '../../../src/call/audit-entry.ts'
import { openPasswordHash } from '../../../src/secrets/password-hash.ts'
import type { PasswordHash } from '../../../src/tokens/password.ts'
import { openRawDatabase, recordedOf } from '../../support/databases/raw-database.ts'
import { tooManyRequests } from '../../support/portal/envelopes.ts'
import { type Client, startOfTests, startPortal, type TestPortal } from '../../support/portal/portal.ts'
import { describe, expect, test } from '../../support/portal/test.ts'

/** Audit entries that are written while the work is done. */
async function during(portal: TestPortal, work: () => Promise<unknown>): Promise<readonly AuditEntry[]> {
  const before = (await recordedOf(portal).entries()).length
  await work()
  return (await recordedOf(portal).entries()).slice(before)
}

test('a change is written with who, when, from where, which operation, on what, and how it ended', async () => {
  await using portal = await startPortal()
  const admin = await portal.admin()
  const { id } = await admin.createGroup('Maps')
  const { id: portalId } = await admin.get('/portals/self')
  const { id: ownerId } = await admin.get('/community/self')
  portal.clock.now += 5000
  let requestId: unknown
  const written = await during(portal, async () => {
    const response = await portal.server.app.inject({
      method: 'POST',
      url: `${portal.base}//community/groups/${id}/update/?token=${admin.token}&f=json`,
      remoteAddress: '192.0.2.7',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'snippet=secret',
    })
    requestId = response.headers['x-request-id']
  })
  expect(written).toEqual([
    {
      at: startOfTests + 5000,
      username: 'admin',
      portalId,
      address: '192.0.2.7',
      operation: 'updateGroup',
      target: `/community/groups/${id}/update`,
      outcome: 200,
      requestId,
      ownerId,
    },
  ])
})

test('the first organization is written too', async ({ portal }) => {
  const { id } = await portal.anonymous.get('/portals/self')
  expect((await recordedOf(portal).entries())[0]).toMatchObject({
    username: 'admin',
    portalId: id,
    operation: 'createPortal',
    target: `/portals/${id}`,
    outcome: 200,
  })
})

describe('the target of a change is recorded where the path does not have it', () => {
  const cases: readonly [string, (admin: Client) => Promise<string>][] = [
    ['createGroup', async (admin) => `/community/groups/${(await admin.createGroup('Maps')).id}`],
    [
      'createRole',
      async (admin) => {
        const { id } = await admin.post('/portals/self/createRole', { name: 'Cataloguer' })
        return `/portals/${(await admin.get('/portals/self')).id}/roles/${id}`
      },
    ],
    [
      'inviteUsers',
      async (admin) => {
        const password = 'a long enough password'
        const invitations = [
          { username: 'anna', password },
          { username: 'admin', password },
          { username: 'bruno', password },
        ]
        await admin.post('/portals/self/invite', { invitationList: { invitations } })
        return '/community/users/anna,bruno'
      },
    ],
    [
      'updateUserRole',
      async (admin) => {
        await admin.post('/portals/self/updateUserRole', { user: 'ADMIN', role: 'org_admin' })
        return '/community/users/admin'
      },
    ],
  ]
  test.for(cases)('%s', async ([operation, work], { portal, admin }) => {
    let target: string | undefined
    const written = await during(portal, async () => {
      target = await work(admin)
    })
    expect(written).toMatchObject([{ operation, target, outcome: 200, username: 'admin' }])
  })
})

/** The entries for each operation and caller are in the tables of who-may-call. */
describe('a refusal is written with its code, once', () => {
  test('an id as long as a request line leaves no more of itself than its beginning', async ({ portal, anna }) => {
    const written = await during(portal, () => anna.post(`/community/groups/${'x'.repeat(900)}/delete`))
    expect(written).toMatchObject([{ target: `/community/groups/${'x'.repeat(256 - '/community/groups/'.length)}` }])
  })

  test('with the time', async ({ portal, admin }) => {
    const written = await during(portal, () => admin.post('/community/users/admin/delete'))
    expect(written).toMatchObject([{ operation: 'deleteUser', outcome: 400, username: 'admin', at: startOfTests }])
  })

  test('too many wrong old passwords', async () => {
    await using portal = await startPortal({ environment: { RATE_LIMIT_SIGN_IN_FAILURES: '1' } })
    const anna = await portal.user('anna')
    const guess = () =>
      anna.post('/community/users/anna/changePassword', { oldPassword: 'x', newPassword: 'long enough' })
    await guess()
    expect(await during(portal, guess)).toMatchObject([{ operation: 'changePassword', outcome: 429 }])
  })
})

describe('sign-ins are written', () => {
  test('with who and which organization, and nothing of the password or token', async ({ portal }) => {
    const { id: portalId } = await portal.anonymous.get('/portals/self')
    const written = await during(portal, async () => {
      await portal.admin()
      await portal.anonymous.post('/generateToken', { username: 'admin', password: 'a wrong password' })
      await portal.anonymous.post('/generateToken', { username: 'nobody', password: 'a wrong password' })
    })
    const entry = { operation: 'generateToken', target: '/generateToken', address: '127.0.0.1' }
    expect(written).toMatchObject([
      { ...entry, username: 'admin', portalId, outcome: 200 },
      { ...entry, username: 'admin', portalId, outcome: 400 },
      { ...entry, username: undefined, portalId: undefined, outcome: 400 },
    ])
    expect(JSON.stringify(written)).not.toContain('a wrong password')
  })

  test('with nothing that was typed as the name of a user that does not exist', async () => {
    await using database = await openRawDatabase()
    const { portal } = database
    const typed = 'my secret password'
    await portal.anonymous.post('/generateToken', { username: typed, password: 'anna' })
    for (const table of ['audit', 'sign_in_failures']) {
      const rows = await database.rows(`SELECT * FROM ${table}`)
      expect(rows).not.toEqual([])
      expect(JSON.stringify(rows)).not.toContain(typed)
    }
  })

  test('and no more of them than the limit lets through, and one of those that it refuses', async () => {
    await using portal = await startPortal({ isReused: false })
    const { id: portalId } = await portal.anonymous.get('/portals/self')
    const guess = async (times: number, username: string) => {
      for (let time = 0; time < times; time += 1) {
        await portal.anonymous.post('/generateToken', { username, password: 'a wrong password' })
      }
    }
    const outcomes = async (work: () => Promise<unknown>) =>
      (await during(portal, work)).map(({ username, outcome }) => [username, outcome])
    const failures = Array(10).fill([undefined, 400])
    expect(await outcomes(() => guess(30, 'nobody'))).toEqual([...failures, [undefined, 429]])
    const [refusal] = await during(portal, () => guess(30, 'ADMIN').then(() => undefined))
    expect(refusal).toMatchObject({ username: 'admin', portalId, outcome: 400 })
    expect(await outcomes(() => guess(30, 'admin'))).toEqual([])
    portal.clock.now += 15 * 60_000
    expect(await outcomes(() => guess(30, 'nobody'))).toEqual([...failures, [undefined, 429]])
  })

  test('of too many concurrent ones from one address, one refusal', async () => {
    const queue = openPasswordHash({
      cost: { memoryCost: 8, timeCost: 1, parallelism: 1 },
      atOnce: 1,
      maxPerAddress: 1,
    })
    const [atOnce, allCame] = [9, Promise.withResolvers<void>()]
    let came = 0
    const passwords: PasswordHash = {
      ...queue,
      /** All come to the queue in one turn, however slowly they arrive. */
      async verify(...password) {
        came += 1
        if (came === atOnce) allCame.resolve()
        await allCame.promise
        return queue.verify(...password)
      },
    }
    await using portal = await startPortal({ passwords })
    const written = await during(portal, async () => {
      const parameters = { username: 'nobody', password: 'a wrong password' }
      await Promise.all(Array.from({ length: atOnce }, () => portal.anonymous.post('/generateToken', parameters)))
    })
    expect(written.map(({ outcome }) => outcome).toSorted()).toEqual([400, 400, 429])
  })

  test('sign-outs with who it was; of a token that is not there nothing', async ({ portal, anna }) => {
    const { id: portalId } = await portal.anonymous.get('/portals/self')
    const written = await during(portal, async () => {
      await portal.anonymous.post('/oauth2/revokeToken', { auth_token: anna.token })
      await portal.anonymous.post('/oauth2/revokeToken', { auth_token: anna.token })
      await portal.anonymous.post('/oauth2/revokeToken', { auth_token: 'unknown' })
    })
    expect(written).toMatchObject([{ operation: 'revokeToken', username: 'anna', portalId, outcome: 200 }])
    expect(JSON.stringify(written)).not.toContain(anna.token)
  })
})

test('a change and its row are one: without the row there is no change', async () => {
  await using database = await openRawDatabase()
  const { portal } = database
  const admin = await portal.admin()
  await database.fill('audit')
  const answer = await admin.post('/community/createGroup', { title: 'Maps' })
  expect(answer.error.code).toBeGreaterThanOrEqual(500)
  await database.mend()
  expect(await admin.get('/community/groups')).toMatchObject({ total: 0 })
})

test('a change and its row are one: a change that fails leaves no row of success', async () => {
  await using database = await openRawDatabase()
  const { portal } = database
  const admin = await portal.admin()
  await database.fill('members')
  const written = await during(portal, () => admin.post('/community/createGroup', { title: 'Maps' }))
  expect(written.filter(({ outcome }) => outcome === 200)).toEqual([])
  expect(await database.rows('SELECT * FROM groups')).toEqual([])
})

test('a refusal that cannot be written is still answered', async () => {
  await using database = await openRawDatabase({ environment: { RATE_LIMIT_SIGN_IN_FAILURES: '1' } })
  const { portal } = database
  const anna = await portal.user('anna')
  const guess = () =>
    anna.post('/community/users/anna/changePassword', { oldPassword: 'x', newPassword: 'long enough' })
  await guess()
  await database.fill('audit')
  expect(await guess()).toEqual(tooManyRequests)
})
