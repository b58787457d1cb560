import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rewriteToContext } from '../../../src/http/transport/context-path.ts'
import { startPortal, type TestPortal } from '../../support/portal/portal.ts'

describe('a request', () => {
  test.each([
    ['/portal', '/portal/sharing/rest/info?f=json', '/portal/sharing/rest/info?f=json'],
    ['/portal', '/sharing/rest/info?f=json', '/portal/sharing/rest/info?f=json'],
    ['/portal', '//Sharing//REST', '/portal//Sharing//REST'],
    ['/portal', '/sharing/oauth2/authorize?x', '/portal/sharing/rest/oauth2/authorize?x'],
    ['/portal', '/sharing/restless', '/portal/sharing/rest/restless'],
    ['/portal', '/portal//Sharing//generateToken?f=json', '/portal/sharing/rest/generateToken?f=json'],
    ['/portal', '/portal/sharing//rest/search', '/portal/sharing//rest/search'],
    ['/portal', '/portal/sharing/?f=json', '/portal/sharing/?f=json'],
    ['/portal', '/sharing', '/sharing'],
    ['/portal', '/elsewhere/sharing/search', '/elsewhere/sharing/search'],
    [
      '/portal',
      '/.well-known/oauth-authorization-server/portal',
      '/portal/.well-known/oauth-authorization-server/portal',
    ],
    ['/portal', '/openapi.json', '/portal/openapi.json'],
    ['/portal', '/openapi_json', '/openapi_json'],
    ['/portal', '/health/live', '/portal/health/live'],
    ['/portal', '/metrics?', '/portal/metrics?'],
    ['/portal', '/directory/page.css', '/portal/directory/page.css'],
    ['/portal', '/portaladmin/x?f=json', '/portal/sharing/rest/portaladmin/x?f=json'],
    ['/portal', '/Portal//PortalAdmin', '/portal/sharing/rest/portaladmin'],
    ['/portal', '/portal/portal/sharing/rest', '/portal/portal/sharing/rest'],
    ['/portal', '/', '/'],
    ['/gis/portal', '/gis//portal/health/live', '/gis//portal/health/live'],
    ['/gis/portal', '/portal/health/live', '/portal/health/live'],
    // Context paths that equal paths below them.
    ['/sharing', '/sharing/rest/info', '/sharing/sharing/rest/info'],
    ['/sharing', '/sharing/sharing/rest/info', '/sharing/sharing/rest/info'],
    ['/sharing', '/sharing/health/live', '/sharing/health/live'],
    ['/sharing', '/sharing/search', '/sharing/sharing/rest/search'],
    ['/sharing/rest', '/sharing/rest', '/sharing/rest/sharing/rest'],
    ['/sharing/rest', '/sharing/rest/sharing/rest/info', '/sharing/rest/sharing/rest/info'],
    ['/health', '/health/live', '/health/health/live'],
    ['/a.b', '/aXb/health/live', '/aXb/health/live'],
    ['', '/sharing/rest', '/sharing/rest'],
    ['', '/sharing/search?q=x', '/sharing/rest/search?q=x'],
    ['', '/portaladmin', '/sharing/rest/portaladmin'],
  ])('under %s, to %s is served at %s', (context, url, served) => {
    expect(rewriteToContext(`https://maps.example.com${context}`)(url)).toBe(served)
  })
})

/** Every address on a page or in an answer that is on the server itself. */
function addressesIn(text: string): readonly string[] {
  const found = text.matchAll(/(?:href|src|action)="([^"]+)"/g)
  return [...new Set([...found].map(([, address]) => address!.replaceAll('&amp;', '&')))].filter((address) =>
    address.startsWith('/'),
  )
}

describe.each(['/gis/portal', ''])('a server under the path "%s"', (context) => {
  const publicUrl = `https://maps.example.com${context}`
  let portal: TestPortal

  beforeAll(async () => {
    portal = await startPortal({ environment: { PUBLIC_URL: publicUrl } })
  })
  afterAll(() => portal[Symbol.asyncDispose]())

  test('links to nothing outside of it, and to nothing that it does not serve, behind either kind of proxy', async () => {
    const { app } = portal.server
    const { token } = await portal.admin()
    const headers = { authorization: `Bearer ${token}` }
    const pages = ['', '/portals/self', '/generateToken']
    const addresses = new Set([`${context}/`, `${context}/openapi.json`])
    for (const page of pages) {
      const { body } = await app.inject({ url: `${context}/sharing/rest${page}?f=html`, headers })
      const found = addressesIn(body)
      expect(found).toContain(`${context}/openapi.json`)
      for (const address of found) addresses.add(address)
    }
    expect(addresses.size).toBeGreaterThan(20)
    for (const address of addresses) {
      expect(address.startsWith(`${context}/`), address).toBe(true)
      for (const sent of [address, address.slice(context.length)]) {
        const { statusCode, headers: answered } = await app.inject({ url: sent, headers })
        expect([200, 302], sent).toContain(statusCode)
        if (statusCode === 302) expect(answered['location']).toBe(`${context}/sharing/rest`)
      }
    }
  })

  test('names its public address in what it describes', async () => {
    for (const url of new Set([`${context}/openapi.json`, '/openapi.json'])) {
      const { servers } = (await portal.server.app.inject(url)).json()
      expect(servers).toEqual([{ url: `${publicUrl}/sharing/rest` }])
    }
  })
})
