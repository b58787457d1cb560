import type { LightMyRequestResponse } from 'fastify'
import { beforeEach, describe, expect, test } from 'vitest'
import { changeApp } from '../../../support/portal/add-app.ts'
import {
  admin,
  clientId,
  openSession,
  own,
  python,
  redirectUri,
  startPortalWithApp,
} from '../../../support/portal/app-in-browser.ts'
import { authorize, digestOfScript, oauthInfoOf, outOfBand, sendSignIn } from '../../../support/portal/oauth.ts'
import { type Body, formEncode, type TestPortal } from '../../../support/portal/portal.ts'

let portal: TestPortal

beforeEach(async () => {
  portal = await startPortalWithApp()
})

describe('every page', () => {
  const pages: readonly (readonly [string, string | undefined, () => Promise<LightMyRequestResponse>])[] = [
    ['of sign-in', 'https://app.example.com', () => authorize(portal, own)],
    ['of sign-in, for a code on a page', undefined, () => authorize(portal, python)],
    [
      'with a wrong password',
      'https://app.example.com',
      async () => sendSignIn(portal, await authorize(portal, own), { ...admin, password: 'wrong' }),
    ],
    [
      'of going on',
      undefined,
      async () => authorize(portal, python, { cookie: await openSession(portal), 'sec-fetch-site': 'none' }),
    ],
    ['with the code', undefined, async () => sendSignIn(portal, await authorize(portal, python), admin)],
    ['for an unknown client', undefined, () => authorize(portal, { ...own, client_id: 'unknown' })],
    ['for another address', undefined, () => authorize(portal, { ...own, redirect_uri: 'https://evil.example/' })],
    ['for parameters that are wrong', undefined, () => authorize(portal, { ...python, expiration: 'soon' })],
    ['for the implicit flow', undefined, () => authorize(portal, { ...own, response_type: 'token' })],
    ['for a wrong method', undefined, () => portal.inject({ url: '/oauth2/signin' })],
    [
      'for a form without a sealed request',
      undefined,
      () => portal.postForm('/oauth2/signin', { oauth_state: 'x', ...admin }),
    ],
    ['after signing out', undefined, () => portal.inject({ url: '/oauth2/signout' })],
    [
      'before signing out',
      'https://app.example.com',
      async () =>
        portal.inject({
          url: `/oauth2/signout?${formEncode({ client_id: clientId, redirect_uri: redirectUri })}`,
          headers: { cookie: await openSession(portal) },
        }),
    ],
  ]

  test.each(pages)('%s leaks nothing, is not framed, runs and loads nothing of others', async (_what, target, open) => {
    const { headers, body, statusCode } = await open()
    expect(statusCode).toBe(200)
    const script = body.includes('type="password"') ? ` script-src ${digestOfScript(body)};` : ''
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none';${script} style-src 'self'; img-src 'self'; form-action 'self'${target ? ` ${target}` : ''}; base-uri 'none'; frame-ancestors 'none'`,
      'x-frame-options': 'DENY',
      'referrer-policy': 'same-origin',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    expect(headers).not.toHaveProperty('cross-origin-opener-policy')
    const loaded = [...body.matchAll(/ (?:src|href|action)="([^"]*)"/g)].map(([, address]) => address)
    expect(loaded.filter((address) => !address?.startsWith('/portal/'))).toEqual([])
    const scripts = [...body.matchAll(/<script([^>]*)>/g)].map(([, attributes]) => attributes)
    expect(scripts.filter((attributes) => attributes !== ' type="text/plain"')).toEqual(script === '' ? [] : [''])
    expect(body).not.toMatch(/ on[a-z]+=|style="/)
  })
})

describe('the implicit flow', () => {
  test.each([own, python])('is refused on a page that a program does not take for a sign-in', async (given) => {
    const page = await authorize(portal, { ...given, response_type: 'token' })
    expect([page.headers.location, page.body.includes('oauth_state')]).toEqual([undefined, false])
  })
})

test('a page of another origin reads no page of sign-in, and no part of a page knows who is signed in', async () => {
  const cookie = await openSession(portal)
  const asked = { cookie, origin: 'https://other.example.com', 'sec-fetch-site': 'same-site' }
  for (const destination of ['document', 'empty', 'iframe']) {
    const page = await authorize(portal, python, { ...asked, 'sec-fetch-dest': destination })
    expect(page.headers).not.toHaveProperty('access-control-allow-origin')
    expect(page.headers).not.toHaveProperty('access-control-allow-credentials')
    expect([destination, page.body.includes('Continue as admin')]).toEqual([destination, destination === 'document'])
  }
})

describe('a form of another page', () => {
  test.each<[string, Record<string, string>]>([
    ['another origin', { origin: 'https://evil.example' }],
    ['another origin, by a browser that says so', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['a browser that hides the origin', { 'sec-fetch-site': 'cross-site' }],
    ['a neighbouring site', { origin: 'https://other.example.com', 'sec-fetch-site': 'same-site' }],
    ['a sandboxed frame', { origin: 'null' }],
    ['the same host by http', { origin: 'http://maps.example.com' }],
    ['the same host at another port', { origin: 'https://maps.example.com:8443' }],
    ['a host that begins alike', { origin: 'https://maps.example.com.evil.example' }],
  ])('of %s signs in neither by password nor by session, and opens no session', async (_whose, headers) => {
    const cookie = await openSession(portal)
    const page = await authorize(portal, python, { cookie, 'sec-fetch-site': 'none' })
    for (const given of [admin, { continue: 'true' }]) {
      const answer = await sendSignIn(portal, page, given, { ...headers, cookie })
      expect(answer.body).toContain('Start again')
      expect(answer.body).not.toContain('SUCCESS')
      expect(answer.headers['set-cookie']).toBeUndefined()
    }
    const again = await authorize(portal, python, { cookie, 'sec-fetch-site': 'none' })
    const signOut = await portal.postForm('/oauth2/signout', {}, { ...headers, cookie })
    expect(signOut.headers['set-cookie']).toBeUndefined()
    expect(again.body).toContain('Continue as admin')
  })

  test('is not what a program sends, without any such header', async () => {
    const answer = await sendSignIn(portal, await authorize(portal, python), admin)
    expect(answer.body).toContain('SUCCESS')
    expect(answer.headers['set-cookie']).toBeUndefined()
  })
})

describe('a sealed request', () => {
  // Every byte of a seal: test/secrets/sealed.test.ts.
  test('of which a character is changed, left out or added is refused', async () => {
    const { oauth_state } = oauthInfoOf((await authorize(portal, python)).body)
    const taken: string[] = []
    const last = oauth_state.length - 1
    for (let position = 0; position <= last; position += 7) {
      const other = oauth_state[position] === 'g' ? 'h' : 'g'
      // The last characters of a part hold unused bits: base64url has several texts for the same bytes.
      const isPadding = position === last || oauth_state[position + 1] === '.'
      const changed = [
        ...(isPadding ? [] : [`${oauth_state.slice(0, position)}${other}${oauth_state.slice(position + 1)}`]),
        ...(position % 16 === 0 ? [oauth_state.slice(0, position)] : []),
      ]
      for (const text of changed) {
        const answer = await portal.postForm('/oauth2/signin', { oauth_state: text, ...admin })
        if (!answer.body.includes('Start again')) taken.push(text)
      }
    }
    for (const text of [`${oauth_state}A`, `${oauth_state}.`, oauth_state.repeat(2), '', 'x'.repeat(40_000)]) {
      const answer = await portal.postForm('/oauth2/signin', { oauth_state: text, ...admin })
      if (!answer.body.includes('Start again')) taken.push(text)
    }
    expect(taken).toEqual([])
  })

  test.each(['identity provider', 'id token'] as const)('for the purpose "%s" is refused', async (purpose) => {
    const { tickets } = portal.server.dependencies
    const { oauth_state } = oauthInfoOf((await authorize(portal, python)).body)
    const ticket = await tickets.open('authorization', oauth_state)
    expect(ticket).toBeDefined()
    const answer = await portal.postForm('/oauth2/signin', {
      oauth_state: await tickets.seal(purpose, ticket),
      ...admin,
    })
    expect(answer.body).toContain('Start again')
  })

  test.each([
    [29 * 60_000 + 59_999, true],
    [30 * 60_000, false],
  ])('is valid after %i ms: %s', async (milliseconds, isValid) => {
    const page = await authorize(portal, { ...own, state: 'a&b', expiration: '60' })
    portal.clock.now += milliseconds
    const answer = await sendSignIn(portal, page, admin)
    expect(answer.statusCode === 303).toBe(isValid)
    if (isValid) return
    // Repeats the request through the link.
    const link = /<a href="([^"]+)"/.exec(answer.body)![1]!.replaceAll('&amp;', '&')
    const again = await portal.inject({ url: link.slice(portal.base.length) })
    const { location } = (await sendSignIn(portal, again, admin)).headers
    expect(String(location)).toMatch(/^https:\/\/app\.example\.com\/callback\?code=[\w-]{43}&state=a%26b$/)
  })
})

