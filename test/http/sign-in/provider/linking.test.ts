import { describe, expect, test } from 'vitest'
import { PersonsBrowser } from '../../../support/identity-provider/browser.ts'
import { noAccount, useProvider } from '../../../support/identity-provider/provided-sign-ins.ts'
import { adminPassword, type TestPortal } from '../../../support/portal/portal.ts'

const { begin, be } = useProvider()

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
    // A form that is filled in with the present values sends them again.
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
    expect(page.body).toContain('Before you go on, choose a password that only you know.')
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
    // Not linked without a password either: a user who has signed in may have written the address.
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
