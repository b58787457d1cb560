import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { writeAsOperator } from '../../../src/cli/accounts/operator.ts'
import { authorize, outOfBand, proofKey, sendSignIn, signInToApp } from '../../support/portal/oauth.ts'
import { adminPassword, type Body, startPortal, type TestPortal } from '../../support/portal/portal.ts'

const root = 'https://maps.example.com/portal/'
const key = proofKey()
const own = { client_id: 'cartulary', redirect_uri: root, ...key.asked }
const anna = { username: 'admin', password: adminPassword }
const ofBrowser = { accept: 'text/html', 'sec-fetch-site': 'none' }

let portal: TestPortal

beforeEach(async () => {
  portal = await startPortal()
  onTestFinished(() => portal[Symbol.asyncDispose]())
})

function token(parameters: Readonly<Record<string, unknown>>): Promise<Body> {
  return portal.anonymous.post('/oauth2/token', { client_id: 'cartulary', ...parameters })
}

function exchangeCode(code: string, verifier: string | undefined = key.verifier): Promise<Body> {
  return token({ grant_type: 'authorization_code', code, redirect_uri: root, code_verifier: verifier })
}

async function openSession(on: TestPortal, redirectUri: string): Promise<string> {
  const page = await authorize(on, { ...own, redirect_uri: redirectUri }, ofBrowser)
  const answer = await sendSignIn(on, page, anna, ofBrowser)
  return String(answer.headers['set-cookie']).split(';')[0]!
}

test('the application of the server signs in at its root, and gets tokens that it refreshes', async () => {
  const answer = await sendSignIn(portal, await authorize(portal, { ...own, state: 'a state' }), anna)
  const location = String(answer.headers.location)
  expect(location).toMatch(/^https:\/\/maps\.example\.com\/portal\/\?code=[\w-]{43}&state=a%20state$/)
  const tokens = await exchangeCode(new URL(location).searchParams.get('code')!)
  expect(tokens).toMatchObject({ username: 'admin', refresh_token_expires_in: 86_400 })
  const refreshed = await token({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token })
  expect(await portal.anonymous.get('/community/self', { token: refreshed.access_token })).toMatchObject({
    username: 'admin',
  })
})

describe('it has no other address', () => {
  test.each([
    ['the root without its slash', 'https://maps.example.com/portal'],
    ['the root of the host', 'https://maps.example.com/'],
    ['a page below', 'https://maps.example.com/portal/organization'],
    ['the same host by http', 'http://maps.example.com/portal/'],
    ['a host that a request names', 'https://elsewhere.example/portal/'],
    ['this machine', 'http://127.0.0.1:3000/'],
    ['the mark in its place', '/'],
    ['a page that shows the code', outOfBand],
  ])('%s', async (_what, redirectUri) => {
    const headers = { host: 'elsewhere.example', 'x-forwarded-host': 'elsewhere.example' }
    const page = await authorize(portal, { ...own, redirect_uri: redirectUri }, headers)
    expect(page.body).toContain('Error: Invalid redirect_uri')
  })
})

describe('it proves by S256 that a code is its own', () => {
  test.each([
    ['no challenge', {}, 'code_challenge is required, with the method S256.'],
    [
      'a plain one',
      { code_challenge: key.verifier, code_challenge_method: 'plain' },
      'code_challenge_method has to be S256 for this app.',
    ],
  ])('and not with %s, by http either', async (_what, asked, sentence) => {
    await using plain = await startPortal({ environment: { PUBLIC_URL: 'http://maps.example.com' } })
    const given = { client_id: 'cartulary', redirect_uri: 'http://maps.example.com/', ...asked }
    const answer = await authorize(plain, given)
    expect(new URL(String(answer.headers.location)).searchParams.get('error_description')).toBe(sentence)
  })

  test.each([
    ['another verifier', 'another verifier '.repeat(4).replaceAll(' ', '-')],
    ['none', ''],
  ])('which %s does not', async (_what, verifier) => {
    const code = await signInToApp(portal, own, anna)
    expect((await exchangeCode(code, verifier)).error.message).toBe('Invalid code')
  })
})

describe('it asks for no consent', () => {
  test.each([
    ['https', 'https://maps.example.com/portal', root],
    ['http on this machine', 'http://localhost:8080', 'http://localhost:8080/'],
  ])('of a user who is signed in, by %s', async (_what, publicUrl, redirectUri) => {
    await using served = await startPortal({ environment: { PUBLIC_URL: publicUrl } })
    const cookie = await openSession(served, redirectUri)
    const answer = await authorize(served, { ...own, redirect_uri: redirectUri }, { ...ofBrowser, cookie })
    expect(String(answer.headers.location)).toContain(`${redirectUri}?code=`)
  })

  test('but where it is to ask for the password', async () => {
    const cookie = await openSession(portal, root)
    const page = await authorize(portal, { ...own, force_login: 'true' }, { ...ofBrowser, cookie })
    expect(page.body).toContain('name="password"')
  })
})

test('an organization sees where it is, and switches it on, but off only by the command line', async () => {
  const admin = await portal.admin()
  const read = () => admin.get('/oauth2/apps/cartulary')
  expect(await read()).toMatchObject({ title: 'Cartulary', builtIn: true, disabled: false, redirect_uris: [root] })
  expect({ ...(await admin.get('/oauth2/apps')).builtIn[0], lastUses: [] }).toEqual(await read())
  const tokens = await exchangeCode(await signInToApp(portal, own, anna))
  const turn = (disabled: boolean) => admin.post('/oauth2/apps/cartulary/update', { disabled })
  const details = [
    'The application of this server is switched off by the command line alone: cartulary app disable cartulary.',
  ]
  expect(await turn(true)).toMatchObject({ error: { code: 400, details } })
  expect(await portal.anonymous.get('/community/self', { token: tokens.access_token })).toHaveProperty('username')
  const { portalId } = await admin.get('/community/self').then(({ orgId }) => ({ portalId: orgId as string }))
  const switchOff = { clientId: 'cartulary', portalId, isDisabled: true }
  await writeAsOperator(portal.server.dependencies, 'switchOperatorApp', switchOff, '/oauth2/apps')
  expect((await portal.anonymous.get('/community/self', { token: tokens.access_token })).error.code).toBe(498)
  const refused = await sendSignIn(portal, await authorize(portal, own), anna)
  expect(refused.body).toContain('Error: Invalid client_id')
  expect(await turn(false)).toMatchObject({ disabled: false, redirect_uris: [root] })
  await signInToApp(portal, own, anna)
})

test('it is where a sign-out may lead back to', async () => {
  const given = { client_id: 'cartulary', redirect_uri: root }
  const answer = await portal.inject({ url: `/oauth2/signout?${new URLSearchParams(given)}`, headers: ofBrowser })
  expect(answer.headers.location).toBe(root)
})
