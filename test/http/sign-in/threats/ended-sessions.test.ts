import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { addApp } from '../../../support/portal/add-app.ts'
import { housekeep } from '../../../support/portal/house.ts'
import { authorize, callToken, proofKey, sendNewPassword, sendSignIn } from '../../../support/portal/oauth.ts'
import { adminPassword, type Body, Client, startPortal, type TestPortal } from '../../../support/portal/portal.ts'
import { findDatabase } from '../../../support/portal/portal-database.ts'

const redirectUri = 'https://coast.example.com/'
const app = { client_id: 'coast', redirect_uri: redirectUri }
const { verifier, asked } = proofKey()
const newPassword = 'chosen by the user alone'

/** One user who is signed in by every way: by a password, to an app, and in a browser; with a code that is not used yet. */
async function openSignedIn() {
  const portal = await startPortal()
  await addApp(portal, { clientId: 'coast', redirectUris: [redirectUri] })
  const admin = await portal.admin()
  const anna = await admin.invite('anna')
  const bruno = await admin.invite('bruno')
  const browser = { 'sec-fetch-site': 'same-origin', origin: 'https://maps.example.com' }
  const credentials = { username: 'anna', password: adminPassword }
  const code = async () => {
    const signedIn = await sendSignIn(portal, await authorize(portal, { ...app, ...asked }), credentials, browser)
    const cookie = String(signedIn.headers['set-cookie']).split(';')[0]!
    return { cookie, code: new URL(String(signedIn.headers.location)).searchParams.get('code')! }
  }
  const used = await code()
  const { cookie, code: unused } = await code()
  const redeem = (given: string) =>
    callToken(portal, 'authorization_code', { ...app, code: given, code_verifier: verifier })
  const { access_token, refresh_token } = await redeem(used.code)
  const byApp = new Client(portal, access_token, 'anna')
  const isOf = async (client: Client) => (await client.get('/community/self')).username === 'anna'
  // The user has consented, so the browser is redirected immediately.
  const sentTo = async () =>
    String((await authorize(portal, { ...app, ...asked }, { cookie, 'sec-fetch-site': 'none' })).headers.location)
  const listLiving = async () => ({
    token: await isOf(anna),
    tokenOfApp: await isOf(byApp),
    browser: (await sentTo()).startsWith(`${redirectUri}?code=`),
    // The refresh token and the code come last, as a refusal ends their grant.
    refresh: 'access_token' in (await callToken(portal, 'refresh_token', { ...app, refresh_token })),
    code: 'access_token' in (await redeem(unused)),
  })
  return { portal, admin, anna, bruno, listLiving, [Symbol.asyncDispose]: () => portal[Symbol.asyncDispose]() }
}

type World = Awaited<ReturnType<typeof openSignedIn>>

const all = { token: true, tokenOfApp: true, browser: true, refresh: true, code: true }
const none = { token: false, tokenOfApp: false, browser: false, refresh: false, code: false }
const anna = '/community/users/anna'

test('before anything has happened, every way is open', async () => {
  await using world = await openSignedIn()
  expect(await world.listLiving()).toEqual(all)
})

test.each<[string, (world: World) => Promise<Body>]>([
  [
    'the user changes the password',
    ({ anna: user }) => user.post(`${anna}/changePassword`, { oldPassword: adminPassword, newPassword }),
  ],
  [
    'the user resets the password',
    ({ anna: user }) => user.post(`${anna}/reset`, { password: adminPassword, newPassword }),
  ],
  ['an administrator changes the password', ({ admin }) => admin.post(`${anna}/changePassword`, { newPassword })],
  ['an administrator gives a password', ({ admin }) => admin.post(`${anna}/update`, { password: newPassword })],
  ['an administrator has the password changed', ({ admin }) => admin.post(`${anna}/expirePassword`, { hours: 'now' })],
  [
    'a link of an administrator is used',
    async ({ portal, admin }) => {
      const { url } = await admin.post(`${anna}/passwordLink`)
      const link = new URL(url).searchParams.get('link')!
      const { body } = await sendNewPassword(portal, { link, newPassword })
      return { success: body.includes('Password changed') }
    },
  ],
  // Enabled again, as a disabled user is let in by nothing.
  [
    'the user is disabled, and enabled again',
    async ({ admin }) => {
      await admin.post(`${anna}/disable`)
      return admin.post(`${anna}/enable`)
    },
  ],
  [
    'the user is disabled and enabled among others',
    async ({ admin }) => {
      await admin.post('/portals/self/disableUsers', { users: 'anna' })
      return admin.post('/portals/self/enableUsers', { users: 'anna' })
    },
  ],
  ['the user is deleted', ({ admin }) => admin.post(`${anna}/delete`)],
  ['an administrator ends all sessions', ({ admin }) => admin.post(`${anna}/sessions/endAll`)],
])('when %s, every way in that was open is closed, and no one else’s', async (_what, act) => {
  await using world = await openSignedIn()
  const answer = await act(world)
  expect(answer.success ?? answer.results?.[0]?.status).toBe(true)
  expect(await world.listLiving()).toEqual(none)
  expect(await world.bruno.get('/community/self')).toMatchObject({ username: 'bruno' })
})

const tables = [
  'tokens',
  'grants',
  'authorization_codes',
  'refresh_tokens',
  'browser_sessions',
  'one_time_links',
] as const

async function countRows(portal: TestPortal): Promise<Readonly<Record<string, number>>> {
  const database = findDatabase(portal.server)
  if (database.engine !== 'postgres') return countInFile(database.file)
  const counts = tables.map(async (table) => {
    const { rows } = await database.connection.query(`select count(*) as count from ${table}`)
    return [table, Number(rows[0].count)] as const
  })
  return Object.fromEntries(await Promise.all(counts))
}

function countInFile(file: string): Readonly<Record<string, number>> {
  const connection = new Database(file, { readonly: true })
  try {
    const count = (table: string) => Number(connection.prepare(`select count(*) from ${table}`).pluck().get())
    return Object.fromEntries(tables.map((table) => [table, count(table)]))
  } finally {
    connection.close()
  }
}

test('what has expired is removed: tokens immediately, and a day later all that a second use is noticed by', async () => {
  await using world = await openSignedIn()
  const { portal, admin } = world
  await admin.post(`${anna}/passwordLink`)
  const keepAt = async (now: number) => {
    portal.clock.now = now
    await housekeep(portal)
    return countRows(portal)
  }
  const start = portal.clock.now
  const [minute, day] = [60_000, 86_400_000]
  const before = await keepAt(start)
  for (const table of tables) expect(before[table], table).toBeGreaterThan(0)
  // Tokens of passwords live for an hour, browser sessions for twelve, and grants for a fortnight.
  expect(await keepAt(start + 61 * minute)).toMatchObject({ ...before, tokens: 0 })
  const afterSessions = await keepAt(start + 12 * 60 * minute + day + 1)
  expect(afterSessions).toMatchObject({ browser_sessions: 0, one_time_links: 0 })
  expect(afterSessions['refresh_tokens']).toBe(before['refresh_tokens'])
  expect(await keepAt(start + 14 * day + day - minute)).toMatchObject({ refresh_tokens: before['refresh_tokens'] })
  const after = await keepAt(start + 14 * day + day + 1)
  expect(after).toEqual(Object.fromEntries(tables.map((table) => [table, 0])))
})
