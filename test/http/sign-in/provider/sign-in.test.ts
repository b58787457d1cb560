import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { PersonsBrowser } from '../../../support/identity-provider/browser.ts'
import { OpenIdServer } from '../../../support/identity-provider/openid-server.ts'
import { startProvidedPortal } from '../../../support/identity-provider/provided-portal.ts'
import { adminPassword, type TestPortal } from '../../../support/portal/portal.ts'

let server: OpenIdServer

beforeAll(async () => {
  server = await OpenIdServer.open()
})
afterAll(() => server[Symbol.asyncDispose]())

async function begin(environment: Readonly<Record<string, string>> = {}) {
  const portal = await startProvidedPortal(server.issuer, environment)
  onTestFinished(() => portal[Symbol.asyncDispose]())
  return { portal, browser: new PersonsBrowser(portal) }
}

function be(subject: string, claims: Readonly<Record<string, unknown>> = {}): void {
  server.account = { subject, claims }
}

const creates = { OIDC_CREATE_USERS: 'true' }
const maps = { OIDC_ROLE_POINTER: '/groups', OIDC_ROLE_MAP: '{"/gis-admins":"org_admin","/makers":"org_publisher"}' }
const noAccount = 'You are known to the identity provider, but may not sign in here.'

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

describe('without creation, an account', () => {
  test('is linked to the user whom an administrator has entered, once', async () => {
    be('s-10', { preferred_username: 'anna' })
    const { browser, portal } = await begin()
    const admin = await portal.admin()
    const entry = { username: 'annika', provider: 'enterprise', idpUsername: 's-10', role: 'org_user' }
    expect(await admin.post('/portaladmin/security/users/createUser', entry)).toEqual({ status: 'success' })
    expect(await admin.get('/community/users/annika')).toMatchObject({ provider: 'enterprise', idpUsername: 's-10' })
    expect((await browser.tokens(await browser.goOn(await browser.signIn()))).username).toBe('annika')
    be('s-11', { preferred_username: 's-10' })
    expect((await new PersonsBrowser(portal).signIn()).body).toContain('Link your account')
  })

  test('is unlinked by an administrator, which ends its sign-ins', async () => {
    be('s-12')
    const { browser, portal } = await begin()
    const admin = await portal.admin()
    const invitations = [{ username: 'annika', provider: 'enterprise', idpUsername: 's-12', role: 'org_user' }]
    expect(await admin.post('/portals/self/invite', { invitationList: { invitations } })).toMatchObject({
      notInvited: [],
    })
    const { access_token: token } = await browser.tokens(await browser.goOn(await browser.signIn()))
    const update = (parameters: Readonly<Record<string, unknown>>) =>
      admin.post('/community/users/annika/update', parameters)
    // As a form that is filled in with what is there.
    await update({ fullName: 'A', provider: 'enterprise', idpUsername: 's-12' })
    expect(await portal.anonymous.get('/community/self', { token })).toMatchObject({ fullName: 'A' })
    expect(await update({ provider: 'enterprise' })).toMatchObject({ error: { code: 400 } })
    expect(await update({ provider: 'arcgis' })).toMatchObject({ success: true })
    expect(await portal.anonymous.get('/community/self', { token })).toMatchObject({ error: { code: 498 } })
    expect((await browser.authorize()).body).not.toContain('Continue as')
    expect((await browser.signIn()).body).toContain('Link your account')
  })

  test('is not entered by users themselves', async () => {
    const { portal } = await begin()
    const bert = await portal.user('bert')
    const mine = { provider: 'enterprise', idpUsername: 's-13' }
    expect(await bert.post('/community/users/bert/update', mine)).toMatchObject({ error: { code: 403 } })
  })

  test('is linked to the user who types the password, and to no second one', async () => {
    be('s-14', { preferred_username: 'somebody' })
    const { browser, portal } = await begin()
    await portal.user('bert')
    const page = await browser.signIn()
    expect(page.body).toContain('No user here is linked to <strong>somebody</strong> yet.')
    const wrong = await browser.post('/oidc/link', { username: 'bert', password: 'wrong' })
    expect(wrong.body).toContain('Invalid username or password.')
    const credentials = { username: 'bert', password: adminPassword }
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    expect((await browser.post('/oidc/link', credentials, foreign)).body).toContain('Start again')
    const elsewhere = new PersonsBrowser(portal)
    expect((await elsewhere.post('/oidc/link', credentials)).body).toContain('Start again')
    const linked = await browser.post('/oidc/link', credentials)
    expect((await browser.tokens(await browser.goOn(linked))).username).toBe('bert')
    const { items } = await (await portal.admin()).get('/portals/self/history', { all: true, actors: 'bert' })
    const words = items.map(({ action }: { readonly action: string }) => action)
    // By a token, by the link, and to the app.
    const logins = ['login', 'login', 'login']
    expect(words.filter((word: string) => /link|login/i.test(word)).sort()).toEqual([
      'failedlogin',
      'linkIdentity',
      ...logins,
    ])
    expect((await elsewhere.signIn()).statusCode).toBe(303)
    be('s-15')
    const other = new PersonsBrowser(portal)
    await other.signIn()
    expect((await other.post('/oidc/link', credentials)).body).toContain(noAccount)
  })

  test('whose user has a temporary password is linked after another one is chosen', async () => {
    be('s-17')
    const { browser, portal } = await begin()
    await portal.user('bert')
    await (await portal.admin()).post('/community/users/bert/update', { password: 'given by an administrator' })
    await browser.signIn()
    const page = await browser.post('/oidc/link', { username: 'bert', password: 'given by an administrator' })
    expect(page.body).toContain('This password has to be changed before you can sign in.')
    const link = /name="link" value="([\w-]+)"/.exec(page.body)![1]!
    const chosen = 'chosen by the user alone'
    const passwords = { link, newPassword: chosen, repeated: chosen }
    expect((await browser.post('/sharing/rest/oauth2/newPassword', passwords)).body).toContain('Password changed')
    await browser.signIn()
    const linked = await browser.post('/oidc/link', { username: 'bert', password: chosen })
    expect((await browser.tokens(await browser.goOn(linked))).username).toBe('bert')
  })

  test('that ends leaves the user another way in, which an administrator gives', async () => {
    const { portal } = await begin()
    const admin = await portal.admin()
    for (const username of ['annika', 'berta', 'clara']) {
      const entry = { username, provider: 'enterprise', idpUsername: `${username} there`, role: 'org_user' }
      await admin.post('/portaladmin/security/users/createUser', entry)
    }
    const update = (username: string, parameters: Readonly<Record<string, unknown>>) =>
      admin.post(`/community/users/${username}/update`, parameters)
    const password = 'given by an administrator'
    expect(await update('annika', { password })).toMatchObject({ error: { code: 400 } })
    expect(await admin.post('/community/users/annika/passwordLink')).toMatchObject({ error: { code: 400 } })
    expect(await update('annika', { provider: 'arcgis', password })).toMatchObject({ success: true })
    for (const username of ['berta', 'clara']) await update(username, { provider: 'arcgis' })
    expect(await update('berta', { password })).toMatchObject({ success: true })
    expect(await admin.post('/community/users/clara/passwordLink')).toHaveProperty('url')
    for (const username of ['annika', 'berta']) {
      const answer = await portal.anonymous.post('/generateToken', { username, password })
      expect(answer.error.details).toEqual([expect.stringContaining('has to be changed first')])
    }
  })

  test('that waits twice sets no cookie twice', async () => {
    be('s-18')
    const { browser } = await begin()
    await browser.signIn()
    const cookies = [(await browser.signIn()).headers['set-cookie'] ?? []].flat()
    const names = cookies.map((cookie) => cookie.split('=')[0]!)
    expect(names).toContain('__Host-cartulary-portal.l.0')
    expect(new Set(names).size).toBe(names.length)
  })

  test('is guessed for as seldom as at any other sign-in', async () => {
    be('s-16')
    const { browser, portal } = await begin()
    await browser.signIn()
    for (let times = 0; times < 10; times += 1) {
      await browser.post('/oidc/link', { username: 'admin', password: 'wrong' })
    }
    const answer = await browser.post('/oidc/link', { username: 'admin', password: adminPassword })
    expect(answer.body).toMatch(/Too many invalid attempts\. Please try again later\. [A-Z][^<]+/)
    const token = await portal.anonymous.post('/generateToken', { username: 'admin', password: adminPassword })
    expect(token).toMatchObject({ error: { code: 429 } })
  })
})