describe('the page of a code', () => {
  test('names the app and warns; the code is of no use to another app', async () => {
    const answer = await sendSignIn(portal, await authorize(portal, python), admin)
    expect(answer.body).toContain('<strong><bdi>ArcGIS client for Python</bdi></strong>')
    expect(answer.body).toContain('If you did not begin in that program, close this page')
    const code = /SUCCESS code=([\w-]+)/.exec(answer.body)![1]!
    const given = { grant_type: 'authorization_code', code, ...python, client_id: 'pythonapi' }
    expect(await portal.anonymous.post('/oauth2/token', given)).toMatchObject({ error: { message: 'Invalid code' } })
  })

  test('is not for an app that is not registered so', async () => {
    const page = await authorize(portal, { ...own, redirect_uri: outOfBand })
    expect(page.body).toContain('Error: Invalid redirect_uri')
  })
})

describe('what others wrote into the page is text', () => {
  const texts = [
    '</script><script>alert(1)</script>',
    '};alert(1);//',
    `"' onfocus=alert(1) autofocus x="`,
    '<img src=x onerror=alert(1)>',
    "it's & <b>bold</b>",
    '\u2028\u2029 {{7*7}} $(7*7)',
    'oauth_state": "mine',
  ]

  test.each(texts)('%j as title of the app, name of the organization and username', async (text) => {
    await changeApp(portal, clientId, 'title', text)
    const chief = await portal.admin()
    await chief.post('/portals/self/update', { name: text })
    const page = await authorize(portal, { ...own, prepopulatedusername: text })
    for (const { body, headers } of [page, await sendSignIn(portal, page, { username: text, password: 'wrong' })]) {
      const info: Body = oauthInfoOf(body)
      expect(info.appTitle).toBe(text)
      const data = /<script type="text\/plain">(.*?)<\/script>/s.exec(body)![1]!
      expect(data).not.toMatch(/[<>&'\u2028\u2029]|\}.*\}/s)
      expect(headers['content-security-policy']).toContain(digestOfScript(body))
      const markup = body.replace(/<script type="text\/plain">.*?<\/script>|<script>.*?<\/script>/gs, '')
      expect(markup).not.toMatch(/<(?:script|img|b)\b|<[^>]*" on\w+=/)
      // The first empty field has it, and what is written inside of quotes.
      const own = markup.match(/<input [^<>"]*(?:"[^"]*"[^<>"]*)*\sautofocus[\s>]/g) ?? []
      expect(own.length).toBeLessThanOrEqual(1)
      const quoted = markup.match(/autofocus x=&quot;|autofocus x=&#34;/g) ?? []
      expect(markup.match(/autofocus/g)?.length ?? 0).toBe(own.length + quoted.length)
    }
  })
})

test.each([
  ['Host', { host: 'evil.example' }],
  ['X-Forwarded-Host', { 'x-forwarded-host': 'evil.example' }],
  ['Forwarded', { forwarded: 'host=evil.example;proto=http' }],
  ['X-Forwarded-Prefix', { 'x-forwarded-prefix': '/evil.example', 'x-original-url': '/evil.example' }],
])('a forged %s changes no page and no redirect', async (_name, headers) => {
  const plain = await authorize(portal, own)
  const page = await authorize(portal, own, headers)
  const withoutTicket = (body: string) => body.replaceAll(/eyJ[\w.-]+/g, '…')
  expect(withoutTicket(page.body)).toBe(withoutTicket(plain.body))
  expect(page.headers['content-security-policy']).toBe(plain.headers['content-security-policy'])
  const answer = await sendSignIn(portal, page, admin, headers)
  expect(String(answer.headers.location).startsWith(`${redirectUri}?code=`)).toBe(true)
  for (const path of ['/oauth2/signout', '/oauth2/authorize?client_id=evil']) {
    expect((await portal.inject({ url: path, headers })).body).not.toContain('evil.example')
  }
  // A page that is open for too long has a link.
  const late = await authorize(portal, own)
  portal.clock.now += 31 * 60_000
  expect((await sendSignIn(portal, late, admin, headers)).body).not.toContain('evil.example')
})

test('too many failures are explained on the page, and for programs in the words that they know', async () => {
  const page = await authorize(portal, own)
  for (let times = 0; times < 10; times += 1) await sendSignIn(portal, page, { ...admin, password: 'wrong' })
  const { body, headers } = await sendSignIn(portal, page, admin)
  expect(oauthInfoOf(body).messages).toEqual(['Too many invalid attempts. Please try again later.'])
  expect(body).toMatch(/Please try again later\. There were too many failed sign-ins .* Try again in \d+ minutes\.</)
  expect(Number(headers['retry-after'])).toBeGreaterThan(0)
})
