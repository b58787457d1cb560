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
    expect(items.map(({ data }: Body) => data.error ?? data.outcome)).toEqual([400, 'success', 'success'])
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
    const most = (90 * day) / 1000
    for (const expiration of ['-1', '999999999']) {
      expect(await signIn({ expiration })).toMatchObject({ refresh_token_expires_in: most })
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
