import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readApplication } from '../../../src/http/application/application.ts'
import { ownSegments, rewriteToContext } from '../../../src/http/transport/context-path.ts'
import { buildApplication, builtFiles, script } from '../../support/portal/built-application.ts'
import { startPortal, type TestPortal } from '../../support/portal/portal.ts'
import { Folder } from '../../support/portal/process.ts'

type Headers = Readonly<Record<string, string>>

const ofBrowser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8' }
const assetPath = '/portal/assets/index-C3dDwjx9.js'
const pickerPath = '/portal/picker/cartulary-category-picker.js'
const directory = '/portal/sharing/rest'

let portal: TestPortal

beforeAll(async () => {
  portal = await startPortal({ findApplication: () => buildApplication() })
})
afterAll(() => portal[Symbol.asyncDispose]())

function get(url: string, headers: Headers = {}, method: 'GET' | 'HEAD' | 'POST' = 'GET') {
  return portal.server.app.inject({ method, url, headers })
}

function openAt(path: string, headers: Headers = {}): Promise<LightMyRequestResponse> {
  return get(path, { ...ofBrowser, ...headers })
}

describe('the page', () => {
  test.each([
    ['the root', '/portal/'],
    ['the root without a slash', '/portal'],
    ['the root behind a proxy that removes the path', '/'],
    ['a screen', '/portal/organization'],
    ['an address below a screen', '/portal/organization/schema/review?from=3'],
    ['a screen in capitals', '/portal/First-Run/'],
    ['a screen behind a proxy that removes the path', '/organization/schema'],
    ['a text that no encoding has', '/portal/organization/%zz'],
  ])('is at %s', async (_what, path) => {
    const answer = await openAt(path)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(answer.body).toBe(String(builtFiles['index.html']).replace('<base href="/">', '<base href="/portal/">'))
  })

  test('of a server on the same machine leads from an address to its own name', async () => {
    await using local = await startPortal({
      findApplication: () => buildApplication(),
      environment: { PUBLIC_URL: 'http://localhost:8080/portal' },
    })
    const path = '/portal/organization?q=a'
    const openBy = (name: string) => local.server.app.inject({ url: path, headers: { ...ofBrowser, host: name } })
    for (const host of ['127.0.0.1:8080', '[::1]:8080']) {
      const answer = await openBy(host)
      expect([answer.statusCode, answer.headers.location]).toEqual([302, `http://localhost:8080${path}`])
    }
    for (const other of ['localhost:8080', '127.0.0.1:8081', 'maps.example.com:8080', 'maps.example.com', 'a b']) {
      expect((await openBy(other)).headers).not.toHaveProperty('location')
    }
    expect((await openAt(path, { host: '127.0.0.1' })).statusCode).toBe(200)
  })

  test('has a policy that allows nothing inline and nothing of another origin', async () => {
    const { headers } = await openAt('/portal/')
    const policy = Object.fromEntries(
      String(headers['content-security-policy'])
        .split('; ')
        .map((directive) => directive.split(/ (.*)/s).slice(0, 2)),
    )
    expect(policy).toEqual({
      'default-src': "'none'",
      'script-src': "'self'",
      'style-src': "'self'",
      'img-src': "'self' data:",
      'font-src': "'self'",
      'connect-src': "'self'",
      'form-action': "'self'",
      'base-uri': "'self'",
      'frame-ancestors': "'none'",
      'require-trusted-types-for': "'script'",
      'trusted-types': 'lit-html cartulary',
    })
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': expect.stringContaining('camera=()'),
    })
    // The window of a sign-in would lose the page that has opened it.
    expect(headers['cross-origin-opener-policy']).toBe('same-origin')
  })

  test('is asked for each time, and sent only where it is another one', async () => {
    const first = await openAt('/portal/')
    expect(first.headers['cache-control']).toBe('no-cache')
    const tag = String(first.headers['etag'])
    expect(tag).toMatch(/^"[\w-]{22}"$/)
    for (const path of ['/portal/', '/portal/organization/schema']) {
      const again = await openAt(path, { 'if-none-match': `"another", ${tag}` })
      expect([again.statusCode, again.body, again.headers['etag']]).toEqual([304, '', tag])
      expect(again.headers['content-security-policy']).toBe(first.headers['content-security-policy'])
    }
    expect((await openAt('/portal/', { 'if-none-match': '"another"' })).statusCode).toBe(200)
  })

  test('has another tag where it has another address, and its picker is for every origin there too', async () => {
    await using elsewhere = await startPortal({
      environment: { PUBLIC_URL: 'https://maps.example.com', ALLOWED_ORIGINS: 'https://maps.example.com' },
      findApplication: () => buildApplication(),
    })
    const answer = await elsewhere.server.app.inject({ url: '/', headers: ofBrowser })
    expect(answer.body).toContain('<base href="/">')
    expect(answer.headers['etag']).not.toBe((await openAt('/portal/')).headers['etag'])
    const headers = { origin: 'https://elsewhere.example' }
    const picker = await elsewhere.server.app.inject({ url: pickerPath.replace('/portal', ''), headers })
    expect([picker.statusCode, picker.headers['access-control-allow-origin']]).toEqual([200, '*'])
  })

  test('says by HEAD what it says by GET, without the body', async () => {
    const { headers } = await openAt('/portal/')
    const answer = await get('/portal/', ofBrowser, 'HEAD')
    expect([answer.statusCode, answer.body]).toEqual([200, ''])
    for (const name of ['content-length', 'content-type', 'etag', 'cache-control', 'content-security-policy', 'vary']) {
      expect(answer.headers[name], name).toBe(headers[name])
    }
  })
})

