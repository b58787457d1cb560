import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import {
  authorize,
  digestOfScript,
  oauthInfoOf,
  outOfBand,
  sendSignIn,
  signInToApp,
} from '../../support/portal/oauth.ts'
import { adminPassword, type Body, startPortal, type TestPortal } from '../../support/portal/portal.ts'

const python = { client_id: 'arcgisonline', redirect_uri: outOfBand }
const anna = { username: 'admin', password: adminPassword }
const minute = 60_000

let portal: TestPortal

beforeEach(async () => {
  portal = await startPortal()
  onTestFinished(() => portal[Symbol.asyncDispose]())
})

function token(parameters: Readonly<Record<string, unknown>>): Promise<Body> {
  return portal.anonymous.post('/oauth2/token', { ...python, ...parameters })
}

async function exchangeCode(code: string): Promise<Body> {
  return token({ grant_type: 'authorization_code', code })
}

async function isValid(accessToken: string): Promise<boolean> {
  const self = await portal.anonymous.get('/community/self', { token: accessToken })
  return self.username === 'admin'
}

describe('a program', () => {
  test('signs in by the page, without cookies, and its code gives tokens of the user', async () => {
    const page = await authorize(portal, python)
    expect(page.statusCode).toBe(200)
    expect(page.headers['set-cookie']).toBeUndefined()
    const answer = await sendSignIn(portal, page, anna)
    expect(answer.headers['set-cookie']).toBeUndefined()
    const code = /<title>SUCCESS code=([\w-]{43})<\/title>/.exec(answer.body)?.[1] ?? ''
    expect(answer.body).toContain(`id="code" value="${code}"`)
    const tokens = await exchangeCode(code)
    expect(tokens).toEqual({
      access_token: expect.stringMatching(/^[\w-]{43}$/),
      expires_in: 1_800,
      username: 'admin',
      ssl: true,
      refresh_token: expect.stringMatching(/^[\w-]{43}$/),
      refresh_token_expires_in: 86_400,
    })
    expect(await isValid(tokens.access_token)).toBe(true)
  })

  test('reads on the page again that the password is wrong, with HTTP 200', async () => {
    const answer = await sendSignIn(portal, await authorize(portal, python), { ...anna, password: 'wrong' })
    expect(answer.statusCode).toBe(200)
    expect(oauthInfoOf(answer.body).messages).toEqual(['Invalid username or password.'])
    expect(answer.body).toContain('value="admin"')
  })

  test('is refused after ten wrong passwords, by whichever way they came', async () => {
    const page = await authorize(portal, python)
    for (let times = 0; times < 5; times += 1) {
      await sendSignIn(portal, page, { ...anna, password: 'wrong' })
      await portal.anonymous.post('/generateToken', { ...anna, password: 'wrong' })
    }
    const answer = await sendSignIn(portal, page, anna)
    expect(answer.statusCode).toBe(200)
    expect(oauthInfoOf(answer.body).messages).toEqual(['Too many invalid attempts. Please try again later.'])
    expect(await portal.anonymous.post('/generateToken', anna)).toMatchObject({ error: { code: 429 } })
    portal.clock.now += 16 * minute
    expect(await signInToApp(portal, python, anna)).toMatch(/^[\w-]{43}$/)
  })

  test.each([['/sharing/rest'], ['/sharing']])('uses the base %s', async (base) => {
    const { app, publicUrl } = portal.server
    const root = new URL(publicUrl()).pathname
    const url = `${root}${base}/oauth2/authorize?client_id=arcgisonline&response_type=code&redirect_uri=${outOfBand}`
    expect((await app.inject({ url })).statusCode).toBe(200)
    const refused = await app.inject({ method: 'POST', url: `${root}${base}/oauth2/token/`, payload: '' })
    expect(refused.json()).toEqual({
      error: {
        code: 400,
        error: 'invalid_client_id',
        error_description: 'Invalid client_id',
        message: 'Invalid client_id',
        details: [],
      },
    })
  })
})

describe('the implicit flow', () => {
  test('is refused on a page without `oauth_state`', async () => {
    const page = await authorize(portal, { ...python, response_type: 'token' })
    expect(page.body).not.toContain('oauth_state')
    expect(page.headers.location).toBeUndefined()
  })
})

