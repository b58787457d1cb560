import { describe, expect, test } from 'vitest'
import { addApp, changeApp } from '../../../support/portal/add-app.ts'
import { authorize, oauthInfoOf, outOfBand, proofKey, sendSignIn } from '../../../support/portal/oauth.ts'
import { adminPassword, formEncode, startPortal, type TestPortal } from '../../../support/portal/portal.ts'

const clientId = 'map-of-the-coast'
const redirectUri = 'https://app.example.com/callback'
const admin = { username: 'admin', password: adminPassword }
const { asked } = proofKey()

async function startWithApp(app: Partial<Parameters<typeof addApp>[1]> = {}): Promise<TestPortal> {
  const portal = await startPortal()
  await addApp(portal, { clientId, redirectUris: [redirectUri], ...app })
  return portal
}

/** The others: test/rooms/oauth/redirect-uri.test.ts. */
const nearMisses = [
  '',
  'https://app.example.com/callback/',
  'https://app.example.com:443/callback',
  'https://app.example.com@evil.example/callback',
  'https://app.example.com/callback\r\nLocation: https://evil.example',
  'javascript:alert(1)//https://app.example.com/callback',
  'urn:ietf:wg:oauth:2.0:oob',
]

test('an address that is not the registered one is shown a page, and nothing is sent there', async () => {
  await using portal = await startWithApp()
  expect((await authorize(portal, { client_id: clientId, redirect_uri: redirectUri, ...asked })).body).toContain(
    'oauth_state',
  )
  const wrong: unknown[] = []
  for (const uri of nearMisses) {
    const page = await authorize(portal, { client_id: clientId, redirect_uri: uri, ...asked })
    const isRefused = page.statusCode === 200 && /class="reference"[^>]*>Error: [^<]* \(400\)</.test(page.body)
    if (!isRefused || page.headers.location !== undefined || page.body.includes('oauth_state')) wrong.push(uri)
  }
  expect(wrong).toEqual([])
})

test('two addresses are an error, and lead nowhere', async () => {
  await using portal = await startWithApp()
  const query = formEncode({ client_id: clientId, response_type: 'code', redirect_uri: redirectUri, ...asked })
  for (const more of [
    `&redirect_uri=${encodeURIComponent('https://evil.example/')}`,
    `&redirect_uri=`,
    `&state=a&state=b`,
    `&expiration=soon&state=a&state=b`,
  ]) {
    const page = await portal.inject({ url: `/oauth2/authorize?${query}${more}` })
    expect(page.headers.location).toBeUndefined()
    expect(page.body).not.toContain('oauth_state')
  }
})

describe('a way back exists only where client and address are proven:', () => {
  const proven = { client_id: clientId, redirect_uri: redirectUri, ...asked }

  test.each<[string, Record<string, string>, string]>([
    ['an unknown response type', { ...proven, response_type: 'id_token' }, 'unsupported_response_type'],
    ['no proof key', { client_id: clientId, redirect_uri: redirectUri }, 'invalid_request'],
    ['a short proof key', { ...proven, code_challenge: 'short' }, 'invalid_request'],
    ['an unknown method of it', { ...proven, code_challenge_method: 'S512' }, 'invalid_request'],
    ['a plain proof key', { ...proven, code_challenge_method: 'plain' }, 'invalid_request'],
    [
      'a method without a proof key',
      { ...proven, code_challenge: '', code_challenge_method: 'S256' },
      'invalid_request',
    ],
    ...['soon', '-2', '0', '1.5', '1e3', '9'.repeat(20)].map((expiration): [string, Record<string, string>, string] => [
      `expiration=${expiration}`,
      { ...proven, expiration },
      'invalid_request',
    ]),
    ['a switch that is none', { ...proven, force_login: 'maybe' }, 'invalid_request'],
    ['a username that is too long', { ...proven, prepopulatedusername: 'a'.repeat(129) }, 'invalid_request'],
    ['a long state', { ...proven, state: 's'.repeat(2_049) }, 'invalid_request'],
  ])('%s', async (_what, parameters, error) => {
    await using portal = await startWithApp()
    const given = { state: 'a state', ...parameters }
    const answer = await authorize(portal, given)
    expect(answer.statusCode).toBe(303)
    const back = new URL(String(answer.headers.location))
    expect(back.origin + back.pathname).toBe(redirectUri)
    // A state that is too long is not sent back.
    const state = given.state.length > 2_048 ? {} : { state: given.state }
    const error_description = expect.stringMatching(/\.$/)
    expect(Object.fromEntries(back.searchParams)).toEqual({ error, error_description, ...state })
    for (const unproven of [{ client_id: 'unknown' }, { redirect_uri: 'https://evil.example/' }]) {
      const page = await authorize(portal, { ...given, ...unproven })
      expect([page.statusCode, page.headers.location]).toEqual([200, undefined])
    }
  })

  test('declining', async () => {
    await using portal = await startWithApp()
    const answer = await sendSignIn(portal, await authorize(portal, { ...proven, state: 's' }), { decline: 'true' })
    expect(answer.headers.location).toBe(
      `${redirectUri}?error=access_denied&error_description=The%20user%20did%20not%20sign%20in.&state=s`,
    )
  })

  test.each<[string, Record<string, string>, boolean]>([
    ['signing out to the registered address', { client_id: clientId, redirect_uri: redirectUri }, true],
    ['signing out to another address', { client_id: clientId, redirect_uri: 'https://evil.example/' }, false],
    ['signing out without a client', { redirect_uri: redirectUri }, false],
    ['signing out of another client', { client_id: 'arcgisonline', redirect_uri: redirectUri }, false],
    ['signing out of an unknown client', { client_id: 'unknown', redirect_uri: redirectUri }, false],
    ['signing out without an address', { client_id: clientId }, false],
    ['signing out to a page with a code', { client_id: 'arcgisonline', redirect_uri: outOfBand }, false],
  ])('%s', async (_what, parameters, leadsBack) => {
    await using portal = await startWithApp()
    const answer = await portal.inject({ url: `/oauth2/signout?${formEncode(parameters)}` })
    expect([answer.statusCode, answer.headers.location]).toEqual(leadsBack ? [303, redirectUri] : [200, undefined])
  })

  test('an app that was disabled', async () => {
    await using portal = await startWithApp()
    await changeApp(portal, clientId, 'disabled', 1)
    const page = await authorize(portal, { ...proven, response_type: 'none' })
    expect([page.statusCode, page.headers.location]).toEqual([200, undefined])
  })
})

