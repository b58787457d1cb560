import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { addApp } from '../../../support/portal/add-app.ts'
import { permissionDenied, resourceNotFound, tokenInvalid } from '../../../support/portal/envelopes.ts'
import { authorize, outOfBand, proofKey, sendSignIn, signInToApp } from '../../../support/portal/oauth.ts'
import {
  adminPassword,
  type Body,
  Client,
  formEncode,
  startPortal,
  type TestPortal,
} from '../../../support/portal/portal.ts'

const python = { client_id: 'arcgisonline', redirect_uri: outOfBand }
const credentials = { username: 'anna', password: adminPassword }
const browser = { 'user-agent': 'Browser/1.0', 'sec-fetch-site': 'same-origin' }
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const minute = 60_000

let portal: TestPortal
let admin: Client

beforeEach(async () => {
  portal = await startPortal()
  onTestFinished(() => portal[Symbol.asyncDispose]())
  admin = await portal.admin()
  const invitations = [{ ...credentials, role: 'org_user', fullname: 'Anna' }]
  await admin.post('/portals/self/invite', { invitationList: { invitations } })
})

async function signIn(agent: string): Promise<Client> {
  const payload = formEncode(credentials)
  const headers = { ...form, 'user-agent': agent }
  const answer = await portal.inject({ method: 'POST', url: '/generateToken', headers, payload })
  return new Client(portal, answer.json().token, 'anna')
}

/** A sign-in to the app, by a browser if it has its headers. */
async function useApp(headers: Readonly<Record<string, string>> = {}) {
  const code = await signInToApp(portal, python, credentials, headers)
  const tokens = await portal.anonymous.post('/oauth2/token', { ...python, grant_type: 'authorization_code', code })
  return { client: new Client(portal, tokens.access_token, 'anna'), refreshToken: tokens.refresh_token as string }
}

async function list(client: Client, username = 'anna'): Promise<Body> {
  return client.get(`/community/users/${username}/sessions`)
}

function isSignedIn(client: Client): Promise<boolean> {
  return client.get('/community/self').then(({ username }) => username === 'anna')
}

describe('the list of sessions', () => {
  test('has those of every way, with where and when, and no token or hash of one', async () => {
    const script = await signIn('Script/1.0')
    portal.clock.now += minute
    const { client } = await useApp(browser)
    const begun = portal.clock.now
    portal.clock.now += minute
    const answer = await list(client)
    expect(answer).toMatchObject({ total: 3, start: 1, nextStart: -1 })
    const at = { way: 'password', address: '127.0.0.1' }
    const byBrowser = { ...at, userAgent: 'Browser/1.0', created: begun, lastUsed: begun }
    const ofApp = { kind: 'app', clientId: 'arcgisonline', expires: begun + 24 * 60 * minute, current: true }
    const ofBrowser = { kind: 'browser', expires: begun + 12 * 60 * minute, current: false }
    const byKind = (one: Body, other: Body) => (one.kind < other.kind ? -1 : 1)
    expect(answer.sessions.slice(0, 2).toSorted(byKind)).toMatchObject([
      { ...byBrowser, ...ofApp },
      { ...byBrowser, ...ofBrowser },
    ])
    const times = { created: begun - minute, expires: begun + 59 * minute }
    expect(answer.sessions[2]).toMatchObject({
      ...at,
      kind: 'token',
      userAgent: 'Script/1.0',
      ...times,
      current: false,
    })
    const { random } = portal.server.dependencies
    for (const { token } of [script, client]) {
      expect(JSON.stringify(answer)).not.toContain(token)
      expect(JSON.stringify(answer)).not.toContain(random.hashToken(token!))
    }
  })

  test('has nothing of others, nothing that has ended, and what a refresh used last', async () => {
    const { refreshToken } = await useApp(browser)
    await signIn('Script/1.0')
    portal.clock.now += 2 * 60 * minute
    const refresh = { ...python, grant_type: 'refresh_token', refresh_token: refreshToken }
    const { access_token } = await portal.anonymous.post('/oauth2/token', refresh)
    const { sessions } = await list(new Client(portal, access_token, 'anna'))
    expect(sessions).toMatchObject([{ kind: 'app', lastUsed: portal.clock.now }])
    const again = await portal.admin()
    expect((await list(again, 'admin')).sessions).toMatchObject([{ kind: 'token', current: true }])
  })
})