describe('a code', () => {
  test('that is used a second time ends what the first use gave', async () => {
    const code = await signInToApp(portal, python, anna)
    const { access_token, refresh_token } = await exchangeCode(code)
    const invalid = { error: { code: 400, error: 'invalid_request', message: 'Invalid code' } }
    expect(await exchangeCode(code)).toMatchObject(invalid)
    expect(await isValid(access_token)).toBe(false)
    expect(await token({ grant_type: 'refresh_token', refresh_token })).toMatchObject({ error: { code: 498 } })
  })

  test.each([
    ['of another client', { client_id: 'pythonapi' }],
    ['with another address', { redirect_uri: 'https://evil.example' }],
    ['with a verifier that was not announced', { code_verifier: 'v'.repeat(43) }],
  ])('%s is refused, in the same words, and used up', async (_what, other) => {
    const code = await signInToApp(portal, python, anna)
    const asked = { grant_type: 'authorization_code', code, ...other }
    expect(await token(asked)).toMatchObject({ error: { code: 400, message: 'Invalid code' } })
    expect(await exchangeCode(code)).toMatchObject({ error: { message: 'Invalid code' } })
  })

  test('is valid for ten minutes where a person copies it', async () => {
    const code = await signInToApp(portal, python, anna)
    portal.clock.now += 10 * minute
    expect(await exchangeCode(code)).toMatchObject({ error: { message: 'Invalid code' } })
  })

  test('in the query is refused', async () => {
    const url = `/oauth2/token?grant_type=authorization_code&client_id=arcgisonline&code=${'c'.repeat(43)}`
    const answer = await portal.inject({ method: 'POST', url })
    expect(answer.json().error.message).toBe('code: belongs in the body of the request, not in its URL.')
  })
})

describe('a refresh token', () => {
  test('gives another token and stays itself', async () => {
    const { refresh_token } = await exchangeCode(await signInToApp(portal, python, anna))
    portal.clock.now += 31 * minute
    for (const _time of [1, 2]) {
      const refreshed = await token({ grant_type: 'refresh_token', refresh_token })
      expect(refreshed).toEqual({ access_token: expect.any(String), expires_in: 1_800, username: 'admin', ssl: true })
      expect(await isValid(refreshed.access_token)).toBe(true)
    }
  })

  test('that was exchanged ends the grant when it is used again', async () => {
    const { access_token, refresh_token } = await exchangeCode(await signInToApp(portal, python, anna))
    const exchange = { grant_type: 'exchange_refresh_token', refresh_token }
    const second = await token(exchange)
    expect(await isValid(access_token)).toBe(false)
    expect(await isValid(second.access_token)).toBe(true)
    expect(await token(exchange)).toMatchObject({ error: { code: 498, message: 'Invalid refresh_token' } })
    expect(await isValid(second.access_token)).toBe(false)
  })

  test('is exchanged for the longest time from the sign-in, and no longer', async () => {
    await using other = await startPortal({ environment: { MAX_REFRESH_TOKEN_MINUTES: '60' } })
    const send = (parameters: Readonly<Record<string, unknown>>): Promise<Body> =>
      other.anonymous.post('/oauth2/token', { ...python, ...parameters })
    const code = await signInToApp(other, { ...python, expiration: 40 }, anna)
    let answer = await send({ grant_type: 'authorization_code', code })
    const lives = [answer.refresh_token_expires_in]
    for (let times = 0; times < 2; times += 1) {
      other.clock.now += 25 * minute
      answer = await send({ grant_type: 'exchange_refresh_token', refresh_token: answer.refresh_token })
      lives.push(answer.refresh_token_expires_in)
    }
    expect(lives).toEqual([2_400, 2_100, 600])
    other.clock.now += 10 * minute
    const late = { grant_type: 'exchange_refresh_token', refresh_token: answer.refresh_token }
    expect(await send(late)).toMatchObject({ error: { code: 498, message: 'refresh_token expired' } })
  })

  test('of a built-in app is exchanged for a day from the sign-in at most', async () => {
    let { refresh_token } = await exchangeCode(await signInToApp(portal, python, anna))
    const lives: number[] = []
    for (let times = 0; times < 2; times += 1) {
      portal.clock.now += 600 * minute
      const answer = await token({ grant_type: 'exchange_refresh_token', refresh_token })
      lives.push(answer.refresh_token_expires_in / 60)
      refresh_token = answer.refresh_token
    }
    expect(lives).toEqual([840, 240])
  })

  test('of another client is refused, and goes on', async () => {
    const { refresh_token } = await exchangeCode(await signInToApp(portal, python, anna))
    const asked = { grant_type: 'refresh_token', refresh_token }
    expect(await token({ ...asked, client_id: 'pythonapi' })).toMatchObject({ error: { code: 498 } })
    expect(await token(asked)).toHaveProperty('access_token')
  })

  test('ends after its time, however often it is used', async () => {
    const { refresh_token } = await exchangeCode(await signInToApp(portal, python, anna))
    const asked = { grant_type: 'refresh_token', refresh_token }
    portal.clock.now += 1_430 * minute
    expect(await token(asked)).toMatchObject({ expires_in: 600 })
    portal.clock.now += 10 * minute
    expect(await token(asked)).toMatchObject({ error: { code: 498, message: 'refresh_token expired' } })
  })

  test('ends with the password', async () => {
    const { access_token, refresh_token } = await exchangeCode(await signInToApp(portal, python, anna))
    const admin = await portal.admin()
    const passwords = { oldPassword: adminPassword, newPassword: 'another long password' }
    expect(await admin.post('/community/users/admin/changePassword', passwords)).toMatchObject({ success: true })
    expect(await isValid(access_token)).toBe(false)
    expect(await token({ grant_type: 'refresh_token', refresh_token })).toMatchObject({ error: { code: 498 } })
  })
})

