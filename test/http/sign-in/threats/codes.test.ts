import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { addApp, changeApp } from '../../../support/portal/add-app.ts'
import { authorize, callToken, outOfBand, proofKey, sendSignIn, signInToApp } from '../../../support/portal/oauth.ts'
import { adminPassword, type Body, formEncode, startPortal, type TestPortal } from '../../../support/portal/portal.ts'

const clientId = 'map-of-the-coast'
const redirectUri = 'https://app.example.com/callback'
const admin = { username: 'admin', password: adminPassword }
const { verifier, asked } = proofKey()
const own = { client_id: clientId, redirect_uri: redirectUri, code_verifier: verifier }
const invalid = { error: { code: 400, error: 'invalid_request', message: 'Invalid code' } }

let portal: TestPortal

beforeEach(async () => {
  portal = await startPortal()
  onTestFinished(() => portal[Symbol.asyncDispose]())
  await addApp(portal, { clientId, redirectUris: [redirectUri, 'https://app.example.com/other'] })
  await addApp(portal, { clientId: 'other', redirectUris: [redirectUri] })
})

function addServer(appType: 'server' | 'multiple' = 'server'): Promise<void> {
  return addApp(portal, { clientId: 'on-a-server', appType, secret: 'a secret', redirectUris: [redirectUri] })
}

function signIn(parameters: Readonly<Record<string, string>> = {}): Promise<string> {
  return signInToApp(portal, { client_id: clientId, redirect_uri: redirectUri, ...asked, ...parameters }, admin)
}

function exchange(code: string, parameters: Readonly<Record<string, string>> = {}): Promise<Body> {
  return callToken(portal, 'authorization_code', { ...own, code, ...parameters })
}

async function whoIs(token: string): Promise<string | undefined> {
  return (await portal.anonymous.get('/community/self', { token })).username
}

describe('a stolen code is of no use', () => {
  test.each([
    ['without the verifier', { code_verifier: '' }],
    ['with another verifier', { code_verifier: 'w'.repeat(43) }],
    ['with the challenge in place of the verifier', { code_verifier: asked.code_challenge }],
    ['with the verifier in another case', { code_verifier: verifier.toUpperCase() }],
    ['with a longer verifier', { code_verifier: `${verifier}v` }],
    ['to another client', { client_id: 'other' }],
    ['to a client without secret and proof', { client_id: 'arcgisonline' }],
    ['with another address of the app', { redirect_uri: 'https://app.example.com/other' }],
    ['with an address that differs in its slash', { redirect_uri: `${redirectUri}/` }],
    ['with an address that is not registered', { redirect_uri: 'https://evil.example/' }],
  ])('%s, and used up by that', async (_what, wrong) => {
    const code = await signIn()
    expect(await exchange(code, wrong)).toMatchObject(invalid)
    expect(await exchange(code)).toMatchObject(invalid)
    expect(await exchange(await signIn())).toMatchObject({ username: 'admin' })
    const { items } = await (await portal.admin()).get('/portals/self/history', { all: true, actions: 'issueTokens' })
    expect(items.map(({ data }: Body) => data.error ?? data.outcome)).toEqual(['success', 400])
  })

  test('for an address that the app has no longer', async () => {
    const code = await signIn()
    await changeApp(portal, clientId, 'redirect_uris', '["https://app.example.com/other"]')
    expect(await exchange(code)).toMatchObject(invalid)
  })

  test.each(['', 'c', 'c'.repeat(43), 'c'.repeat(2_000)])('that is guessed: %j', async (code) => {
    expect(await exchange(code)).toMatchObject({ error: { code: 400, error: 'invalid_request' } })
  })
})

