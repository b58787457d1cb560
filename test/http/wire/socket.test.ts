import { describe, expect, test } from 'vitest'
import { exchange, type RawAnswer, requestText } from '../../support/faults/socket.ts'
import { hostCollaboration } from '../../support/portal/collaboration-host.ts'
import { adminPassword, formEncode, startPortal, type TestPortal } from '../../support/portal/portal.ts'

/** A portal that listens on a free port, without a context. */
async function startListening(): Promise<TestPortal & { readonly url: string }> {
  const portal = await startPortal({ environment: { PUBLIC_URL: '', PORT: '0' } })
  return Object.assign(portal, { url: await portal.server.listen() })
}

const urlencoded = { 'Content-Type': 'application/x-www-form-urlencoded' }

function postText(path: string, body: string, headers: Readonly<Record<string, string>> = urlencoded): string {
  return requestText(`POST ${path}`, { 'Content-Length': String(Buffer.byteLength(body)), ...headers }, body)
}

/** The length is sent beforehand, and nothing is chunked: a client reads chunked errors differently. */
function expectLength({ headers, body }: RawAnswer): void {
  expect(headers).not.toHaveProperty('transfer-encoding')
  expect(headers['content-length']).toBe(String(Buffer.byteLength(body)))
}

describe('an answer has its length before it:', () => {
  test.each([
    ['JSON', '/sharing/rest?f=json', 200],
    ['indented JSON', '/sharing/rest?f=pjson', 200],
    ['a page', '/sharing/rest?f=html', 200],
    ['an error', '/sharing/rest/nothing?f=json', 200],
    ['an indented error', '/sharing/rest/nothing?f=pjson', 200],
    ['an error on a page', '/sharing/rest/nothing?f=html', 200],
    ['an error outside the API', '/nothing', 404],
    ['the state of the process', '/health/live', 200],
    ['the state of the database', '/health/ready', 200],
    ['the OpenAPI document', '/openapi.json', 200],
  ])('%s', async (_what, path, status) => {
    await using portal = await startListening()
    const answer = await exchange(portal.url, requestText(`GET ${path}`))
    expect(answer.status).toBe(status)
    expectLength(answer)
    expect(answer.body.length).toBeGreaterThan(0)
  })

  test('a token, and a text of several bytes for a character', async () => {
    await using portal = await startListening()
    const credentials = formEncode({ username: 'admin', password: adminPassword })
    const signedIn = await exchange(portal.url, postText('/sharing/rest/generateToken', credentials))
    expectLength(signedIn)
    const { token } = JSON.parse(signedIn.body)
    const form = formEncode({ title: 'Città 🌍', token })
    const created = await exchange(portal.url, postText('/sharing/rest/community/createGroup', form))
    expect(JSON.parse(created.body).group.title).toBe('Città 🌍')
    expectLength(created)
  })

  test('a file', async () => {
    await using portal = await startListening()
    const host = await hostCollaboration(portal)
    const form = formEncode({ token: host.client.token, ...host.wish() })
    const answer = await exchange(portal.url, postText(`/sharing/rest${host.path}/inviteParticipant`, form))
    expect(answer.headers['content-disposition']).toContain('attachment')
    expectLength(answer)
  })

  test('nothing, for HEAD and for a preflight', async () => {
    await using portal = await startListening()
    const head = await exchange(portal.url, requestText('HEAD /sharing/rest'))
    expect(head.headers).not.toHaveProperty('transfer-encoding')
    expect(Number(head.headers['content-length'])).toBeGreaterThan(0)
    expect(head.body).toBe('')
    const preflight = { Origin: 'https://app.example.com', 'Access-Control-Request-Method': 'POST' }
    const options = await exchange(portal.url, requestText('OPTIONS /sharing/rest', preflight))
    expect(options.status).toBe(204)
    expect(options.headers).not.toHaveProperty('transfer-encoding')
  })
})

