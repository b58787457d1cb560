import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { PersonsBrowser } from '../../../support/identity-provider/browser.ts'
import { HostileProvider } from '../../../support/identity-provider/hostile-provider.ts'
import { OpenIdServer, publicUrl } from '../../../support/identity-provider/openid-server.ts'
import { startProvidedPortal } from '../../../support/identity-provider/provided-portal.ts'
import { formEncode, type TestPortal } from '../../../support/portal/portal.ts'

const creates = { OIDC_CREATE_USERS: 'true', OIDC_USERNAME_CLAIM: 'sub' }

/** Sends a logout token as the provider does. */
function sendLogout(portal: TestPortal, token: string) {
  return portal.server.app.inject({
    method: 'POST',
    url: '/portal/oidc/backchannelLogout',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: formEncode({ logout_token: token }),
  })
}

describe('with a real provider', () => {
  let server: OpenIdServer

  beforeAll(async () => {
    server = await OpenIdServer.open()
  })
  afterAll(() => server[Symbol.asyncDispose]())

  test('sign-out goes on there where that is set, and its notification ends the other sign-ins of its session', async () => {
    server.account = { subject: 'ida', claims: {} }
    const portal = await startProvidedPortal(server.issuer, { ...creates, OIDC_SIGN_OUT: 'true' })
    onTestFinished(() => portal[Symbol.asyncDispose]())
    const browser = new PersonsBrowser(portal)
    const { access_token: token } = await browser.tokens(await browser.goOn(await browser.signIn()))
    const question = await browser.get('/sharing/rest/oauth2/signout')
    expect(question.body).toContain('Sign out at the identity provider too')
    expect(question.headers['content-security-policy']).toContain(`form-action 'self' ${server.issuer};`)
    // An application asks by itself, but not whether to sign out there too.
    const asked = await browser.post('/sharing/rest/oauth2/signout', { confirmed: 'true' })
    expect(asked.body).toContain('Sign out at the identity provider too')
    const answer = await browser.post('/sharing/rest/oauth2/signout', { provider: 'true' })
    const url = new URL(answer.headers.location!)
    expect(url.origin).toBe(server.issuer)
    expect(url.searchParams.get('post_logout_redirect_uri')).toBe(`${publicUrl}/sharing/rest/oauth2/signout`)
    expect([...browser.cookies]).toEqual([])
    const form = await (await browser.readThere(url.href)).text()
    const [action, xsrf] = [/action="([^"]+)"/.exec(form)![1]!, /name="xsrf" value="([^"]+)"/.exec(form)![1]!]
    const back = await browser.sendThere(action, { xsrf, logout: 'yes' })
    expect(back.headers.get('location')).toBe(`${publicUrl}/sharing/rest/oauth2/signout`)
    expect(server.logouts.map((one) => one.url)).toEqual([`${publicUrl}/oidc/backchannelLogout`])
    expect(await portal.anonymous.get('/community/self', { token })).toMatchObject({ username: 'ida' })
    const told = await sendLogout(portal, server.logouts[0]!.token)
    expect([told.statusCode, told.body]).toEqual([200, '{}'])
    expect(await portal.anonymous.get('/community/self', { token })).toMatchObject({ error: { code: 498 } })
    expect((await sendLogout(portal, server.logouts[0]!.token)).statusCode).toBe(400)
  })

  test('without the setting, sign-out is of this server alone', async () => {
    server.account = { subject: 'jana', claims: {} }
    const portal = await startProvidedPortal(server.issuer, creates)
    onTestFinished(() => portal[Symbol.asyncDispose]())
    const browser = new PersonsBrowser(portal)
    await browser.signIn()
    expect((await browser.get('/sharing/rest/oauth2/signout')).body).not.toContain('identity provider')
    const answer = await browser.post('/sharing/rest/oauth2/signout', { provider: 'true' })
    expect(answer.headers.location).toBeUndefined()
    expect(answer.body).toContain('You are signed out in this browser.')
  })
})