describe('a verified e-mail address', () => {
  const trusts = { OIDC_EMAIL_DOMAINS: 'example.com' }

  /** A user without a password, by an administrator. */
  async function enter(portal: TestPortal, username: string, email: string) {
    const entry = { username, email, provider: 'enterprise', idpUsername: `${username} there`, role: 'org_user' }
    const answer = await (await portal.admin()).post('/portaladmin/security/users/createUser', entry)
    expect(answer).toEqual({ status: 'success' })
  }

  test.each([
    ['of the domain links', { email: 'Bert@example.com', email_verified: true }, true],
    ['that is not verified does not', { email: 'bert@example.com', email_verified: false }, false],
    ['that is verified by a word does not', { email: 'bert@example.com', email_verified: 'true' }, false],
    ['of another domain does not', { email: 'bert@evil.example', email_verified: true }, false],
    ['of a domain that only ends so does not', { email: 'bert@notexample.com', email_verified: true }, false],
  ])('%s', async (_what, claims, links) => {
    be('s-20', claims)
    const { browser, portal } = await begin(trusts)
    await enter(portal, 'bert', String(claims.email).toLowerCase())
    expect((await browser.signIn()).statusCode === 303).toBe(links)
  })

  test('does not link to a user who has written it there', async () => {
    be('s-22', { email: 'boss@example.com', email_verified: true })
    const { browser, portal } = await begin(trusts)
    const bert = await portal.user('bert')
    await bert.post('/community/users/bert/update', { email: 'boss@example.com' })
    expect((await browser.signIn()).body).toContain('Link your account')
    await enter(portal, 'boss', 'boss@example.com')
    const boss = new PersonsBrowser(portal)
    expect((await boss.tokens(await boss.goOn(await boss.signIn()))).username).toBe('boss')
    // Without a password too: whoever has signed in may have written it.
    await (await portal.admin()).post('/community/users/boss/update', { provider: 'enterprise', idpUsername: 'other' })
    expect((await new PersonsBrowser(portal).signIn()).body).toContain('Link your account')
  })

  test('of two users links to neither', async () => {
    be('s-21', { email: 'bert@example.com', email_verified: true })
    const { browser, portal } = await begin(trusts)
    for (const name of ['bert', 'carl']) await enter(portal, name, 'bert@example.com')
    expect((await browser.signIn()).body).toContain(noAccount)
  })
})

