import { expect, test } from 'vitest'
import { openSessionCookie } from '../../../src/http/sign-in/session-cookie.ts'
import { oauthInfoOf, outOfBand } from '../../support/portal/oauth.ts'
import { adminPassword, formEncode, startPortal } from '../../support/portal/portal.ts'

function nameOf(publicUrl: string): string | undefined {
  const path = new URL(publicUrl).pathname.replace(/\/$/, '')
  return openSessionCookie(publicUrl, path).write('token')?.split('=', 1)[0]
}

test.each([
  ['https://maps.example.com', '__Host-cartulary'],
  ['https://maps.example.com/portal', '__Host-cartulary-portal'],
  ['http://localhost:7080', '__Host-cartulary_7080'],
  ['http://localhost:7081', '__Host-cartulary_7081'],
  ['https://maps.example.com:7443/portal', '__Host-cartulary_7443-portal'],
  ['https://maps.example.com/7443', '__Host-cartulary-7443'],
  ['https://maps.example.com/gis-portal', '__Host-cartulary-gis-portal'],
  ['https://maps.example.com/gis/portal', '__Host-cartulary-gis!portal'],
  ['https://maps.example.com/gis.portal', '__Host-cartulary-gis+portal'],
])('the cookie of %s is %s', (publicUrl, name) => {
  expect(nameOf(publicUrl)).toBe(name)
})

test('servers of one host at other ports do not end each other’s sessions', () => {
  const [one, other] = ['http://localhost:7080', 'http://localhost:7081'].map((url) => openSessionCookie(url, ''))
  const cookie = [one!.write('first'), other!.write('second')].map((set) => set!.split(';')[0]).join('; ')
  expect([one!.read({ cookie }), other!.read({ cookie })]).toEqual(['first', 'second'])
})

test('a cookie whose name only begins as its own is another server’s', () => {
  const [one, other] = ['https://a.example', 'https://a.example:7443'].map((url) => openSessionCookie(url, ''))
  const cookie = [other!.write('second'), one!.write('first')].map((set) => set!.split(';')[0]).join('; ')
  expect(one!.read({ cookie })).toBe('first')
})

/** The name of the cookie that a server sets at a sign-in, on a port that the system chooses. */
async function cookieOnFreePort(): Promise<readonly [port: string, name: string | undefined]> {
  await using portal = await startPortal({
    environment: { PORT: '0', DATABASE_URL: 'file::memory:' },
    config: { publicUrl: undefined },
  })
  await portal.server.listen()
  const root = portal.server.publicUrl()
  const asked = formEncode({ client_id: 'arcgisonline', response_type: 'code', redirect_uri: outOfBand })
  const page = await fetch(`${root}/sharing/rest/oauth2/authorize?${asked}`)
  const { oauth_state } = oauthInfoOf(await page.text())
  const answer = await fetch(`${root}/sharing/rest/oauth2/signin`, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin', origin: root },
    body: new URLSearchParams({ oauth_state, username: 'admin', password: adminPassword }),
  })
  return [new URL(root).port, answer.headers.get('set-cookie')?.split('=', 1)[0]]
}

test('servers on ports that the system chose have cookies of these ports', async () => {
  const cookies = await Promise.all([cookieOnFreePort(), cookieOnFreePort()])
  for (const [port, name] of cookies) expect(name).toBe(`__Host-cartulary_${port}`)
  expect(new Set(cookies.map(([, name]) => name)).size).toBe(2)
})