describe('an address that is none', () => {
  test.each(['/portal/nowhere', '/portal/organisation/schema', '/nowhere', '/portal/x.html?a=b', '/portal/docs/none'])(
    'shows browsers the application, which says so: %s',
    async (path) => {
      const answer = await openAt(path)
      expect([answer.statusCode, answer.body]).toEqual([404, (await openAt('/portal/')).body])
      expect(answer.headers['content-security-policy']).toContain("default-src 'none'")
      expect(answer.headers['vary']).toContain('Accept')
      expect((await get(path)).json().error.code).toBe(404)
      expect((await get(path, ofBrowser, 'POST')).json().error.code).toBe(404)
    },
  )

  test.each(['/portal/portals/self', '/rest/community/self', '/portal/assets/none.js', '/health/x'])(
    'stays that of the API: %s',
    async (path) => {
      const answer = await openAt(path)
      expect(answer.statusCode).toBe(404)
      expect(answer.body).toContain('The API is at https://maps.example.com/portal/sharing/rest')
    },
  )
})

describe('a client that wants no HTML', () => {
  test.each([['/portal/'], ['/']])('is led from %s to the API, as before', async (path) => {
    for (const headers of [{}, { accept: 'application/json' }, { accept: '*/*' }]) {
      const answer = await get(path, headers)
      expect([answer.statusCode, answer.headers['location']]).toEqual([302, directory])
      expect(answer.headers['vary']).toContain('Accept')
    }
  })

  test('finds no path at a screen', async () => {
    const answer = await get('/portal/organization/schema')
    expect(answer.statusCode).toBe(404)
    expect(answer.json().error.code).toBe(404)
    expect(answer.headers['vary']).toContain('Accept')
  })

  test('is refused where it posts to one', async () => {
    expect((await get('/portal/organization', ofBrowser, 'POST')).statusCode).toBe(404)
  })
})