describe('a proof key cannot be left out', () => {
  test('a verifier without a challenge is refused, also of an app that needs none', async () => {
    await addServer('multiple')
    const given = { client_id: 'on-a-server', client_secret: 'a secret' }
    const start = () => signInToApp(portal, { ...given, client_secret: '', redirect_uri: redirectUri }, admin)
    expect(await exchange(await start(), given)).toMatchObject(invalid)
    expect(await exchange(await start(), { ...given, code_verifier: '' })).toMatchObject({ username: 'admin' })
  })

  test('a challenge that was announced is asked for, also of an app with a secret', async () => {
    await addServer()
    const start = () => signIn({ client_id: 'on-a-server' })
    const given = { client_id: 'on-a-server', client_secret: 'a secret' }
    expect(await exchange(await start(), { ...given, code_verifier: '' })).toMatchObject(invalid)
    expect(await exchange(await start(), given)).toMatchObject({ username: 'admin' })
  })

  test('an app of type multiple without proof key and secret gets no tokens', async () => {
    await addApp(portal, { clientId: 'either', appType: 'multiple', redirectUris: [redirectUri] })
    const start = () => signInToApp(portal, { client_id: 'either', redirect_uri: redirectUri }, admin)
    expect(await exchange(await start(), { client_id: 'either', code_verifier: '' })).toMatchObject(invalid)
  })

  test.each<[string, Record<string, string>]>([
    ['no challenge', { code_challenge: '', code_challenge_method: '' }],
    ['only a method', { code_challenge: '' }],
    ['the method plain', { code_challenge_method: 'plain' }],
    ['no method, which means plain', { code_challenge_method: '' }],
    ['an unknown method', { code_challenge_method: 's256' }],
    ['a challenge of 42 characters', { code_challenge: 'c'.repeat(42) }],
    ['a challenge of 129 characters', { code_challenge: 'c'.repeat(129) }],
    ['other characters in it', { code_challenge: `${'c'.repeat(43)}=` }],
  ])('%s leads back without a page', async (_what, wrong) => {
    const parameters = Object.entries({ client_id: clientId, redirect_uri: redirectUri, ...asked, ...wrong })
    const given = Object.fromEntries(parameters.filter(([, value]) => value !== ''))
    const answer = await authorize(portal, given)
    expect(new URL(String(answer.headers.location)).searchParams.get('error')).toBe('invalid_request')
  })

  test.each([
    ['on this machine', { appType: 'native' as const, redirectUris: ['http://127.0.0.1/'] }, 'http://127.0.0.1:7070/'],
    ['that is allowed it', { allowsPlain: true, redirectUris: [redirectUri] }, redirectUri],
  ])('a plain one is taken of an app %s, and compared as it is', async (_what, app, redirect_uri) => {
    await addApp(portal, { clientId: 'plain', ...app })
    const plain = { client_id: 'plain', redirect_uri, code_challenge: verifier, code_challenge_method: 'plain' }
    const start = () => signInToApp(portal, plain, admin)
    const given = { client_id: 'plain', redirect_uri }
    expect(await exchange(await start(), { ...given, code_verifier: asked.code_challenge })).toMatchObject(invalid)
    expect(await exchange(await start(), given)).toMatchObject({ username: 'admin' })
  })

  test('not even where the query may differ, or a server has a secret', async () => {
    const app = { appType: 'server', secret: 'a secret', queryMayDiffer: true, allowsPlain: true } as const
    await addApp(portal, { clientId: 'deep', ...app, redirectUris: [redirectUri] })
    const deep = { client_id: 'deep', redirect_uri: `${redirectUri}?deep=link` }
    for (const wrong of [{}, { code_challenge: verifier, code_challenge_method: 'plain' }]) {
      const { location } = (await authorize(portal, { ...deep, ...wrong })).headers
      expect(new URL(String(location)).searchParams.get('error')).toBe('invalid_request')
    }
    const start = () => signInToApp(portal, { ...deep, ...asked }, admin)
    const given = { ...deep, client_secret: 'a secret' }
    expect(await exchange(await start(), { ...given, redirect_uri: redirectUri })).toMatchObject(invalid)
    expect(await exchange(await start(), given)).toMatchObject({ username: 'admin' })
  })
})

