import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { addApp } from '../../../support/portal/add-app.ts'
import { callToken, proofKey, signInToApp } from '../../../support/portal/oauth.ts'
import { adminPassword, type Body, startPortal, type TestPortal } from '../../../support/portal/portal.ts'

const clientId = 'map-of-the-coast'
const redirectUri = 'https://app.example.com/callback'
const admin = { username: 'admin', password: adminPassword }
const { verifier, asked } = proofKey()
const own = { client_id: clientId, redirect_uri: redirectUri }
const minute = 60_000
const day = 1_440 * minute
const invalid = { error: { code: 498, error: 'invalid_request', message: 'Invalid refresh_token' } }
const expired = { error: { code: 498, error: 'invalid_request', message: 'refresh_token expired' } }

let portal: TestPortal

beforeEach(async () => {
  portal = await startPortal()
  onTestFinished(() => portal[Symbol.asyncDispose]())
  await addApp(portal, { clientId, redirectUris: [redirectUri] })
})

async function signIn(parameters: Readonly<Record<string, string>> = {}): Promise<Body> {
  const code = await signInToApp(portal, { ...own, ...asked, ...parameters }, admin)
  return callToken(portal, 'authorization_code', { ...own, code, code_verifier: verifier, ...parameters })
}

function refresh(refresh_token: string, grantType = 'refresh_token', parameters = {}): Promise<Body> {
  return callToken(portal, grantType, { ...own, refresh_token, ...parameters })
}

function exchange(refresh_token: string, parameters = {}): Promise<Body> {
  return refresh(refresh_token, 'exchange_refresh_token', parameters)
}

async function isLive(token: string): Promise<boolean> {
  return (await portal.anonymous.get('/community/self', { token })).username === 'admin'
}

describe('an exchanged refresh token that is used again', () => {
  test.each(['refresh_token', 'exchange_refresh_token'])('by %s ends the grant of the winner', async (grantType) => {
    const first = await signIn()
    const second = await exchange(first.refresh_token)
    const third = await exchange(second.refresh_token)
    expect(await isLive(third.access_token)).toBe(true)
    expect(await refresh(first.refresh_token, grantType)).toMatchObject(invalid)
    for (const { access_token } of [first, second, third]) expect(await isLive(access_token)).toBe(false)
    for (const { refresh_token } of [first, second, third]) expect(await refresh(refresh_token)).toMatchObject(invalid)
  })

  test('is in the log', async () => {
    const first = await signIn()
    await exchange(first.refresh_token)
    await exchange(first.refresh_token)
    const { items } = await (await portal.admin()).get('/portals/self/history', { all: true, actions: 'issueTokens' })
    expect(items.map(({ data }: Body) => data.error ?? data.outcome)).toEqual([400, 'success'])
  })

  test('leaves other grants alone', async () => {
    const other = await signIn()
    const first = await signIn()
    await exchange(first.refresh_token)
    await exchange(first.refresh_token)
    expect(await isLive(other.access_token)).toBe(true)
    expect(await refresh(other.refresh_token)).toHaveProperty('access_token')
  })
})

describe('an exchange', () => {
  test.each<[string, string, string]>([
    ['another address', 'https://evil.example/', 'Invalid redirect_uri'],
    ['an address that differs in its slash', `${redirectUri}/`, 'Invalid redirect_uri'],
    ['no address', '', 'redirect_uri not specified'],
  ])('with %s is refused, and ends nothing', async (_what, redirect_uri, message) => {
    const { refresh_token } = await signIn()
    expect(await exchange(refresh_token, { redirect_uri })).toMatchObject({ error: { code: 400, message } })
    expect(await exchange(refresh_token)).toHaveProperty('refresh_token')
  })

  test('lets the grant live for as many minutes as it was given, and no longer', async () => {
    const first = await signIn({ expiration: '100' })
    portal.clock.now += 90 * minute
    const second = await exchange(first.refresh_token)
    expect(second).toMatchObject({ refresh_token_expires_in: 6_000, expires_in: 1_800 })
    portal.clock.now += 99 * minute
    expect(await refresh(second.refresh_token)).toMatchObject({ expires_in: 60 })
    portal.clock.now += minute
    expect(await refresh(second.refresh_token)).toMatchObject(expired)
    expect(await exchange(second.refresh_token)).toMatchObject(expired)
  })
})

describe('a refresh token ends', () => {
  test.each<[string, string | undefined, number]>([
    ['after what the app asked for', '90', 90 * minute],
    ['after two weeks where it asked for nothing', undefined, 14 * day],
  ])('%s, however often it is used', async (_what, expiration, lifetime) => {
    const begun = portal.clock.now
    const tokens = await signIn(expiration === undefined ? {} : { expiration })
    expect(tokens.refresh_token_expires_in).toBe(lifetime / 1000)
    while (portal.clock.now + 2 * day < begun + lifetime) {
      portal.clock.now += 2 * day
      expect(await refresh(tokens.refresh_token)).toHaveProperty('access_token')
    }
    portal.clock.now = begun + lifetime - minute
    const last = await refresh(tokens.refresh_token)
    expect(last).toMatchObject({ expires_in: 60 })
    portal.clock.now += minute
    expect(await isLive(last.access_token)).toBe(false)
    expect(await refresh(tokens.refresh_token)).toMatchObject(expired)
  })

  test.each(['refresh_token', 'exchange_refresh_token'])('after a week without use, by %s', async (grantType) => {
    const tokens = await signIn()
    portal.clock.now += 7 * day - 1
    expect(await refresh(tokens.refresh_token)).toHaveProperty('access_token')
    const others = await signIn()
    portal.clock.now += 7 * day
    expect(await refresh(others.refresh_token, grantType)).toMatchObject(expired)
  })

  test('at the maximum of the server where the app asks for -1 or more', async () => {
    const max = (90 * day) / 1000
    for (const expiration of ['-1', '999999999']) {
      expect(await signIn({ expiration })).toMatchObject({ refresh_token_expires_in: max })
    }
  })

  test('with its user, who gets no token while disabled', async () => {
    const chief = await portal.admin()
    await chief.invite('anna')
    const code = await signInToApp(portal, { ...own, ...asked }, { username: 'anna', password: adminPassword })
    const tokens = await callToken(portal, 'authorization_code', { ...own, code, code_verifier: verifier })
    await chief.post('/community/users/anna/disable')
    expect(await refresh(tokens.refresh_token)).toMatchObject(invalid)
    await chief.post('/community/users/anna/enable')
    expect(await refresh(tokens.refresh_token)).toMatchObject(invalid)
  })
})