describe('a logout token', () => {
  const event = { 'http://schemas.openid.net/event/backchannel-logout': {} }
  let provider: HostileProvider
  let portal: TestPortal
  let browser: PersonsBrowser
  let token: string

  beforeAll(async () => {
    provider = await HostileProvider.open()
  })
  afterAll(() => provider[Symbol.asyncDispose]())

  beforeEach(async () => {
    portal = await startProvidedPortal(provider.issuer, creates)
    onTestFinished(() => portal[Symbol.asyncDispose]())
    browser = new PersonsBrowser(portal)
    const answer = await signIn(browser, 'session 1')
    token = (await browser.tokens(await browser.goOn(answer))).access_token
  })

  async function signIn(person: PersonsBrowser, sid: string) {
    const url = new URL(await person.goToProvider(await person.authorize()))
    provider.idToken = await provider.sign(provider.claims(url.searchParams.get('nonce')!, { sid }))
    return person.get(`/oidc/callback?code=code&state=${url.searchParams.get('state')}`)
  }

  let number = 0
  /** Claims of the session, valid but for the given ones. */
  function claims(others: Readonly<Record<string, unknown>> = {}) {
    number += 1
    const whole = { ...provider.claims(''), nonce: undefined, jti: `token ${number}`, sid: 'session 1', events: event }
    return { ...whole, ...others }
  }

  const logoutHeader = { typ: 'logout+jwt' }

  async function isSignedIn(): Promise<boolean> {
    const self = await portal.anonymous.get('/community/self', { token })
    const page = await browser.authorize()
    const [byToken, byCookie] = [self.username === 'subject', page.body.includes('Continue as subject')]
    expect(byToken).toBe(byCookie)
    return byToken
  }

  test.each([
    ['of the session', {}],
    ['of the subject', { sid: undefined }],
    ['of the session alone', { sub: undefined }],
  ])('%s ends what that has begun, once', async (_what, others) => {
    const sent = await provider.sign(claims(others), logoutHeader)
    const answer = await sendLogout(portal, sent)
    expect([answer.statusCode, answer.body, answer.headers['cache-control']]).toEqual([200, '{}', 'no-store'])
    expect(await isSignedIn()).toBe(false)
    await signIn(browser, 'session 1')
    expect((await browser.authorize()).body).toContain('Continue as subject')
    const again = await sendLogout(portal, sent)
    expect(again.statusCode).toBe(400)
    expect(again.json()).toEqual({ error: 'invalid_request', error_description: 'The logout token was used before.' })
    expect((await browser.authorize()).body).toContain('Continue as subject')
  })

  test.each([[{}], [{ typ: 'JWT' }], [{ typ: 'logout+jwt' }]])('may have the header %j', async (header) => {
    expect((await sendLogout(portal, await provider.sign(claims(), header))).statusCode).toBe(200)
    expect(await isSignedIn()).toBe(false)
  })

  test.each([
    ['of another session', { sid: 'session 2' }],
    ['of another subject', { sub: 'another', sid: undefined }],
  ])('%s ends nothing here', async (_what, others) => {
    expect((await sendLogout(portal, await provider.sign(claims(others), logoutHeader))).statusCode).toBe(200)
    expect(await isSignedIn()).toBe(true)
  })

  const now = () => Math.floor(Date.now() / 1_000)

  test.each([
    ['with a nonce', { nonce: 'n' }, logoutHeader],
    ['for another client', { aud: 'another' }, logoutHeader],
    ['of another issuer', { iss: 'https://login.example.com' }, logoutHeader],
    ['that is old', { iat: now() - 300 }, logoutHeader],
    ['from the future', { iat: now() + 300 }, logoutHeader],
    ['that has expired', { exp: now() - 300 }, logoutHeader],
    ['without an id', { jti: undefined }, logoutHeader],
    ['without a time', { iat: undefined }, logoutHeader],
    ['without an event', { events: undefined }, logoutHeader],
    ['with another event', { events: { other: {} } }, logoutHeader],
    ['that names no one', { sid: undefined, sub: undefined }, logoutHeader],
    ['with a session that is no text', { sid: 7 }, logoutHeader],
    ['that is an ID token', { events: undefined, nonce: 'n' }, {}],
    ['of another type', {}, { typ: 'at+jwt' }],
    ['by an unknown key', {}, { ...logoutHeader, kid: 'unknown' }],
  ])('%s is refused and ends nothing', async (_what, others, header) => {
    const answer = await sendLogout(portal, await provider.sign(claims(others), header))
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({ error: 'invalid_request' })
    expect(await isSignedIn()).toBe(true)
  })

  test('that is missing, no token, or in the address is refused', async () => {
    for (const sent of ['', 'x', 'a.b.c']) expect((await sendLogout(portal, sent)).statusCode).toBe(400)
    const valid = await provider.sign(claims(), logoutHeader)
    const url = `/portal/oidc/backchannelLogout?logout_token=${valid}`
    expect((await portal.server.app.inject({ method: 'POST', url })).statusCode).toBe(400)
    expect(await isSignedIn()).toBe(true)
  })
})