describe('a code is used once', () => {
  test('a second use ends the grant, its tokens and its refresh token, also after a refresh and an exchange', async () => {
    const code = await signIn()
    const first = await exchange(code)
    const refreshed = await callToken(portal, 'refresh_token', { ...own, refresh_token: first.refresh_token })
    const second = await callToken(portal, 'exchange_refresh_token', { ...own, refresh_token: first.refresh_token })
    expect([await whoIs(refreshed.access_token), await whoIs(second.access_token)]).toEqual([undefined, 'admin'])
    expect(await exchange(code)).toMatchObject(invalid)
    for (const token of [first, refreshed, second]) expect(await whoIs(token.access_token)).toBeUndefined()
    for (const { refresh_token } of [first, second]) {
      const answer = await callToken(portal, 'refresh_token', { ...own, refresh_token })
      expect(answer).toMatchObject({ error: { code: 498, message: 'Invalid refresh_token' } })
    }
  })

  test('a second use by another client ends nothing', async () => {
    const code = await signIn()
    const { access_token } = await exchange(code)
    expect(await exchange(code, { client_id: 'other' })).toMatchObject(invalid)
    expect(await whoIs(access_token)).toBe('admin')
  })

  test('a second use is noticed long after the code has expired, and is in the log', async () => {
    const code = await signIn()
    const { access_token } = await exchange(code)
    portal.clock.now += 20 * 60_000
    expect(await whoIs(access_token)).toBe('admin')
    expect(await exchange(code)).toMatchObject(invalid)
    expect(await whoIs(access_token)).toBeUndefined()
    const { items } = await (await portal.admin()).get('/portals/self/history', { all: true, actions: 'issueTokens' })
    expect(items.map(({ data }: Body) => data.error ?? data.outcome)).toEqual([400, 'success'])
  })

  test('other grants of the user to the same app go on', async () => {
    const other = await exchange(await signIn())
    const code = await signIn()
    await exchange(code)
    await exchange(code)
    expect(await whoIs(other.access_token)).toBe('admin')
  })
})

describe('a code is valid for', () => {
  test.each([
    ['less than a minute where it is sent', 59_999, true],
    ['not a minute', 60_000, false],
  ])('%s', async (_what, milliseconds, isValid) => {
    const code = await signIn()
    portal.clock.now += milliseconds
    expect('access_token' in (await exchange(code))).toBe(isValid)
  })

  test.each([
    ['less than ten minutes where it is shown', 599_999, true],
    ['not ten minutes', 600_000, false],
  ])('%s', async (_what, milliseconds, isValid) => {
    const python = { client_id: 'arcgisonline', redirect_uri: outOfBand }
    const code = await signInToApp(portal, python, admin)
    portal.clock.now += milliseconds
    expect('access_token' in (await callToken(portal, 'authorization_code', { ...python, code }))).toBe(isValid)
  })

  test('a user who is disabled gets no tokens for one', async () => {
    const chief = await portal.admin()
    await chief.invite('anna')
    const page = await authorize(portal, { client_id: clientId, redirect_uri: redirectUri, ...asked })
    const answer = await sendSignIn(portal, page, { username: 'anna', password: adminPassword })
    const code = new URL(String(answer.headers.location)).searchParams.get('code')!
    await chief.post('/community/users/anna/disable')
    expect(await exchange(code)).toMatchObject(invalid)
  })
})