describe('HTTP', () => {
  test.each([
    ['no request at all', 'hello\r\n\r\n'],
    ['an unknown method', 'FOO /sharing/rest HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['an unknown version', 'GET /sharing/rest HTTP/9.9\r\nHost: x\r\n\r\n'],
    ['a header with a space in its name', 'GET /sharing/rest HTTP/1.1\r\nHost: x\r\nA b: c\r\n\r\n'],
    ['a NUL in a header', 'GET /sharing/rest HTTP/1.1\r\nHost: x\r\nA: \0\r\n\r\n'],
    ['two lengths', 'POST /sharing/rest HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\na'],
    ['a length that is none', 'POST /sharing/rest HTTP/1.1\r\nHost: x\r\nContent-Length: ten\r\n\r\n'],
    [
      'a length and chunks',
      'POST /sharing/rest HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['no host', 'GET /sharing/rest HTTP/1.1\r\nConnection: close\r\n\r\n'],
  ])('that is malformed by %s is HTTP 400 with the envelope', async (_what, text) => {
    await using portal = await startListening()
    const answer = await exchange(portal.url, text)
    expect(answer.status).toBe(400)
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    expectLength(answer)
    expect(JSON.parse(answer.body)).toEqual({
      error: { code: 400, message: expect.stringMatching(/^The request .*\.$/), details: [] },
    })
  })

  test('whose chunks are broken is HTTP 400', async () => {
    await using portal = await startListening()
    const headers = { ...urlencoded, 'Transfer-Encoding': 'chunked' }
    const answer = await exchange(portal.url, requestText('POST /sharing/rest', headers, 'zz\r\nf=json\r\n0\r\n\r\n'))
    expect(answer.status).toBe(400)
  })

  test('in chunks is understood', async () => {
    await using portal = await startListening()
    const headers = { ...urlencoded, 'Transfer-Encoding': 'chunked' }
    const body = '3\r\nf=p\r\n4\r\njson\r\n0\r\n\r\n'
    const answer = await exchange(portal.url, requestText('POST /sharing/rest', headers, body))
    expect(answer.body).toContain('\n  "currentVersion"')
  })

  test('1.0 needs no host', async () => {
    await using portal = await startListening()
    const answer = await exchange(portal.url, 'GET /sharing/rest HTTP/1.0\r\n\r\n')
    expect(JSON.parse(answer.body)).toHaveProperty('currentVersion')
    expectLength(answer)
  })

  test('with the whole URL in its first line is understood', async () => {
    await using portal = await startListening()
    const answer = await exchange(portal.url, requestText('GET http://localhost/sharing/rest?f=pjson'))
    expect(answer.body).toContain('\n  "currentVersion"')
  })

  test.each(['100-continue', '100-Continue'])('that expects %s is answered', async (expectation) => {
    await using portal = await startListening()
    const text = postText('/sharing/rest', 'f=json', { ...urlencoded, Expect: expectation })
    const answer = await exchange(portal.url, text)
    expect(answer.status).toBe(100)
    expect(answer.body).toMatch(/^HTTP\/1\.1 200/)
  })

  test.each(['nonsense', ''])('that expects "%s" is refused', async (expectation) => {
    await using portal = await startListening()
    const text = postText('/sharing/rest', 'f=json', { ...urlencoded, Expect: expectation })
    const { status, body } = await exchange(portal.url, text)
    expect(status).toBe(417)
    const message = 'The request has an Expect other than 100-continue.'
    expect(JSON.parse(body)).toEqual({ error: { code: 417, message, details: [] } })
  })

  test('of several requests on one connection is answered in their order', async () => {
    await using portal = await startListening()
    const keep = { Connection: 'keep-alive' }
    const answer = await exchange(
      portal.url,
      requestText('GET /sharing/rest/community/self', keep),
      requestText('GET /sharing/rest', keep),
      requestText('GET /sharing/rest/nothing'),
    )
    const codes = [answer.body, ...answer.body.split('\r\n\r\n').slice(1)].map((part) => /\{.*\}/.exec(part)?.[0] ?? '')
    expect(codes[0]).toContain('499')
    expect(codes.slice(1).join()).toMatch(/currentVersion.*404/s)
  })
})