describe('an asset', () => {
  test('is kept for good, and by no other origin', async () => {
    const answer = await get(assetPath, { origin: 'https://elsewhere.example' })
    expect(answer.statusCode).toBe(200)
    expect(answer.body).toBe(script)
    expect(answer.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    })
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin')
  })

  test.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, deflate', 'gzip'],
    ['BR;q=0.1, gzip;q=1.0', 'br'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['br ; q=0.000 , gzip', 'gzip'],
    ['deflate', undefined],
    ['*', undefined],
    ['xbr, gzipped', undefined],
    ['', undefined],
  ])('for %j is sent in the encoding %s', async (accepted, encoding) => {
    const { headers, rawPayload } = await get(assetPath, { 'accept-encoding': accepted })
    expect(headers['content-encoding']).toBe(encoding)
    expect(headers['vary']).toBe('Accept-Encoding')
    expect(headers['content-length']).toBe(String(rawPayload.length))
    const decode = { br: brotliDecompressSync, gzip: gunzipSync }[encoding ?? ''] ?? ((bytes: Buffer) => bytes)
    expect(decode(rawPayload).toString()).toBe(script)
  })

  test('has a tag of its own in each encoding, which spares the body', async () => {
    const tags = []
    for (const accepted of ['br', 'gzip', '']) {
      const { headers } = await get(assetPath, { 'accept-encoding': accepted })
      const again = await get(assetPath, { 'accept-encoding': accepted, 'if-none-match': String(headers['etag']) })
      expect([again.statusCode, again.body]).toEqual([304, ''])
      expect(again.headers['vary']).toBe('Accept-Encoding')
      tags.push(headers['etag'])
    }
    expect(new Set(tags).size).toBe(3)
  })

  test('that is not smaller in any is sent as it is, to everyone alike', async () => {
    const { headers, body } = await get('/portal/assets/icon-YeodzRfT.svg', { 'accept-encoding': 'br, gzip' })
    expect(body).toBe(builtFiles['assets/icon-YeodzRfT.svg'])
    expect(headers['content-type']).toBe('image/svg+xml')
    expect(headers).not.toHaveProperty('vary')
    expect(headers).not.toHaveProperty('content-encoding')
  })

  test('is there behind a proxy that removes the path, and by HEAD', async () => {
    expect((await get('/assets/index-C3dDwjx9.js')).body).toBe(script)
    const answer = await get(assetPath, { 'accept-encoding': 'br' }, 'HEAD')
    expect([answer.statusCode, answer.body, answer.headers['content-encoding']]).toEqual([200, '', 'br'])
  })

  test.each([
    ['/portal/assets/index-C3dDwjx9.js.br'],
    ['/portal/assets/INDEX-C3dDwjx9.js'],
    ['/portal/assets/'],
    ['/portal/assets/index-00000000.js'],
    ['/portal/assets/..%2fbuilt.json'],
    ['/portal/assets/../built.json'],
    ['/portal/assets/%2e%2e/index.html'],
    ['/portal/assets/__proto__'],
    ['/portal/built.json'],
    ['/portal/index.html'],
  ])('is not at %s', async (path) => {
    const answer = await get(path, ofBrowser)
    expect(answer.statusCode).toBe(404)
    expect(answer.headers['cache-control']).toBe('no-store')
  })
})

describe('the documentation', () => {
  test.each([
    ['/portal/docs', 'Documentation'],
    ['/portal/docs/', 'Documentation'],
    ['/docs/decisions/0001-errors', 'Errors'],
  ])('is at %s, under the policy of the application', async (path, title) => {
    const { headers, body } = await get(path)
    expect(body).toBe(`<!doctype html><base href="/portal/"><title>${title}</title>`)
    const page = await openAt('/portal/')
    const names = ['content-type', 'cache-control', 'content-security-policy', 'permissions-policy', 'referrer-policy']
    for (const name of names) expect(headers[name], name).toBe(page.headers[name])
    expect((await get(path, { 'if-none-match': String(headers['etag']) })).statusCode).toBe(304)
  })
})

describe('the picker', () => {
  test('is loaded by pages of every origin, and asked for again after an hour', async () => {
    const { headers, body } = await get(pickerPath, { origin: 'https://elsewhere.example' })
    expect(body).toBe(script)
    expect(headers).toMatchObject({
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'public, max-age=3600',
      'content-type': 'text/javascript; charset=utf-8',
      'x-content-type-options': 'nosniff',
    })
    expect(headers).not.toHaveProperty('access-control-allow-credentials')
    const again = await get(pickerPath, { 'if-none-match': String(headers['etag']) })
    expect(again.statusCode).toBe(304)
    expect(again.headers['access-control-allow-origin']).toBe('*')
  })
})