describe('no foreign account is reached', () => {
  test('by the same username, the same address, or a name that someone had before', async () => {
    be('s-30', { preferred_username: 'admin', email: 'admin@example.com', email_verified: true })
    const { browser, portal } = await begin(creates)
    const admin = await portal.admin()
    await admin.post('/community/users/admin/update', { email: 'admin@example.com' })
    const answer = await browser.signIn()
    expect(answer.body).toContain('the username admin is taken')
    be('s-31', { preferred_username: 'dora' })
    await new PersonsBrowser(portal).signIn()
    await (await portal.admin()).post('/community/users/dora/update', { fullName: 'The first' })
    be('s-32', { preferred_username: 'dora' })
    const second = await new PersonsBrowser(portal).signIn()
    expect(second.body).toContain('the username dora is taken')
    be('s-31', { preferred_username: 'renamed' })
    const first = new PersonsBrowser(portal)
    expect((await first.tokens(await first.goOn(await first.signIn()))).username).toBe('dora')
  })

  test('by the same subject at another issuer', async () => {
    be('s-33', { preferred_username: 'emil' })
    const { browser, portal } = await begin(creates)
    await browser.signIn()
    const { storage } = portal.server.dependencies
    const find = (issuer: string) => storage.read(({ identities }) => identities.findIdentity(issuer, 's-33'))
    expect(await find(server.issuer)).toMatchObject({ subject: 's-33' })
    expect(await find('https://login.example.com')).toBeUndefined()
  })

  test('by a username that fits no rule; the page names the claim', async () => {
    be('s-34', { preferred_username: 'a b' })
    const { browser } = await begin(creates)
    expect((await browser.signIn()).body).toContain('the claim preferred_username:')
  })

  test('by a user who is disabled', async () => {
    be('s-35', { preferred_username: 'franz' })
    const { browser, portal } = await begin(creates)
    await browser.signIn()
    await (await portal.admin()).post('/community/users/franz/disable')
    expect((await browser.signIn()).body).toContain(noAccount)
  })
})

