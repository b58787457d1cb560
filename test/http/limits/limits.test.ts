import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { exchange, requestText } from '../../support/faults/socket.ts'
import { formEncode, startPortal, type TestPortal } from '../../support/portal/portal.ts'
import { until } from '../../support/until.ts'

const urlencoded = { 'Content-Type': 'application/x-www-form-urlencoded' }
const mebibyte = 1024 * 1024
const tooLarge = {
  error: { code: 413, message: 'The request body is too large.', details: ['At most 1048576 bytes are allowed.'] },
}

async function startListening(): Promise<TestPortal & { readonly url: string }> {
  const portal = await startPortal({ environment: { PUBLIC_URL: '', PORT: '0' } })
  return Object.assign(portal, { url: await portal.server.listen() })
}

/** A form of exactly so many bytes. */
function formOf(bytes: number): string {
  return `f=json&filler=${'x'.repeat(bytes - 'f=json&filler='.length)}`
}

function chunked(body: string): string {
  const chunks: string[] = []
  for (let at = 0; at < body.length; at += 60_000) {
    const chunk = body.slice(at, at + 60_000)
    chunks.push(`${chunk.length.toString(16)}\r\n${chunk}\r\n`)
  }
  return `${chunks.join('')}0\r\n\r\n`
}

describe('request line and headers', () => {
  test('of nearly 256 KiB are accepted, as a query and as a header', async () => {
    await using portal = await startListening()
    const filler = 'x'.repeat(255 * 1024)
    const query = await exchange(portal.url, requestText(`GET /sharing/rest?f=json&filler=${filler}`))
    expect(JSON.parse(query.body)).toHaveProperty('currentVersion')
    const header = await exchange(portal.url, requestText('GET /sharing/rest', { 'X-Filler': filler }))
    expect(JSON.parse(header.body)).toHaveProperty('currentVersion')
  })

  test('carry a whole category schema in the query of a POST without body and Content-Type', async () => {
    await using portal = await startListening()
    const { token } = await portal.admin()
    const description = 'ü'.repeat(150)
    const categories = Array.from({ length: 199 }, (_, at) => ({ title: `Category ${at}`, description }))
    const query = formEncode({ token, categorySchema: { categorySchema: [{ title: 'All', categories }] } })
    expect(query.length).toBeGreaterThan(180 * 1024)
    const text = requestText(`POST /sharing/rest/portals/self/assignCategorySchema?${query}`)
    expect((await exchange(portal.url, text)).body).toBe('{"success":true}')
  })

  test.each([256, 1024, 5000])('of more than 256 KiB, %i KiB, are HTTP 431 with the envelope', async (kibibytes) => {
    await using portal = await startListening()
    const filler = 'x'.repeat(kibibytes * 1024)
    for (const text of [requestText(`GET /?${filler}`), requestText('GET /', { 'X-Filler': filler })]) {
      const { status, headers, body } = await exchange(portal.url, text)
      expect(status).toBe(431)
      expect(headers['content-length']).toBe(String(body.length))
      expect(JSON.parse(body)).toEqual({
        error: { code: 431, message: 'The request cannot be read.', details: [] },
      })
    }
  })
})