test.each<[string, string, unknown]>([
  ['is disabled', 'disabled', 1],
  ['loses the address', 'redirect_uris', '["https://app.example.com/other"]'],
])('an app that %s while the page is open gets no code', async (_what, column, value) => {
  await using portal = await startWithApp()
  const page = await authorize(portal, { client_id: clientId, redirect_uri: redirectUri, ...asked })
  await changeApp(portal, clientId, column, value)
  const answer = await sendSignIn(portal, page, admin)
  expect(answer.headers.location).toBeUndefined()
  expect(answer.body).toContain('Error: Invalid client_id')
})

test('a redirect is by 303, has a code and the state in its query, and nothing else', async () => {
  await using portal = await startWithApp({ redirectUris: [redirectUri, 'https://app.example.com/deep?a=b'] })
  for (const uri of [redirectUri, 'https://app.example.com/deep?a=b']) {
    const page = await authorize(portal, { client_id: clientId, redirect_uri: uri, ...asked, state: 'x' })
    const answer = await sendSignIn(portal, page, admin)
    expect(answer.statusCode).toBe(303)
    expect(answer.body).toBe('')
    expect(String(answer.headers.location).replace(/code=[\w-]{43}(?=&)/, 'code=…')).toBe(
      `${uri}${uri.includes('?') ? '&' : '?'}code=…&state=x`,
    )
    expect(answer.headers['cache-control']).toBe('no-store')
  }
})

describe('where the query may differ, the maker of a link plants no answer', () => {
  const planted = ['code=evil', 'state=mine', '%63ode=evil', 'STATE=mine', 'a=b&error=x', '+iss=x', 'code[]=evil']

  test.each([...planted, 'error_description=x', 'error_uri=x'])('%s', async (query) => {
    await using portal = await startWithApp({ queryMayDiffer: true })
    const given = { client_id: clientId, redirect_uri: `${redirectUri}?${query}` }
    const page = await authorize(portal, { ...given, ...asked, state: 'a state' })
    expect([page.headers.location, page.body.includes('Error: Invalid redirect_uri')]).toEqual([undefined, true])
    const out = await portal.inject({ url: `/oauth2/signout?${formEncode(given)}` })
    expect(out.headers.location).toBeUndefined()
  })

  test('and any other query comes back', async () => {
    await using portal = await startWithApp({ queryMayDiffer: true })
    const uri = `${redirectUri}?encode=1&states=2&id=code`
    const page = await authorize(portal, { client_id: clientId, redirect_uri: uri, ...asked, state: 'a state' })
    const { location } = (await sendSignIn(portal, page, admin)).headers
    expect(String(location)).toMatch(/\?encode=1&states=2&id=code&code=[\w-]{43}&state=a%20state$/)
  })
})

test.each([
  'plain',
  'a b+c%20d&code=evil#fragment?x=y',
  '{"portalUrl":"https://maps.example.com","uid":"1"}',
  'https://evil.example/\r\nSet-Cookie: a=b',
  'ümlaut 地図 🗺️ \u2028 "quoted" <b>',
  '%',
  '',
])('the state %j comes back as it was, once', async (state) => {
  await using portal = await startWithApp()
  const page = await authorize(portal, { client_id: clientId, redirect_uri: redirectUri, ...asked, state })
  const { location } = (await sendSignIn(portal, page, admin)).headers
  const back = new URL(String(location))
  expect(back.searchParams.getAll('state')).toEqual([state])
  expect(back.searchParams.getAll('code')).toEqual([expect.stringMatching(/^[\w-]{43}$/)])
  expect([back.hash, back.origin + back.pathname]).toEqual(['', redirectUri])
  expect(String(location)).toMatch(/^[\x21-\x7e]+$/)
})

test('the sealed request of one sign-in leads to the address of that one', async () => {
  const other = 'https://other.example.com/'
  await using portal = await startWithApp()
  await addApp(portal, { clientId: 'other', redirectUris: [other] })
  const page = await authorize(portal, { client_id: clientId, redirect_uri: redirectUri, ...asked })
  const { oauth_state } = oauthInfoOf(page.body)
  const given = { oauth_state, ...admin, client_id: 'other', redirect_uri: other }
  const answer = await portal.postForm('/oauth2/signin', given)
  expect(String(answer.headers.location)).toMatch(/^https:\/\/app\.example\.com\/callback\?code=/)
})