describe('roles by claims', () => {
  async function roleAfter(groups: unknown, environment: Readonly<Record<string, string>> = {}) {
    be('s-40', { preferred_username: 'gina', groups })
    const { browser, portal } = await begin({ ...creates, ...maps, ...environment })
    const answer = await browser.signIn()
    const user = await (await portal.admin()).get('/community/users/gina')
    return { answer, portal, browser, role: user.role }
  }

  test('are those of the first value that matches, at the first sign-in and at every other', async () => {
    const { role, browser, portal } = await roleAfter(['/makers', '/gis-admins', 'others'])
    expect(role).toBe('org_admin')
    be('s-40', { preferred_username: 'gina', groups: '/makers' })
    await browser.signIn()
    expect(await (await portal.admin()).get('/community/users/gina')).toMatchObject({ role: 'org_publisher' })
  })

  test('are refused without a match, unless another role is set', async () => {
    expect((await roleAfter(['others'])).answer.body).toContain(noAccount)
    expect((await roleAfter(['others'], { OIDC_ROLE_UNMATCHED: 'org_user' })).role).toBe('org_user')
  })

  test('are given to new users only, where that is set', async () => {
    const { browser, portal } = await roleAfter(['/makers'], { OIDC_ROLE_AT: 'creation' })
    be('s-40', { preferred_username: 'gina', groups: ['/gis-admins'] })
    await browser.signIn()
    expect(await (await portal.admin()).get('/community/users/gina')).toMatchObject({ role: 'org_publisher' })
  })

  test('never take away the last administrator', async () => {
    be('s-41', { groups: ['/makers'] })
    const { browser, portal } = await begin(maps)
    await browser.signIn()
    const linked = await browser.post('/oidc/link', { username: 'admin', password: adminPassword })
    expect(linked.statusCode).toBe(303)
    expect(await (await portal.admin()).get('/community/self')).toMatchObject({ role: 'org_admin' })
  })

  test('that the organization does not have are refused', async () => {
    const unknown = { OIDC_ROLE_MAP: '{"/makers":"0123456789abcdef"}' }
    expect((await roleAfter(['/makers'], unknown)).answer.body).toContain(noAccount)
  })
})

test('a required value keeps out who does not have it', async () => {
  const required = { ...creates, OIDC_REQUIRED_POINTER: '/groups', OIDC_REQUIRED_VALUE: 'gis' }
  be('s-50', { preferred_username: 'hugo', groups: ['gis-admins'] })
  const { browser } = await begin(required)
  expect((await browser.signIn()).body).toContain(noAccount)
  be('s-50', { preferred_username: 'hugo', groups: ['gis'] })
  expect((await browser.signIn()).statusCode).toBe(303)
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