describe('a session that is ended', () => {
  test('has no valid token any more, whichever kind it is, and the others go on', async () => {
    const script = await signIn('Script/1.0')
    const other = await signIn('Script/2.0')
    const { client, refreshToken } = await useApp()
    for (const one of [script, client, other]) expect(await isSignedIn(one)).toBe(true)
    for (const kind of ['token', 'app']) {
      const { sessions } = await list(other)
      const { id } = sessions.find((one: Body) => one.kind === kind && one.userAgent !== 'Script/2.0')
      expect(await other.post(`/community/users/anna/sessions/${id}/end`)).toEqual({ success: true })
      expect(await other.post(`/community/users/anna/sessions/${id}/end`)).toEqual(resourceNotFound)
    }
    expect(await script.get('/community/self')).toEqual(tokenInvalid)
    expect(await client.get('/community/self')).toEqual(tokenInvalid)
    const refresh = { ...python, grant_type: 'refresh_token', refresh_token: refreshToken }
    expect(await portal.anonymous.post('/oauth2/token', refresh)).toMatchObject({ error: { code: 498 } })
    expect(await isSignedIn(other)).toBe(true)
  })

  const coast = { client_id: 'coast', redirect_uri: 'https://coast.example.com/' }
  const own = { client_id: 'cartulary', redirect_uri: 'https://maps.example.com/portal/' }
  const ownByHttp = { client_id: 'cartulary', redirect_uri: 'http://localhost:8080/' }

  test.each([
    ['an app', coast, false],
    ['an app that asks nothing', coast, true],
    ['the application of the server', own, true],
    ['the application of a server on this machine', ownByHttp, true],
  ])('of %s has the user asked again, once, whose browser is signed in', async (_what, app, asksNothing) => {
    const environment = app === ownByHttp ? { PUBLIC_URL: 'http://localhost:8080' } : {}
    await using served = await startPortal({ environment })
    const chief = await served.admin()
    await chief.invite('anna')
    await addApp(served, { clientId: coast.client_id, redirectUris: [coast.redirect_uri], asksNothing })
    const asked = { ...app, ...proofKey().asked }
    const answer = await sendSignIn(served, await authorize(served, asked), credentials, browser)
    const cookie = String(answer.headers['set-cookie']).split(';')[0]!
    const open = () => authorize(served, asked, { cookie, 'sec-fetch-site': 'cross-site' })
    expect((await open()).statusCode).toBe(303)
    const { sessions } = await list(chief)
    const [{ id }, ...others] = sessions.filter(({ kind }: Body) => kind === 'app')
    await chief.post(`/community/users/anna/sessions/${id}/end`)
    const page = await open()
    expect([page.statusCode, page.body.includes('Continue as anna')]).toEqual([200, true])
    expect(others).toHaveLength(1)
    await sendSignIn(served, page, { continue: 'true' }, { ...browser, cookie })
    expect((await open()).statusCode).toBe(303)
  })

  test('asks for the password again in its browser', async () => {
    const answer = await sendSignIn(portal, await authorize(portal, python), credentials, browser)
    const cookie = String(answer.headers['set-cookie']).split(';')[0]!
    const goesOn = async () => (await authorize(portal, python, { ...browser, cookie })).body.includes('Continue as')
    expect(await goesOn()).toBe(true)
    const { sessions } = await list(admin)
    const { id } = sessions.find(({ kind }: Body) => kind === 'browser')
    expect(await admin.post(`/community/users/anna/sessions/${id}/end`)).toEqual({ success: true })
    expect(await goesOn()).toBe(false)
  })

  test('is not one of another user', async () => {
    const anna = await signIn('Script/1.0')
    const { sessions } = await list(admin, 'admin')
    const path = `/community/users/anna/sessions/${sessions[0].id}/end`
    expect(await anna.post(path)).toEqual(resourceNotFound)
    expect(await anna.post(path.replace('anna', 'admin'))).toEqual(permissionDenied)
    expect(await anna.post('/community/users/anna/sessions/%25/end')).toEqual(resourceNotFound)
    expect(await list(admin, 'admin')).toMatchObject({ total: 1 })
  })
})

describe('all sessions', () => {
  test.each([
    ['a token', () => signIn('Script/1.0')],
    ['an app', async () => (await useApp()).client],
  ])('end but that of the request, by %s; with it, every one', async (_kind, enter) => {
    const others = [await signIn('Script/2.0'), (await useApp(browser)).client]
    const anna = await enter()
    // Callers are remembered.
    for (const other of others) expect(await isSignedIn(other)).toBe(true)
    expect(await anna.post('/community/users/anna/sessions/endAll')).toEqual({ success: true })
    for (const other of others) expect(await other.get('/community/self')).toEqual(tokenInvalid)
    expect(await list(anna)).toMatchObject({ total: 1, sessions: [{ current: true }] })
    const all = { includeCurrent: 'true' }
    expect(await anna.post('/community/users/anna/sessions/endAll', all)).toEqual({ success: true })
    expect(await anna.get('/community/self')).toEqual(tokenInvalid)
  })

  test('of a member end by an administrator, whose own go on', async () => {
    const anna = await signIn('Script/1.0')
    const { client } = await useApp(browser)
    expect(await admin.post('/community/users/anna/sessions/endAll')).toEqual({ success: true })
    expect(await anna.get('/community/self')).toEqual(tokenInvalid)
    expect(await client.get('/community/self')).toEqual(tokenInvalid)
    expect(await list(admin)).toMatchObject({ total: 0 })
    const { items } = await admin.get('/portals/self/history', { all: true, actions: 'endSessions' })
    expect(items).toMatchObject([{ action: 'endSessions', actor: 'admin' }])
  })
})
