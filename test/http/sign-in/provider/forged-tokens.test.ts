import { generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { PersonsBrowser } from '../../../support/identity-provider/browser.ts'
import { HostileProvider, keyId } from '../../../support/identity-provider/hostile-provider.ts'
import { startProvidedPortal } from '../../../support/identity-provider/provided-portal.ts'

/** One for all tests, so that they share servers: making a key, and starting a server, takes longer than a test. */
let usual: HostileProvider
let provider: HostileProvider
let browser: PersonsBrowser

beforeAll(async () => {
  usual = await HostileProvider.open()
})
afterAll(() => usual[Symbol.asyncDispose]())

beforeEach(async () => {
  usual.reset()
  provider = usual
  await openBrowser()
})

async function openBrowser(): Promise<void> {
  const portal = await startProvidedPortal(provider.issuer, { OIDC_CREATE_USERS: 'true', OIDC_USERNAME_CLAIM: 'sub' })
  onTestFinished(() => portal[Symbol.asyncDispose]())
  browser = new PersonsBrowser(portal)
}

/** A provider of the test alone, whose discovery no server has read yet. */
async function openOwnProvider(): Promise<void> {
  const own = await HostileProvider.open()
  onTestFinished(() => own[Symbol.asyncDispose]())
  provider = own
  await openBrowser()
}

interface Begun {
  readonly state: string
  readonly nonce: string
}

async function begin(): Promise<Begun> {
  const url = new URL(await browser.goToProvider(await browser.authorize()))
  return { state: url.searchParams.get('state')!, nonce: url.searchParams.get('nonce')! }
}

/** The callback, after the provider has the token ready. */
async function comeBack(makeToken: (nonce: string) => Promise<string> | string, query = '') {
  const { state, nonce } = await begin()
  provider.idToken = await makeToken(nonce)
  return browser.get(`/oidc/callback?code=code&state=${state}${query}`)
}

const now = () => Math.floor(Date.now() / 1_000)

async function isRefused(answer: Awaited<ReturnType<typeof comeBack>>): Promise<void> {
  expect(answer.headers.location).toBeUndefined()
  expect(answer.body).toContain('The identity provider did not sign you in here.')
  expect(answer.body).toMatch(/Reference for your administrator: <code>\S+<\/code>/)
  expect([...browser.cookies.keys()]).toEqual([])
  const found = await (await browser.portal.admin()).get('/community/users/subject')
  expect(found).toMatchObject({ error: { code: 400 } })
}

test('a token that is in order signs in', async () => {
  const answer = await comeBack((nonce) => provider.sign(provider.claims(nonce)))
  expect(answer.statusCode).toBe(303)
})

test('a token that names this client as the authorized one signs in', async () => {
  const answer = await comeBack((nonce) => provider.sign(provider.claims(nonce, { azp: 'cartulary' })))
  expect(answer.statusCode).toBe(303)
})

describe('no token signs in', () => {
  test.each([
    ['for another audience', { aud: 'another client' }],
    ['for several audiences, of which another is the authorized one', { aud: ['cartulary', 'x'], azp: 'x' }],
    ['for this client alone, of which another is the authorized one', { azp: 'x' }],
    ['with no text for the authorized one', { azp: 7 }],
    ['of another issuer', { iss: 'https://login.example.com' }],
    ['that has expired', { iat: now() - 600, exp: now() - 300 }],
    ['that begins later', { nbf: now() + 300 }],
    ['without a subject', { sub: undefined }],
    ['with a number as its subject', { sub: 7 }],
    ['with another nonce', { nonce: 'another' }],
    ['without a nonce', { nonce: undefined }],
    ['without an end', { exp: undefined }],
  ])('%s', async (_what, claims) => {
    await isRefused(await comeBack((nonce) => provider.sign(provider.claims(nonce, claims))))
  })

  test('without a signature', async () => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const unsigned = (nonce: string) => `${part({ alg: 'none' })}.${part(provider.claims(nonce))}.`
    await isRefused(await comeBack(unsigned))
  })

  test('with the public key as the secret of HS256', async () => {
    const secret = new TextEncoder().encode(JSON.stringify(provider.publicJwk))
    const forge = (nonce: string) =>
      new SignJWT({ ...provider.claims(nonce) }).setProtectedHeader({ alg: 'HS256', kid: keyId }).sign(secret)
    await isRefused(await comeBack(forge))
  })

  test('by a key that the provider does not have', async () => {
    const { privateKey } = await generateKeyPair('RS256')
    await isRefused(await comeBack((nonce) => provider.sign(provider.claims(nonce), {}, privateKey)))
    await isRefused(await comeBack((nonce) => provider.sign(provider.claims(nonce), { kid: 'unknown' })))
  })

  test('whose signature was changed', async () => {
    const breakIt = async (nonce: string) => {
      const token = await provider.sign(provider.claims(nonce))
      const at = token.length - 20
      return `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`
    }
    await isRefused(await comeBack(breakIt))
  })

  test('whose user information is of another subject', async () => {
    await openOwnProvider()
    provider.userInfo = { sub: 'someone else', name: 'Anna' }
    await isRefused(await comeBack((nonce) => provider.sign(provider.claims(nonce))))
  })

  test('that is no token', async () => {
    await isRefused(await comeBack(() => 'no token'))
  })
})

