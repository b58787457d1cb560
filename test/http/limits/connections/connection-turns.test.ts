import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { createTransport } from '../../../../src/http/transport/transport.ts'
import { countLimits, defaultLimits } from '../../../../src/limits.ts'
import { random } from '../../../../src/secrets/random.ts'
import { exchange, RawConnection, requestText } from '../../../support/faults/socket.ts'
import { until } from '../../../support/until.ts'

const keepAlive = { Connection: 'keep-alive' }
const slow = requestText('POST /slow', { ...keepAlive, 'Content-Length': '4' }, 'slow')

/** A server that answers requests for `/slow` when the test says so, and knows how many have arrived. */
async function startServer() {
  const limitCounts = countLimits()
  const settings = { trustProxy: false, logLevel: 'silent', publicUrl: undefined, allowedOrigins: [], tls: undefined }
  const app = await createTransport({ ...settings, limits: defaultLimits }, { random, limitCounts })
  const begun: (() => void)[] = []
  app.post('/slow', async (request) => {
    const gate = Promise.withResolvers<void>()
    begun.push(gate.resolve)
    await gate.promise
    return request.body
  })
  let looked = 0
  app.addHook('onRequest', async () => {
    looked += 1
  })
  let arrived = 0
  app.server.on('request', () => {
    arrived += 1
  })
  const sockets: Socket[] = []
  app.server.on('connection', (socket: Socket) => sockets.push(socket))
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  return {
    url,
    begun,
    sockets,
    arrived: () => arrived,
    /** Requests for which anything was done. */
    looked: () => looked,
    count: limitCounts.of,
    async [Symbol.asyncDispose]() {
      for (const finish of begun) finish()
      await app.close()
    },
  }
}

test('the requests of a connection begin one after the other, those of several connections side by side', async () => {
  await using server = await startServer()
  const [one, other] = [new RawConnection(server.url), new RawConnection(server.url)]
  const last = requestText('POST /slow', { 'Content-Length': '4' }, 'last')
  await Promise.all([one.send(slow + slow + last), other.send(last)])
  await until('all requests have arrived', () => server.arrived() === 4)
  for (let answered = 2; answered < 4; answered += 1) {
    expect(server.begun).toHaveLength(answered)
    expect(server.looked()).toBe(answered)
    server.begun[answered - 2]!()
    server.begun[answered - 1]!()
    await until('the next has begun', () => server.begun.length === answered + 1)
  }
  server.begun.at(-1)!()
  const { body } = await one.read()
  expect(body.match(/slow|last/g)).toEqual(['slow', 'slow', 'last'])
  expect((await other.read()).body).toBe('last')
})

const chunked = 'POST /slow HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nx'
test.each([
  ['what is no request', keepAlive, 'garbage\r\n\r\n', true],
  [
    'a request with two lengths',
    keepAlive,
    requestText('GET /', { 'Content-Length': '4', 'content-length': '5' }),
    true,
  ],
  ['a body that is none', keepAlive, chunked, true],
  ['a request after the last one', {}, slow, false],
])('the requests before %s are answered first', async (_what, headers, text, isRefused) => {
  await using server = await startServer()
  const client = new RawConnection(server.url)
  await client.send(slow + requestText('POST /slow', { ...headers, 'Content-Length': '4' }, 'last') + text)
  for (let number = 1; number <= 2; number += 1) {
    await until('the next has begun', () => server.begun.length === number)
    server.begun[number - 1]!()
  }
  const { status, body } = await client.read()
  const refused = isRefused ? ['HTTP/1.1 400', '"code":400'] : []
  expect([status, body.match(/slow|last|HTTP\/1.1 \d+|"code":\d+/g)]).toEqual([
    200,
    ['slow', 'HTTP/1.1 200', 'last', ...refused],
  ])
  expect(server.begun).toHaveLength(2)
})

test('a body that ends after its request has waited is read', async () => {
  await using server = await startServer()
  const length = 500_000
  const connection = new RawConnection(server.url)
  const head = requestText('POST /slow', { 'Content-Length': String(length) })
  await connection.send(slow + head)
  await until('both requests have arrived', () => server.arrived() === 2)
  await connection.send('x'.repeat(length))
  server.begun[0]!()
  await until('the second has begun', () => server.begun.length === 2)
  server.begun[1]!()
  expect((await connection.read()).body).toContain(`\r\n\r\n${'x'.repeat(length)}`)
})

test('nothing more is read from a connection with a request that waits', async () => {
  await using server = await startServer()
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  await once(socket, 'connect')
  const large = requestText('GET /nothing', { ...keepAlive, 'X-Filler': 'x'.repeat(200_000) })
  socket.write(slow + large.repeat(20))
  await until('the first has begun', () => server.begun.length === 1)
  // Another connection is read in the meantime, over and over.
  for (let turn = 0; turn < 20; turn += 1) await exchange(server.url, requestText('GET /nothing'))
  expect(server.arrived() - 20).toBeLessThanOrEqual(2)
  socket.destroy()
})

test('a connection with more than 16 unanswered requests is counted once, and closed after a second', async () => {
  await using server = await startServer()
  const begun = performance.now()
  await exchange(server.url, slow.repeat(1_000)).catch(() => undefined)
  // At least: it may be called a little early, and any time later.
  expect(performance.now() - begun).toBeGreaterThan(990)
  expect(server.count('unansweredRequests')).toBe(1)
  expect(server.begun).toHaveLength(1)
})

test('of a connection with too many unanswered requests, only the first begins', async () => {
  await using server = await startServer()
  const connection = new RawConnection(server.url)
  await connection.send(slow.repeat(17))
  await until('it is counted', () => server.count('unansweredRequests') === 1)
  await until('the first has begun', () => server.begun.length === 1)
  server.begun[0]!()
  await connection.read().catch(() => undefined)
  expect(server.begun).toHaveLength(1)
})

test('of connections with too many unanswered requests, at most 16 wait to be closed', async () => {
  await using server = await startServer()
  const closed = Array.from({ length: 40 }, () => exchange(server.url, slow.repeat(20)).catch(() => undefined))
  await until('all are counted', () => server.count('unansweredRequests') === 40)
  expect(server.sockets.filter(({ destroyed }) => !destroyed).length).toBeLessThanOrEqual(16)
  await Promise.all(closed)
})

test('a connection may have 16 unanswered requests', async () => {
  await using server = await startServer()
  const connection = new RawConnection(server.url)
  await connection.send(slow.repeat(15) + requestText('GET /nothing'))
  await until('all have arrived', () => server.arrived() === 16)
  for (let answered = 0; answered < 15; answered += 1) {
    await until('the next has begun', () => server.begun.length === answered + 1)
    server.begun[answered]!()
  }
  expect((await connection.read()).status).toBe(200)
  expect(server.count('unansweredRequests')).toBe(0)
})
