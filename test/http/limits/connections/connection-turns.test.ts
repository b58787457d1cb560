import { once } from 'node:events'
import { connect } from 'node:net'
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
  let arrived = 0
  app.server.on('request', () => {
    arrived += 1
  })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  return {
    url,
    begun,
    arrived: () => arrived,
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
    server.begun[answered - 2]!()
    server.begun[answered - 1]!()
    await until('the next has begun', () => server.begun.length === answered + 1)
  }
  server.begun.at(-1)!()
  const { body } = await one.read()
  expect(body.match(/slow|last/g)).toEqual(['slow', 'slow', 'last'])
  expect((await other.read()).body).toBe('last')
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

test('more than 32 unanswered requests are counted, once for their connection', async () => {
  await using server = await startServer()
  await exchange(server.url, slow.repeat(1_000)).catch(() => undefined)
  expect(server.count('unansweredRequests')).toBe(1)
  expect(server.begun).toHaveLength(1)
})