describe('an answer', () => {
  test('that names another issuer is refused, and so is one without, of a provider that names itself', async () => {
    const foreign = await comeBack((nonce) => provider.sign(provider.claims(nonce)), '&iss=https://login.example.com')
    await isRefused(foreign)
    expect(provider.asked).not.toContain('/token')
  })

  test('without its issuer is refused where the provider promises to name itself', async () => {
    await openOwnProvider()
    provider.discovery = { authorization_response_iss_parameter_supported: true }
    await isRefused(await comeBack((nonce) => provider.sign(provider.claims(nonce))))
    expect(provider.asked).not.toContain('/token')
  })

  test('to a state that this browser did not begin with asks to start again, and asks the provider nothing', async () => {
    const { state } = await begin()
    provider.asked.length = 0
    for (const other of [`${state}x`, state.slice(1), 'x', '']) {
      const answer = await browser.get(`/oidc/callback?code=code&state=${other}`)
      expect(answer.body).toContain('Start again')
      expect(answer.headers.location).toBeUndefined()
    }
    const elsewhere = new PersonsBrowser(browser.portal)
    expect((await elsewhere.get(`/oidc/callback?code=code&state=${state}`)).body).toContain('Start again')
    expect(provider.asked).toEqual([])
  })

  test('counts once', async () => {
    const { state, nonce } = await begin()
    provider.idToken = await provider.sign(provider.claims(nonce))
    const url = `/oidc/callback?code=code&state=${state}`
    expect((await browser.get(url)).statusCode).toBe(303)
    expect((await browser.get(url)).body).toContain('Start again')
  })

  test('after ten minutes asks to start again', async () => {
    const { state, nonce } = await begin()
    provider.idToken = await provider.sign(provider.claims(nonce))
    browser.portal.clock.now += 10 * 60_000
    expect((await browser.get(`/oidc/callback?code=code&state=${state}`)).body).toContain('Start again')
  })

  test('with an error is a page with a number, without the words of the provider', async () => {
    const { state } = await begin()
    const words = '&error=access_denied&error_description=%3Cscript%3Ealert(1)'
    const answer = await browser.get(`/oidc/callback?state=${state}${words}`)
    expect(answer.body).toContain('The identity provider did not sign you in here.')
    expect(answer.body).not.toContain('alert(1)')
  })
})

test('three tabs sign in concurrently; of a fourth, the oldest has to start again', async () => {
  const begun: Begun[] = []
  for (let tab = 0; tab < 4; tab += 1) {
    begun.push(await begin())
    browser.portal.clock.now += 1
  }
  const [first, ...others] = begun
  for (const { state, nonce } of others) {
    provider.idToken = await provider.sign(provider.claims(nonce))
    expect((await browser.get(`/oidc/callback?code=code&state=${state}`)).statusCode).toBe(303)
  }
  expect((await browser.get(`/oidc/callback?code=code&state=${first!.state}`)).body).toContain('Start again')
})

test('long addresses and states of apps are kept in several cookies, none of them over 4,096 bytes', async () => {
  const state = 'é'.repeat(2_048)
  const url = new URL(await browser.goToProvider(await browser.authorize({ state })))
  expect(url.searchParams.get('state')).toMatch(/^[\w-]{43}$/)
  const cookies = [...browser.cookies]
  expect(cookies).toHaveLength(2)
  for (const [name, value] of cookies) {
    expect(name).toMatch(/^__Host-cartulary-portal\.t\./)
    expect(name.length + value.length).toBeLessThan(4_000)
  }
  provider.idToken = await provider.sign(provider.claims(url.searchParams.get('nonce')!))
  const answer = await browser.get(`/oidc/callback?code=code&state=${url.searchParams.get('state')}`)
  expect(new URL(answer.headers.location!, 'https://x').searchParams.get('state')).toBe(state)
})
