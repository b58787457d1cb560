import { describe, expect, onTestFinished, test } from 'vitest'
import { PersonsBrowser } from '../../../support/identity-provider/browser.ts'
import { OpenIdServer } from '../../../support/identity-provider/openid-server.ts'
import { startProvidedPortal } from '../../../support/identity-provider/provided-portal.ts'
import { creates, maps, useProvider } from '../../../support/identity-provider/provided-sign-ins.ts'
import { adminPassword } from '../../../support/portal/portal.ts'

const { begin, be } = useProvider()

describe('a sign-in through the identity provider', () => {
  test('leads to the page of the app, which asks once, and gives tokens for the time of the session', async () => {
    be('s-1', { preferred_username: 'anna', name: 'Anna Alm', email: 'anna@example.com' })
    const { browser, portal } = await begin(creates)
    expect(await portal.anonymous.get('/portals/self')).toMatchObject({ canSignInIDP: true, canSignInArcGIS: true })
    const answer = await browser.signIn({ expiration: 20_160 })
    expect(answer.statusCode).toBe(303)
    expect([answer.headers['set-cookie']].flat().at(0)).toMatch(
      /^__Host-cartulary-portal=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Lax$/,
    )
    expect([...browser.cookies.keys()]).toEqual(['__Host-cartulary-portal'])
    portal.clock.now += 60 * 60_000
    const tokens = await browser.tokens(await browser.goOn(answer))
    expect(tokens).toMatchObject({ username: 'anna', refresh_token_expires_in: 11 * 60 * 60 })
    const again = {
      client_id: 'arcgisonline',
      redirect_uri: 'urn:ietf:wg:oauth:2.0:oob',
      grant_type: 'exchange_refresh_token',
    }
    portal.clock.now += 10 * 60 * 60_000
    const exchanged = await portal.anonymous.post('/oauth2/token', { ...again, refresh_token: tokens.refresh_token })
    expect(exchanged.refresh_token_expires_in).toBe(60 * 60)
    const self = await portal.anonymous.get('/community/self', { token: exchanged.access_token })
    expect(self).toMatchObject({
      username: 'anna',
      fullName: 'Anna Alm',
      email: 'anna@example.com',
      role: 'org_viewer',
      provider: 'enterprise',
      idpUsername: 'anna',
    })
    const signIn = { username: 'anna', password: '' }
    expect(await portal.anonymous.post('/generateToken', { ...signIn, password: adminPassword })).toHaveProperty(
      'error',
    )
    const second = await new PersonsBrowser(portal).signIn()
    expect(second.statusCode).toBe(303)
    const { users } = await (await portal.admin()).get('/portals/self/users')
    expect(users).toHaveLength(2)
  })

  test('begins without an app, too', async () => {
    be('s-2', { preferred_username: 'anna' })
    const { browser } = await begin(creates)
    const { location } = (await browser.get('/oidc/start')).headers
    const page = await browser.get(await browser.signInThere(location!))
    expect(page.body).toContain('You are signed in in this browser as anna.')
    const next = await browser.authorize()
    expect(next.body).toContain('Continue as anna')
  })

  test('writes who was made, linked and given a role to the audit, and no secret', async () => {
    be('s-3', { preferred_username: 'anna', groups: ['/makers'] })
    const { browser, portal } = await begin({ ...creates, ...maps })
    await browser.signIn()
    be('s-3', { preferred_username: 'anna', groups: ['/gis-admins'] })
    await browser.signIn()
    const admin = await portal.admin()
    const { items } = await admin.get('/portals/self/history', { all: true })
    const operations = JSON.stringify(items)
    for (const word of ['linkIdentity', 'updateUserRole', 's-3', 'creation', 'org_publisher', 'org_admin']) {
      expect(operations).toContain(word)
    }
    expect(operations).not.toMatch(/eyJ|id_token/)
  })
})

describe('the page of sign-in', () => {
  test('hides the fields where that is set, but not at their own address', async () => {
    const { browser } = await begin({ OIDC_PASSWORD_FORM: 'hidden', OIDC_BUTTON: 'Sign in <here>' })
    const page = await browser.authorize()
    expect(page.body).toContain('Sign in &lt;here&gt;')
    expect(page.body).not.toContain('type="password"')
    expect((await browser.authorize({ password_form: 'true' })).body).toContain('type="password"')
  })

  test('has no button for an organization that the provider does not serve', async () => {
    const { browser, portal } = await begin({ OIDC_ORGANIZATION: 'abcdefghijklmnop', OIDC_PASSWORD_FORM: 'hidden' })
    const page = await browser.authorize()
    expect(page.body).not.toContain('/oidc/start')
    expect(page.body).toContain('type="password"')
    expect(await portal.anonymous.get('/portals/self')).toMatchObject({ canSignInIDP: false })
    expect((await browser.get('/oidc/start')).body).toContain('is not set up')
  })

  test('leads to the callback of the settings, whatever a request says of its host', async () => {
    const { browser, portal } = await begin()
    const start = /href="(\/portal\/oidc\/start\?[^"]*)"/.exec((await browser.authorize()).body)![1]!
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' }
    const { location } = (await portal.server.app.inject({ url: start, headers })).headers
    const callback = 'https://maps.example.com/portal/oidc/callback'
    expect(new URL(location!).searchParams.get('redirect_uri')).toBe(callback)
  })
})

test('a provider that does not answer leaves passwords as they are', async () => {
  const dead = await OpenIdServer.open()
  await dead[Symbol.asyncDispose]()
  const portal = await startProvidedPortal(dead.issuer)
  onTestFinished(() => portal[Symbol.asyncDispose]())
  const browser = new PersonsBrowser(portal)
  const page = await browser.authorize()
  const start = /href="(\/portal\/oidc\/start\?[^"]*)"/.exec(page.body)![1]!
  const answer = await browser.get(start)
  expect(answer.body).toContain('The identity provider cannot be used now.')
  expect(answer.body).toContain('Reference for your administrator')
  expect((await portal.admin()).token).toMatch(/^[\w-]{43}$/)
})
