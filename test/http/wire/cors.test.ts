import { startPortal, type TestPortal } from '../../support/portal/portal.ts'
import { describe, expect, test } from '../../support/portal/test.ts'

const origin = 'https://app.example.com'
const granted = { 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true' }
const oneOrigin = { environment: { ALLOWED_ORIGINS: `https://other.example.com, ${origin}` } }

function preflight(portal: TestPortal, url: string, from = origin) {
  return portal.inject({
    method: 'OPTIONS',
    url,
    headers: {
      origin: from,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'x-esri-authorization,content-type',
    },
  })
}

/** Names of the headers that grant a page access in a browser. */
function grants(headers: object): readonly string[] {
  return Object.keys(headers).filter((name) => name.startsWith('access-control-'))
}

describe('by default', () => {
  test.each([origin, 'http://localhost:3000', 'null'])('the origin %s is echoed, with credentials', async (from) => {
    await using portal = await startPortal()
    const { headers } = await portal.inject({ url: '/', headers: { origin: from } })
    expect(headers['access-control-allow-origin']).toBe(from)
    expect(headers['access-control-allow-credentials']).toBe('true')
    expect(headers.vary).toMatch(/\bOrigin\b/i)
  })

  test('an answer to a request without an origin names none, and never all of them', async ({ portal }) => {
    const { headers } = await portal.inject({ url: '/' })
    expect(headers).not.toHaveProperty('access-control-allow-origin')
    expect(headers.vary).toMatch(/\bOrigin\b/i)
  })

  test.each(['/portals/self', '/community/createGroup', '/nothing'])('a preflight for %s is answered', async (url) => {
    await using portal = await startPortal()
    const response = await preflight(portal, url)
    expect(response.statusCode).toBe(204)
    expect(response.body).toBe('')
    expect(response.headers).toMatchObject(granted)
    expect(response.headers['access-control-allow-methods']).toBe('GET, POST')
    const allowed = String(response.headers['access-control-allow-headers']).toLowerCase().split(', ')
    expect(allowed).toEqual(expect.arrayContaining(['authorization', 'content-type', 'x-esri-authorization']))
  })

  test('an answer shows a page the name of a file, the time to wait and the request id', async ({ portal }) => {
    const { headers } = await portal.inject({ url: '/', headers: { origin } })
    expect(headers['access-control-expose-headers']).toBe(
      'Content-Disposition, ETag, Retry-After, X-Next-Key, X-Request-Id',
    )
  })

  test.for([
    ['an unknown path', '/nothing'],
    ['a path that cannot be decoded', '/%zz'],
    ['a missing token', '/community/self'],
    ['a wrong token', '/community/self?token=wrong'],
    ['an unknown format', '/?f=xml'],
    ['another method', '/generateToken'],
  ] as const)('the error of %s is readable for a page', async ([_what, url], { portal }) => {
    const response = await portal.inject({ url, headers: { origin } })
    expect(response.json()).toHaveProperty('error')
    expect(response.headers).toMatchObject(granted)
  })

  test('the error of a body that is too large is readable for a page', async ({ portal }) => {
    const payload = Buffer.alloc(1024 * 1024 + 1)
    const headers = { origin, 'content-type': 'application/x-www-form-urlencoded' }
    const response = await portal.inject({ method: 'POST', url: '/', headers, payload })
    expect(response.statusCode).toBe(413)
    expect(response.headers).toMatchObject(granted)
  })

  test.for([
    ['/health/live', 200],
    ['/health/ready', 200],
    ['/metrics', 200],
    ['/health', 404],
    ['/nothing', 404],
    ['/sharing', 404],
  ] as const)('%s is readable for no page of another origin', async ([url, code], { portal }) => {
    const { statusCode, headers } = await portal.server.app.inject({ url, headers: { origin } })
    expect([statusCode, grants(headers)]).toEqual([code, []])
  })

  test('a page that is shown to a browser is no more open than the API', async ({ portal }) => {
    const { headers } = await portal.inject({ url: '/?f=html' })
    expect(headers['content-security-policy']).toContain("default-src 'none'")
    expect(headers).toMatchObject({ 'x-frame-options': 'DENY', 'x-content-type-options': 'nosniff' })
  })
})

describe('with ALLOWED_ORIGINS', () => {
  test('an origin of the list is echoed', async () => {
    await using portal = await startPortal(oneOrigin)
    const { headers } = await portal.inject({ url: '/', headers: { origin } })
    expect(headers).toMatchObject(granted)
    expect((await preflight(portal, '/portals/self')).headers).toMatchObject(granted)
  })

  test.each(['https://evil.example.com', 'null', `${origin}.evil.example.com`, 'http://app.example.com', '*'])(
    'the origin %s gets no grant at all',
    async (from) => {
      await using portal = await startPortal(oneOrigin)
      const response = await portal.inject({ url: '/', headers: { origin: from } })
      expect(response.json()).toHaveProperty('currentVersion')
      expect(grants(response.headers)).toEqual([])
      expect(response.headers.vary).toMatch(/\bOrigin\b/i)
      expect(grants((await preflight(portal, '/portals/self', from)).headers)).toEqual([])
    },
  )

  test('a caller that is no page is served', async () => {
    await using portal = await startPortal(oneOrigin)
    const response = await portal.inject({ url: '/' })
    expect(response.json()).toHaveProperty('currentVersion')
    expect(grants(response.headers)).toEqual([])
  })
})
