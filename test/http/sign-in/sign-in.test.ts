import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { authorize, oauthInfoOf, outOfBand, sendSignIn, signInToApp } from '../../support/portal/oauth.ts'
import { adminPassword, type Body, type Headers, startPortal, type TestPortal } from '../../support/portal/portal.ts'

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
})

test('sign-out says that one is signed out only where a session was ended', async () => {
  const signOut = (headers: Headers) => portal.postForm('/oauth2/signout', {}, headers)
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
  const signOut = (headers: Headers) => portal.postForm('/oauth2/signout', {}, { cookie, ...headers })
  // A sibling's form brings the cookie.
  const asked = await signOut({ origin: 'https://other.example.com', 'sec-fetch-site': 'same-site' })
  expect([asked.body.includes('<h1>Sign out?</h1>'), asked.headers['set-cookie']]).toEqual([true, undefined])
  expect((await signOut(own)).body).toContain('You are signed out in this browser.')
})

describe('the page', () => {
  test('that was open for half an hour offers to begin again', async () => {
    const page = await authorize(portal, { ...python, state: 'a state' })
    portal.clock.now += 30 * minute
    const answer = await sendSignIn(portal, page, anna)
    expect(answer.body).toContain('open for more than half an hour')
    expect(answer.body).toContain('state=a%20state')
  })

  test('of no client leads nowhere', async () => {
    const page = await authorize(portal, { ...python, client_id: '' })
    expect(page.body).toContain('Error: Invalid client_id')
    expect(page.headers.location).toBeUndefined()
  })
})
