import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { tableNames } from '../../../../src/storage/tables/tables.ts'
import { measureMemory } from '../../../support/faults/memory.ts'
import { countOf, timeoutOf } from '../../../support/length.ts'
import { oauthInfoOf, outOfBand, proofKey } from '../../../support/portal/oauth.ts'
import { adminPassword, type Body, formEncode, startPortal } from '../../../support/portal/portal.ts'
import { findDatabase } from '../../../support/portal/portal-database.ts'
import { Folder, serve } from '../../../support/portal/process.ts'

const requests = countOf({ sample: 800, long: 10_000 })
/** The first is not measured. What is made once, and kept, is made in one of them; what is kept of every request is in all. */
const rounds = 4

test(`${requests} pages of sign-in and unknown tickets leave no row and no memory`, {
  timeout: timeoutOf(requests, 200),
}, async () => {
  // One that other tests have had writes what it has counted of their refusals, a minute later.
  await using portal = await startPortal({ isReused: false })
  const database = findDatabase(portal.server)
  if (database.engine !== 'sqlite') throw new Error('For SQLite.')
  using connection = Object.assign(new Database(database.file, { readonly: true }), {
    [Symbol.dispose]: () => connection.close(),
  })
  const count = () =>
    Object.fromEntries(
      tableNames.map((name) => [name, connection.prepare(`select count(*) from ${name}`).pluck().get()]),
    )
  const before = count()
  let length = 0
  const show = async (times: number) => {
    const query = formEncode({
      client_id: times % 3 === 0 ? `client-${times}` : 'arcgisonline',
      response_type: 'code',
      redirect_uri: times % 5 === 0 ? `https://evil.example/${times}` : outOfBand,
      state: `state ${times}`,
    })
    const headers = { cookie: `__Host-cartulary-portal=${String(times).padStart(43, 'x')}`, 'sec-fetch-site': 'none' }
    const answer = await portal.inject({ url: `/oauth2/authorize?${query}`, headers })
    length += answer.body.length
    expect([answer.statusCode, answer.headers['set-cookie']]).toEqual([200, undefined])
  }
  const showAll = async (): Promise<number> => {
    for (let times = 0; times < requests / rounds; times += 1) await show(times)
    return (await measureMemory()).heap * 2 ** 20
  }
  let last = await showAll()
  length = 0
  const growths: number[] = []
  for (let round = 1; round < rounds; round += 1) {
    const heap = await showAll()
    growths.push(heap - last)
    last = heap
  }
  // Half of what it would be if each request left its page in memory.
  expect(Math.min(...growths)).toBeLessThan(length / (rounds - 1) / 2)
  expect(count()).toEqual(before)
  expect(Object.values(before).some((rows) => Number(rows) > 0)).toBe(true)
})

test('nothing secret of a whole sign-in is in the log at level debug, in the metrics, the audit or the database', async () => {
  using folder = new Folder()
  const file = join(folder.path, 'cartulary.db')
  const environment = { DATABASE_URL: `file:${file}`, ADMIN_PASSWORD: adminPassword, LOG_LEVEL: 'debug' }
  await using server = await serve({ folder: folder.path, environment })
  const secrets = new Map<string, string>()
  const secret = (name: string, value: string): string => {
    expect(value.length).toBeGreaterThan(7)
    secrets.set(name, value)
    return value
  }
  const admin = secret('token', await server.signIn('admin', secret('password', adminPassword)))
  const asAdmin = { 'x-esri-authorization': `Bearer ${admin}` }
  const item = { title: 'Map of the coast', type: 'Application', text: '{}' }
  const { id: itemId } = await server.post('/content/users/admin/addItem', item, asAdmin)
  const redirectUri = 'https://app.example.com/signed-in'
  const registration = { itemId, appType: 'server', redirect_uris: [redirectUri] }
  const app: Body = await server.post('/oauth2/registerApp', registration, asAdmin)
  const { client_id } = app
  secret('client secret', app.client_secret)

  const { verifier, asked } = proofKey(secret('verifier', 'a-verifier-that-is-long-enough-for-any-proof-key'))
  const state = secret('state', 'a-state-that-only-the-app-knows')
  const query = formEncode({ client_id, redirect_uri: redirectUri, response_type: 'code', state, ...asked })
  const browser = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' }
  const page = await (await fetch(`${server.base}/oauth2/authorize?${query}`)).text()
  const oauth_state = secret('ticket', oauthInfoOf(page).oauth_state)
  const signIn = async (given: Record<string, string>, headers = {}) =>
    fetch(`${server.base}/oauth2/signin`, {
      method: 'POST',
      redirect: 'manual',
      headers: { ...browser, ...headers },
      body: formEncode({ oauth_state, ...given }),
    })
  await signIn({ username: 'admin', password: secret('wrong password', 'a wrong password of mine') })
  const signedIn = await signIn({ username: 'admin', password: adminPassword })
  const cookie = String(signedIn.headers.get('set-cookie')).split(';')[0]!
  secret('session', cookie.split('=')[1]!)
  const code = secret('code', new URL(signedIn.headers.get('location')!).searchParams.get('code')!)
  const own = { client_id, client_secret: app.client_secret, redirect_uri: redirectUri }
  const token = (type: string, given: Record<string, string>): Promise<Body> =>
    server.post('/oauth2/token', { grant_type: type, ...own, ...given })
  const spent = await signIn({ username: 'admin', password: adminPassword })
  await token('authorization_code', {
    code: secret('spent code', new URL(spent.headers.get('location')!).searchParams.get('code')!),
    code_verifier: secret('wrong verifier', 'w'.repeat(43)),
  })
  const first = await token('authorization_code', { code, code_verifier: verifier })
  await token('authorization_code', {
    code,
    code_verifier: verifier,
    client_secret: secret('wrong secret', 's'.repeat(43)),
  })
  const refreshed = await token('refresh_token', { refresh_token: first.refresh_token })
  const second = await token('exchange_refresh_token', { refresh_token: first.refresh_token })
  for (const [name, tokens] of Object.entries({ first, second })) {
    secret(`${name} access token`, tokens.access_token)
    secret(`${name} refresh token`, tokens.refresh_token)
  }
  secret('refreshed token', refreshed.access_token)
  await fetch(`${server.base}/community/self?token=${second.access_token}`)
  await signIn({ continue: 'true' }, { cookie })
  await fetch(`${server.base}/oauth2/token?code=${code}`, { method: 'POST' })
  await token('exchange_refresh_token', { refresh_token: first.refresh_token })
  await server.post('/oauth2/revokeToken', { auth_token: second.refresh_token })
  const history = await server.post('/portals/self/history', { all: true, num: '100' }, asAdmin)
  expect(JSON.stringify(history)).toContain('issueTokens')
  const metrics = await (await fetch(`${server.url}/metrics`)).text()
  expect(metrics).toContain('cartulary')
  await server.stop()
  const database = readFileSync(file, 'latin1')
  expect(server.out.split('\n').length).toBeGreaterThan(10)
  const places = { log: server.out, errors: server.err, audit: JSON.stringify(history), metrics, database }
  const found: string[] = []
  for (const [place, text] of Object.entries(places)) {
    for (const [name, value] of secrets) {
      for (const form of [value, encodeURIComponent(value)])
        if (text.includes(form)) found.push(`${name} in the ${place}`)
    }
  }
  expect(found).toEqual([])
  expect(secrets.size).toBe(17)
})