describe('a browser', () => {
  const browser = { 'sec-fetch-site': 'same-origin', origin: 'https://maps.example.com' }

  /** Name and value of the cookie. */
  function cookieOf(answer: { readonly headers: { readonly 'set-cookie'?: string | string[] | undefined } }): string {
    return String(answer.headers['set-cookie']).split(';')[0] ?? ''
  }

  test('has a session after a sign-in, and goes on by one click', async () => {
    const page = await authorize(portal, python, { 'sec-fetch-site': 'none' })
    const answer = await sendSignIn(portal, page, anna, browser)
    expect(answer.headers['set-cookie']).toMatch(
      /^__Host-cartulary-portal=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Lax$/,
    )
    const cookie = cookieOf(answer)
    const again = await authorize(portal, python, { cookie, 'sec-fetch-site': 'none' })
    expect(again.body).toContain('Continue as admin')
    const continued = await sendSignIn(portal, again, { continue: 'true' }, { ...browser, cookie })
    expect(continued.body).toContain('<title>SUCCESS code=')
  })

  test('is no caller of the API by its cookie', async () => {
    const page = await authorize(portal, python, { 'sec-fetch-site': 'none' })
    const cookie = cookieOf(await sendSignIn(portal, page, anna, browser))
    const self = await portal.inject({ url: '/community/self', headers: { cookie } })
    expect(self.json()).toMatchObject({ error: { code: 499 } })
  })

  test.each([
    ['another origin', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['no origin', { origin: 'null' }],
    ['a neighbouring site', { 'sec-fetch-site': 'same-site' }],
  ])('of %s does not sign in by the form', async (_whose, headers) => {
    const answer = await sendSignIn(portal, await authorize(portal, python), anna, headers)
    expect(answer.body).toContain('Start again')
    expect(answer.body).not.toContain('SUCCESS')
  })

  test('signs out, and has to sign in again', async () => {
    const page = await authorize(portal, python, { 'sec-fetch-site': 'none' })
    const cookie = cookieOf(await sendSignIn(portal, page, anna, browser))
    const asked = await portal.inject({ url: '/oauth2/signout', headers: { cookie } })
    expect(asked.body).toContain('Sign out?')
    const headers = { ...browser, cookie, 'content-type': 'application/x-www-form-urlencoded' }
    const ended = await portal.inject({ method: 'POST', url: '/oauth2/signout', headers, payload: '' })
    expect(ended.headers['set-cookie']).toContain('Max-Age=0')
    expect(ended.body).toContain('You are signed out in this browser.')
    const again = await authorize(portal, python, { cookie, 'sec-fetch-site': 'none' })
    expect(again.body).not.toContain('Continue as')
  })
})

test('sign-out says that one is signed out only where a session was ended', async () => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const signOut = (more: Readonly<Record<string, string>>) =>
    portal.inject({ method: 'POST', url: '/oauth2/signout', headers: { ...headers, ...more }, payload: '' })
  // A browser sends no cookie with a form of another site.
  const crossSite = await signOut({ origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' })
  expect(crossSite.body).toContain('<h1>Sign out?</h1>')
  expect((await signOut({ 'sec-fetch-site': 'same-origin' })).body).toContain('No session was open in this browser.')
  expect((await portal.inject({ url: '/oauth2/signout' })).body).toContain('No session was open in this browser.')
  // The browser still has the cookie of a session that was ended elsewhere.
  const own = { origin: 'https://maps.example.com', 'sec-fetch-site': 'same-origin' }
  const signedIn = await sendSignIn(portal, await authorize(portal, python), anna, own)
  const cookie = String(signedIn.headers['set-cookie']).split(';')[0]!
  await (await portal.admin()).post('/community/users/admin/sessions/endAll')
  const late = await signOut({ ...own, cookie })
  expect(late.body).toContain('No session was open in this browser.')
  expect(late.headers['set-cookie']).toContain('Max-Age=0')
})

test('a form of another site asks before it signs a browser out', async () => {
  const own = { origin: 'https://maps.example.com', 'sec-fetch-site': 'same-origin' }
  const answer = await sendSignIn(portal, await authorize(portal, python), anna, own)
  const cookie = String(answer.headers['set-cookie']).split(';')[0]!
  const signOut = (more: Readonly<Record<string, string>>) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', cookie, ...more }
    return portal.inject({ method: 'POST', url: '/oauth2/signout', headers, payload: '' })
  }
  // A sibling's form brings the cookie.
  const asked = await signOut({ origin: 'https://other.example.com', 'sec-fetch-site': 'same-site' })
  expect([asked.body.includes('<h1>Sign out?</h1>'), asked.headers['set-cookie']]).toEqual([true, undefined])
  expect((await signOut(own)).body).toContain('You are signed out in this browser.')
})

describe('the page', () => {
  test('has no script that runs but its own, and its form ends here only', async () => {
    const { headers, body } = await authorize(portal, python)
    expect(headers['content-security-policy']).toBe(
      `default-src 'none'; script-src ${digestOfScript(body)}; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    )
    expect(headers['referrer-policy']).toBe('same-origin')
    expect(headers['x-frame-options']).toBe('DENY')
    expect(headers).not.toHaveProperty('cross-origin-opener-policy')
  })

  test('that was open for half an hour offers to begin again', async () => {
    const page = await authorize(portal, { ...python, state: 'a state' })
    portal.clock.now += 30 * minute
    const answer = await sendSignIn(portal, page, anna)
    expect(answer.body).toContain('open for more than half an hour')
    expect(answer.body).toContain('state=a%20state')
  })

  test('whose sealed request was changed is of no use', async () => {
    const { oauth_state } = oauthInfoOf((await authorize(portal, python)).body)
    for (const position of [0, 40, oauth_state.length - 2]) {
      const other = oauth_state[position] === 'A' ? 'B' : 'A'
      const changed = `${oauth_state.slice(0, position)}${other}${oauth_state.slice(position + 1)}`
      const payload = new URLSearchParams({ oauth_state: changed, ...anna }).toString()
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const answer = await portal.inject({ method: 'POST', url: '/oauth2/signin', headers, payload })
      expect(answer.body).toContain('Start again')
    }
  })

  test.each([
    ['an unknown client', { client_id: 'unknown' }, 'Error: Invalid client_id'],
    ['no client', { client_id: '' }, 'Error: Invalid client_id'],
    ['another address', { redirect_uri: 'https://evil.example/' }, 'Error: Invalid redirect_uri'],
    ['no address', { redirect_uri: '' }, 'Error: Invalid redirect_uri'],
  ])('of %s leads nowhere', async (_what, parameters, text) => {
    const page = await authorize(portal, { ...python, ...parameters })
    expect(page.body).toContain(text)
    expect(page.headers.location).toBeUndefined()
  })
})
