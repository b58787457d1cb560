import { exchange, requestText } from '../../support/faults/socket.ts'
import { startPortal, type TestPortal } from '../../support/portal/portal.ts'
import { describe, expect, test } from '../../support/portal/test.ts'

async function startListening(publicUrl = ''): Promise<TestPortal & { readonly url: string }> {
  const portal = await startPortal({ environment: { PUBLIC_URL: publicUrl, PORT: '0' } })
  return Object.assign(portal, { url: await portal.server.listen() })
}

const severalHosts = 'The request has more than one Host header.'
const noHttp = 'The request is not HTTP/1.1 or HTTP/1.0.'
const otherHost = 'The request is for another host.'
const line = 'GET /sharing/rest?f=json'

describe('a request that servers understand differently is refused with its connection:', () => {
  test.each([
    ['two hosts', `${line} HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n`, severalHosts],
    ['the same host twice', `${line} HTTP/1.1\r\nHost: a\r\nhOST: a\r\n\r\n`, severalHosts],
    ['two hosts in HTTP/1.0', `${line} HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n`, severalHosts],
    ['an empty host', `${line} HTTP/1.1\r\nHost:\r\n\r\n`, 'The request has an empty Host header.'],
    ['no host', `${line} HTTP/1.1\r\nX: y\r\n\r\n`, 'The request has no Host header.'],
    ['no version', `${line}\r\n\r\n`, noHttp],
    ['HTTP/0.9', `${line} HTTP/0.9\r\nHost: a\r\n\r\n`, noHttp],
    ['HTTP/2.0', `${line} HTTP/2.0\r\nHost: a\r\n\r\n`, noHttp],
    ['another host in its target', requestText('GET http://other.example.com/sharing/rest'), otherHost],
    ['another port in its target', requestText('GET http://localhost:81/sharing/rest'), otherHost],
    [
      'another host in its target, without a Host header',
      'GET http://other.example.com/sharing/rest HTTP/1.0\r\n\r\n',
      otherHost,
    ],
    [
      'chunks in HTTP/1.0',
      'POST /sharing/rest HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n6\r\nf=json\r\n0\r\n\r\n',
      'The request is HTTP/1.0 with Transfer-Encoding.',
    ],
    [
      'another coding than chunks',
      'POST /sharing/rest HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n6\r\nf=json\r\n0\r\n\r\n',
      'The request has a Transfer-Encoding other than chunked.',
    ],
    ['a user in its target', requestText('GET http://localhost@localhost/sharing/rest'), otherHost],
  ])('%s', async (_what, text, message) => {
    await using portal = await startListening()
    const { status, headers, body } = await exchange(portal.url, text)
    expect(status).toBe(400)
    expect(headers).toMatchObject({ connection: 'close', 'content-type': 'application/json; charset=utf-8' })
    expect(JSON.parse(body)).toEqual({ error: { code: 400, message, details: [] } })
  })

  test('what follows on the connection is not executed', async () => {
    await using portal = await startListening()
    const { token } = await portal.admin()
    const body = `title=Maps&token=${token}`
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded', 'Content-Length': String(body.length) }
    const create = requestText('POST /sharing/rest/community/createGroup', headers, body)
    const answer = await exchange(portal.url, `${line} HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n${create}`)
    expect(answer.body).not.toContain('HTTP/1.1')
    expect(await portal.anonymous.get('/community/groups', { token, q: 'Maps' })).toMatchObject({ total: 0 })
  })
})

describe('a target with a host is answered if it is', () => {
  test.each([
    ['that of the Host header', 'http://localhost', 'localhost'],
    ['that of the Host header in other letters and with the default port', 'http://LOCALHOST:80', 'localhost'],
    ['that of PUBLIC_URL', 'https://maps.example.com', 'cartulary:8080'],
  ])('%s', async (_what, origin, host) => {
    await using portal = await startListening('https://maps.example.com')
    const answer = await exchange(portal.url, requestText(`GET ${origin}/sharing/rest?f=json`, { Host: host }))
    expect(JSON.parse(answer.body)).toHaveProperty('currentVersion')
  })
})

describe('a body that is encoded', () => {
  test.for(['gzip', 'br', 'deflate, gzip', 'unknown', ''])(
    'as "%s" is HTTP 415 with the envelope',
    async (encoding, { portal }) => {
      const response = await portal.inject({
        method: 'POST',
        url: '/portals/self',
        headers: { 'content-encoding': encoding, 'content-type': 'application/x-www-form-urlencoded' },
        payload: Buffer.from('1f8b08', 'hex'),
      })
      expect(response.statusCode).toBe(415)
      expect(response.json()).toEqual({
        error: { code: 415, message: 'The request has a Content-Encoding; send the body as it is.', details: [] },
      })
    },
  )

  test('as nothing else, identity, is read', async ({ portal }) => {
    const headers = { 'content-encoding': 'Identity', 'content-type': 'application/x-www-form-urlencoded' }
    const response = await portal.inject({ method: 'POST', url: '/', headers, payload: 'f=pjson' })
    expect(response.body).toContain('\n  "currentVersion"')
  })
})

describe('a document in', () => {
  const send = (portal: TestPortal, contentType: string) =>
    portal.inject({
      method: 'POST',
      url: '/portals/self/assignCategorySchema',
      headers: { 'content-type': contentType },
      payload: '{"categorySchema":[{"title":"Water"}]}',
    })

  test.for([
    'application/json; charset=utf-16',
    'Application/JSON;CHARSET="UTF-16LE"',
    'application/json; profile=x ; charset = iso-8859-1',
    'application/json; charset=utf-8; charset=utf-16',
    'text/plain;charset=windows-1252',
    "application/json; charset='utf-7'",
    'application/json; charset=',
  ])('%s is HTTP 415', async (contentType, { portal }) => {
    const response = await send(portal, contentType)
    expect(response.statusCode).toBe(415)
    expect(response.json()).toEqual({
      error: {
        code: 415,
        message: 'The Content-Type names another charset than UTF-8; send the body in UTF-8.',
        details: [],
      },
    })
  })

  test.for([
    'application/json',
    'application/json; charset=UTF-8',
    'text/plain;charset="utf-8"',
    'application/json; charset=us-ascii',
    'application/x-www-form-urlencoded; charset=ISO-8859-1',
  ])('%s is read', async (contentType, { portal }) => {
    expect((await send(portal, contentType)).json()).toMatchObject({ error: { code: 499 } })
  })
})