describe('grants and secrets that are not taken', () => {
  test.each([
    'password',
    'implicit',
    'client_credential',
    'AUTHORIZATION_CODE',
    'urn:ietf:params:oauth:grant-type:device_code',
  ])('grant_type %s', async (type) => {
    const answer = await callToken(portal, type, { ...own, ...admin })
    expect(answer).toMatchObject({ error: { code: 400, error: 'unsupported_grant_type' } })
  })

  test.each<[string, { readonly client_id: string; readonly client_secret?: string }]>([
    ['of a public app', { client_id: clientId, client_secret: 'wrong' }],
    ['of a server', { client_id: 'on-a-server', client_secret: 'wrong' }],
    ['of a server, left out', { client_id: 'on-a-server' }],
    ['of a server, empty', { client_id: 'on-a-server', client_secret: '' }],
    ['of a server, its hash', { client_id: 'on-a-server', client_secret: 'hash' }],
  ])('a wrong secret %s', async (_what, given) => {
    await addServer()
    const code = await signIn({ client_id: given.client_id })
    const hash = portal.server.dependencies.random.hashToken('a secret')
    const secret = given.client_secret === 'hash' ? { client_secret: hash } : {}
    expect(await exchange(code, { ...given, ...secret })).toMatchObject({
      error: { code: 400, error: 'invalid_request', message: 'Invalid client_secret' },
    })
  })

  test('a secret in the header is as good as in the body, and a wrong one as bad', async () => {
    await addServer()
    const code = await signIn({ client_id: 'on-a-server' })
    const given = { redirect_uri: redirectUri, code_verifier: verifier, code }
    const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` })
    expect(await callToken(portal, 'authorization_code', given, basic('on-a-server:wrong'))).toMatchObject({
      error: { message: 'Invalid client_secret' },
    })
    expect(await callToken(portal, 'authorization_code', given, basic('on-a-server:a+secret'))).toMatchObject({
      username: 'admin',
    })
  })

  test.each<[string, Record<string, string>, string]>([
    ['another secret', { client_secret: 'a secret', client_id: 'on-a-server' }, 'Invalid client_secret'],
    ['another client', { client_id: 'either' }, 'Invalid client_id'],
  ])('a header and a body that name %s', async (_what, body, message) => {
    const app = { secret: 'a secret', redirectUris: [redirectUri] }
    await addServer()
    await addApp(portal, { ...app, clientId: 'either', appType: 'multiple' })
    const code = await signIn({ client_id: body['client_id']! })
    const given = { redirect_uri: redirectUri, code_verifier: verifier, code, ...body }
    const send = (text: string) =>
      callToken(portal, 'authorization_code', given, { authorization: `Basic ${Buffer.from(text).toString('base64')}` })
    const header = message.endsWith('id') ? 'on-a-server:a+secret' : 'on-a-server:wrong'
    expect(await send(header)).toMatchObject({ error: { code: 400, message } })
    expect(await send(`${body['client_id']}:a+secret`)).toMatchObject({ username: 'admin' })
  })

  test.each(['code', 'code_verifier', 'client_secret', 'refresh_token'])('%s in the query', async (name) => {
    const given = { grant_type: 'authorization_code', ...own, code: await signIn() }
    const answer = await portal.postForm(`/oauth2/token?${name}=${'s'.repeat(43)}`, given)
    expect(answer.json()).toMatchObject({
      error: { message: `${name}: belongs in the body of the request, not in its URL.` },
    })
  })

  test('tokens by GET', async () => {
    const code = await signIn()
    const answer = await portal.inject({
      url: `/oauth2/token?${formEncode({ grant_type: 'authorization_code', ...own, code })}`,
    })
    expect(answer.json()).toMatchObject({ error: { code: 405 } })
    expect(await exchange(code)).toMatchObject({ username: 'admin' })
  })

  test('a password in the query of the form', async () => {
    const page = await authorize(portal, { client_id: clientId, redirect_uri: redirectUri, ...asked })
    const oauth_state = /name="oauth_state" value="([^"]+)"/.exec(page.body)![1]!
    const url = `/oauth2/signin?${formEncode({ password: adminPassword })}`
    const answer = await portal.postForm(url, { oauth_state, username: 'admin' })
    expect([answer.statusCode, answer.headers.location]).toEqual([200, undefined])
    expect(answer.body).not.toContain(adminPassword)
  })
})