describe('a body', () => {
  /** A form, of an announced length or in chunks. */
  const ways: readonly (readonly [string, (form: string) => string])[] = [
    ['', (form) => requestText('POST /sharing/rest', { ...urlencoded, 'Content-Length': String(form.length) }, form)],
    [
      ' in chunks',
      (form) => requestText('POST /sharing/rest', { ...urlencoded, 'Transfer-Encoding': 'chunked' }, chunked(form)),
    ],
  ]

  test.each(ways)(
    'of 1 MiB%s is accepted, and of one byte or 4 MiB more HTTP 413 with the envelope',
    async (_way, send) => {
      await using portal = await startListening()
      const accepted = await exchange(portal.url, send(formOf(mebibyte)))
      expect(JSON.parse(accepted.body)).toHaveProperty('currentVersion')
      for (const excess of [1, 4 * mebibyte]) {
        const answer = await exchange(portal.url, send(formOf(mebibyte + excess)))
        expect(answer.status).toBe(413)
        expect(JSON.parse(answer.body)).toEqual(tooLarge)
        expect(answer.headers['content-length']).toBe(String(answer.body.length))
      }
    },
  )

  test('that is too large is refused in the format of the query', async () => {
    await using portal = await startListening()
    const body = formOf(mebibyte + 1)
    const headers = { ...urlencoded, 'Content-Length': String(body.length) }
    const pretty = await exchange(portal.url, requestText('POST /sharing/rest?f=pjson', headers, body))
    expect(pretty.body).toBe(JSON.stringify(tooLarge, null, 2))
    const unknown = await exchange(portal.url, requestText('POST /sharing/rest?f=xml', headers, body))
    expect(unknown.body).toBe(JSON.stringify(tooLarge))
  })

  test('that is too large is so for another method and another path as well', async () => {
    await using portal = await startListening()
    const body = formOf(mebibyte + 1)
    const headers = { ...urlencoded, 'Content-Length': String(body.length) }
    expect((await exchange(portal.url, requestText('PUT /sharing/rest', headers, body))).status).toBe(413)
    expect((await exchange(portal.url, requestText('POST /nothing', headers, body))).status).toBe(413)
  })

  test('that is too large does not end the connection of a client that sends on', async () => {
    await using portal = await startListening()
    const body = formOf(2 * mebibyte)
    const headers = { ...urlencoded, 'Content-Length': String(body.length), Connection: 'keep-alive' }
    const answer = await exchange(
      portal.url,
      requestText('POST /sharing/rest', headers, body),
      requestText('GET /sharing/rest'),
    )
    expect(answer.status).toBe(413)
    expect(answer.body).toMatch(/413.*HTTP\/1\.1 200 OK.*currentVersion/s)
  })
})

describe('a client that is slow', () => {
  const timedOut = { error: { code: 408, message: 'The request cannot be read.', details: [] } }

  test('has 5 seconds for its headers, and 75 until its request has come whole, checked each second', async () => {
    await using portal = await startPortal()
    expect(portal.server.app.server).toMatchObject({
      headersTimeout: 5_000,
      requestTimeout: 75_000,
      connectionsCheckingInterval: 1_000,
    })
  })

  /** A server with the same limits, shortened: the next check finds every request that began before it late. */
  async function startImpatient() {
    const portal = await startPortal({ environment: { PUBLIC_URL: '', PORT: '0' }, isReused: false })
    Object.assign(portal.server.app.server, { headersTimeout: 1, requestTimeout: 1 })
    return Object.assign(portal, { url: await portal.server.listen() })
  }

  test('to send its headers is cut off with HTTP 408', async () => {
    await using portal = await startImpatient()
    const [silent, slow] = await Promise.all(
      ['', 'GET /sharing/rest HTTP/1.1\r\nHost: x\r\nX'].map((text) => exchange(portal.url, text)),
    )
    expect([silent!.status, slow!.status]).toEqual([408, 408])
    expect(JSON.parse(slow!.body)).toEqual(timedOut)
  })

  test('to send its body is cut off with HTTP 408 after ten seconds, and nothing is done', async () => {
    await using portal = await startListening()
    const admin = await portal.admin()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const headers = { ...urlencoded, 'Content-Length': '100', 'X-Esri-Authorization': `Bearer ${admin.token}` }
    const text = requestText('POST /sharing/rest/community/createGroup', headers, 'title=Maps')
    const answer = exchange(portal.url, text)
    await until('the body is received', () => vi.getTimerCount() > 0)
    vi.advanceTimersByTime(10_000)
    const { status, body } = await answer
    expect(status).toBe(408)
    expect(JSON.parse(body)).toEqual(timedOut)
    vi.useRealTimers()
    expect(await admin.get('/community/groups', { q: 'Maps' })).toMatchObject({ total: 0 })
  })
})

describe('requests on one connection that wait for their answers', () => {
  const alive = requestText('GET /health/live', { Connection: 'keep-alive' })

  test('are answered in their order, up to 16 of them', async () => {
    await using portal = await startListening()
    const { status, body } = await exchange(portal.url, alive.repeat(15), requestText('GET /health/live'))
    expect(status).toBe(200)
    expect(body.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(15)
  })

  test('are cut off with their connection if they are thousands, and no other client waits for them', async () => {
    await using portal = await startListening()
    const { body } = await exchange(portal.url, alive.repeat(5_000)).catch(() => ({ body: '' }))
    expect(body.match(/HTTP\/1\.1 200 OK/g)?.length ?? 0).toBeLessThan(16)
    expect((await fetch(`${portal.url}/health/live`)).status).toBe(200)
  })
})
