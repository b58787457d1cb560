import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { outOfBand, signInToApp } from '../../support/portal/oauth.ts'
import { adminPassword, type Body, startPortal, type TestPortal } from '../../support/portal/portal.ts'

const python = { client_id: 'arcgisonline', redirect_uri: outOfBand }
const credentials = { username: 'admin', password: adminPassword }

let portal: TestPortal
let tokens: Body

beforeEach(async () => {
  portal = await startPortal()
  onTestFinished(() => portal[Symbol.asyncDispose]())
  const code = await signInToApp(portal, python, credentials)
  tokens = await portal.anonymous.post('/oauth2/token', { ...python, grant_type: 'authorization_code', code })
})

function refresh(grantType = 'refresh_token'): Promise<Body> {
  const { refresh_token } = tokens
  return portal.anonymous.post('/oauth2/token', { ...python, grant_type: grantType, refresh_token })
}

async function isSignedIn(token: string): Promise<boolean> {
  return (await portal.anonymous.get('/community/self', { token })).username === 'admin'
}

const success = { success: true }

test.each([
  ['refresh token', 'refresh_token', { client_id: 'arcgisonline' }],
  ['refresh token, without a client id', 'refresh_token', {}],
  ['refresh token, with an empty client id', 'refresh_token', { client_id: '' }],
  ['refresh token, with the wrong hint', 'refresh_token', { token_type_hint: 'access_token' }],
  ['access token', 'access_token', { client_id: 'arcgisonline', token_type_hint: 'access_token' }],
  ['access token, with an unknown hint', 'access_token', { token_type_hint: 'pct' }],
])('the %s ends all that was issued with it', async (_what, member, parameters) => {
  const { access_token } = await refresh()
  expect(await portal.anonymous.post('/oauth2/revokeToken', { auth_token: tokens[member], ...parameters })).toEqual(
    success,
  )
  for (const token of [tokens.access_token, access_token]) expect(await isSignedIn(token)).toBe(false)
  expect(await refresh()).toMatchObject({ error: { code: 498 } })
})

test('an exchanged refresh token ends its successor', async () => {
  const next = await refresh('exchange_refresh_token')
  await portal.anonymous.post('/oauth2/revokeToken', { auth_token: tokens.refresh_token })
  expect(await isSignedIn(next.access_token)).toBe(false)
})

test.each(['refresh_token', 'access_token'])('the %s of another app ends nothing, and succeeds', async (member) => {
  const parameters = { auth_token: tokens[member], client_id: 'pythonapi' }
  expect(await portal.anonymous.post('/oauth2/revokeToken', parameters)).toEqual(success)
  expect(await isSignedIn(tokens.access_token)).toBe(true)
  expect(await refresh()).toHaveProperty('access_token')
})

test('other sign-ins of the user go on', async () => {
  const { token } = await portal.admin()
  const code = await signInToApp(portal, python, credentials)
  const other = await portal.anonymous.post('/oauth2/token', { ...python, grant_type: 'authorization_code', code })
  await portal.anonymous.post('/oauth2/revokeToken', { auth_token: tokens.refresh_token })
  expect(await isSignedIn(token!)).toBe(true)
  expect(await isSignedIn(other.access_token)).toBe(true)
  await portal.anonymous.post('/oauth2/revokeToken', { auth_token: token, client_id: 'any' })
  expect(await isSignedIn(token!)).toBe(false)
  expect(await isSignedIn(other.access_token)).toBe(true)
})

test('what was ended is in the log of the organization', async () => {
  await portal.anonymous.post('/oauth2/revokeToken', { auth_token: tokens.refresh_token })
  const { items } = await (await portal.admin()).get('/portals/self/history', { all: true, actions: 'revokeToken' })
  expect(items).toHaveLength(1)
})