describe('an app that gave its secret for the code gives it with the refresh token', () => {
  const secret = 'a secret'
  const either = { client_id: 'either' }
  const refused = { error: { code: 400, error: 'invalid_request', message: 'Invalid client_secret' } }

  beforeEach(() => addApp(portal, { clientId: 'either', appType: 'multiple', secret, redirectUris: [redirectUri] }))

  /** Without a proof key where there is no verifier. */
  async function signInToEither(given: Readonly<Record<string, string>>): Promise<Body> {
    const proof = 'code_verifier' in given ? asked : {}
    const code = await signInToApp(portal, { ...own, ...either, ...proof }, admin)
    return callToken(portal, 'authorization_code', { ...own, ...either, ...given, code })
  }

  test.each<[string, Record<string, string>]>([
    ['alone', { client_secret: secret }],
    ['with a proof key', { client_secret: secret, code_verifier: verifier }],
  ])('%s', async (_how, given) => {
    const { refresh_token, access_token } = await signInToEither(given)
    for (const grantType of ['refresh_token', 'exchange_refresh_token']) {
      for (const wrong of ['', 'wrong']) {
        const answer = await refresh(refresh_token, grantType, { ...either, client_secret: wrong })
        expect(answer).toMatchObject(refused)
      }
    }
    expect(await isLive(access_token)).toBe(true)
    const right = { ...either, client_secret: secret }
    expect(await refresh(refresh_token, 'refresh_token', right)).toHaveProperty('access_token')
    const second = await exchange(refresh_token, right)
    expect(await refresh(second.refresh_token, 'refresh_token', either)).toMatchObject(refused)
    // Without the secret, a token that was exchanged ends nothing either.
    expect(await refresh(refresh_token, 'refresh_token', either)).toMatchObject(refused)
    expect(await refresh(second.refresh_token, 'refresh_token', right)).toHaveProperty('access_token')
  })

  test('and not one that proved itself by a proof key alone', async () => {
    const { refresh_token } = await signInToEither({ code_verifier: verifier })
    expect(await refresh(refresh_token, 'refresh_token', either)).toHaveProperty('access_token')
    expect(await exchange(refresh_token, either)).toHaveProperty('refresh_token')
  })
})

test('a renewal leaves no entry in the log, however it is made; the list of sessions says when it was', async () => {
  const tokens = await signIn()
  const chief = await portal.admin()
  const count = async () => (await chief.get('/portals/self/history', { all: true, num: '100' })).items.length
  const before = await count()
  portal.clock.now += 10 * minute
  await refresh(tokens.refresh_token)
  await exchange(tokens.refresh_token)
  expect(await count()).toBe(before)
  const { sessions } = await chief.get('/community/users/admin/sessions')
  expect(sessions).toContainEqual(expect.objectContaining({ clientId, lastUsed: portal.clock.now }))
})

test('an app that rotates always gets another refresh token, which lives no longer', async () => {
  await addApp(portal, { clientId: 'rotating', redirectUris: [redirectUri], rotatesAlways: true })
  const first = await signIn({ client_id: 'rotating', expiration: '100' })
  portal.clock.now += 40 * minute
  const second = await refresh(first.refresh_token, 'refresh_token', { client_id: 'rotating' })
  expect(second).toMatchObject({ refresh_token: expect.any(String), refresh_token_expires_in: 3_600 })
  expect(await refresh(first.refresh_token, 'refresh_token', { client_id: 'rotating' })).toMatchObject(invalid)
  expect(await isLive(second.access_token)).toBe(false)
})

test('a secret that is given to end a token has to be right', async () => {
  const app = { appType: 'server', secret: 'a secret', redirectUris: [redirectUri] } as const
  await addApp(portal, { clientId: 'on-a-server', ...app })
  const { access_token } = await signIn({ client_id: 'on-a-server', client_secret: 'a secret' })
  const revoke = (parameters: Record<string, string>, query = '') =>
    portal.anonymous.post(`/oauth2/revokeToken${query}`, { auth_token: access_token, ...parameters })
  expect(await revoke({ client_id: 'on-a-server', client_secret: 'wrong' })).toMatchObject({
    error: { code: 400, error: 'invalid_request', message: 'Invalid client_secret' },
  })
  expect(await revoke({ client_id: 'on-a-server' }, '?client_secret=a+secret')).toHaveProperty('error')
  expect(await isLive(access_token)).toBe(true)
  expect(await revoke({ client_id: 'on-a-server', client_secret: 'a secret' })).toEqual({ success: true })
  expect(await isLive(access_token)).toBe(false)
})