describe('without the application', () => {
  let plain: TestPortal

  beforeAll(async () => {
    plain = await startPortal({ findApplication: () => undefined })
  })
  afterAll(() => plain[Symbol.asyncDispose]())

  test('browsers are led to the directory from the root, and find nothing else', async () => {
    const open = (url: string) => plain.server.app.inject({ url, headers: ofBrowser })
    for (const path of ['/portal/', '/', '/portal/home']) {
      expect((await open(path)).headers['location'], path).toBe(directory)
    }
    for (const path of ['/portal/organization', assetPath, pickerPath]) {
      expect((await open(path)).statusCode, path).toBe(404)
    }
  })

  test('the server has no address but those that no screen may have', () => {
    const routes = plain.server.app.printRoutes({ commonPrefix: false })
    const belowContext = [...routes.matchAll(/^(?:[│ ] {3}){2}[├└]── \/([^/ ]+)/gm)].map(([, segment]) => segment!)
    expect(belowContext).toEqual(expect.arrayContaining(['sharing', 'health', 'openapi.json', '.well-known']))
    expect(belowContext.filter((segment) => !ownSegments.includes(segment))).toEqual([])
  })

  test('a folder that has none is none', () => {
    using folder = new Folder()
    expect(readApplication(folder.path)).toBeUndefined()
  })
})

describe('an application is refused', () => {
  test.each(ownSegments)('whose screen would have the address of /%s', (segment) => {
    const screens = ['organization', segment.toUpperCase()]
    const build = () => buildApplication({ ...builtFiles, 'built.json': JSON.stringify({ screens }) })
    expect(build).toThrow(`the screen ${segment.toUpperCase()} has an address of the server itself.`)
  })

  test('whose page has no place for its address', async () => {
    const page = String(builtFiles['index.html']).replace('<base href="/">', '<base href="./">')
    const starting = startPortal({ findApplication: () => buildApplication({ ...builtFiles, 'index.html': page }) })
    await expect(starting).rejects.toThrow('The page of the application has to have <base href="/"> once.')
  })
})

test('home leads browsers to the application', async () => {
  expect((await openAt('/portal/home')).headers['location']).toBe('/portal/')
  expect((await openAt('/portal/sharing')).headers['location']).toBe(directory)
  expect((await get('/portal/home')).statusCode).toBe(404)
})

describe('a path of the application', () => {
  test.each([
    ['/portal', '/organization/schema', '/portal/organization/schema'],
    ['/portal', '/portal/organization', '/portal/organization'],
    ['/portal', '/organizations', '/organizations'],
    // A context that has the name of a screen.
    ['/organization', '/organization', '/organization'],
    ['/organization', '/organization/', '/organization/'],
    ['/organization', '/organization?code=1', '/organization?code=1'],
    ['/organization', '/organization/schema', '/organization/organization/schema'],
    ['/organization', '/organization/organization', '/organization/organization'],
    ['', '/organization', '/organization'],
  ])('under %s, to %s is served at %s', (context, url, served) => {
    expect(rewriteToContext(`https://maps.example.com${context}`, ['organization'])(url)).toBe(served)
  })
})

test('the log and the metrics name what was asked for, and no file', async () => {
  const lines: string[] = []
  await using logged = await startPortal({
    environment: { LOG_LEVEL: 'debug' },
    findApplication: () => buildApplication(),
    logLines: { write: (line) => void lines.push(line) },
  })
  for (const url of ['/portal/', '/portal/organization/a', assetPath, pickerPath, '/portal/assets/none']) {
    await logged.server.app.inject({ url, headers: ofBrowser })
  }
  const requests = lines.map((line) => JSON.parse(line)).filter(({ message }) => message === 'request')
  expect(requests.map(({ operation, level, outcome }) => [operation, level, outcome])).toEqual([
    ['application', 'debug', 200],
    ['application', 'debug', 200],
    ['asset', 'debug', 200],
    ['picker', 'debug', 200],
    [undefined, 'warn', 404],
  ])
  const { body } = await logged.server.app.inject('/portal/metrics')
  const counted = [...body.matchAll(/^cartulary_requests_total\{(.*)\} (\d+)$/gm)].map(([, labels, count]) => [
    labels,
    count,
  ])
  expect(counted).toEqual([
    ['operation="application",outcome="200"', '2'],
    ['operation="asset",outcome="200"', '1'],
    ['operation="picker",outcome="200"', '1'],
    ['operation="none",outcome="404"', '1'],
  ])
})
