import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createTransport, type TransportSettings } from '../../../../src/http/transport/transport.ts'
import { countLimits, defaultLimits, type Limits } from '../../../../src/limits.ts'
import { random } from '../../../../src/secrets/random.ts'
import { RawConnection, requestText } from '../../../support/faults/socket.ts'
import { makeCertificate } from '../../../support/portal/certificate.ts'
import { until } from '../../../support/until.ts'

const mebibyte = 1024 * 1024
/** More than the buffers of the system take: 4 MiB of the sender's and 6 of the receiver's, by default. */
const beyondSystem = 12 * mebibyte
const answer = Buffer.alloc(3 * beyondSystem, 'x')

const keepAlive = { Connection: 'keep-alive' }
const large = requestText('GET /large', keepAlive)

/** A server with one large answer, below whose limits everything else is. */
async function startServer(limits: Partial<Limits> = {}, tls?: TransportSettings['tls']) {
  const limitCounts = countLimits()
  const settings = { trustProxy: false, logLevel: 'silent', publicUrl: undefined, allowedOrigins: [], tls }
  const app = await createTransport(
    { ...settings, limits: { ...defaultLimits, unreadBytes: 10 * answer.length, ...limits } },
    { random, limitCounts },
  )
  let begun = 0
  app.get('/large', (_request, reply) => {
    begun += 1
    return reply.send(answer)
  })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const connections: RawConnection[] = []
  return {
    app,
    url,
    begun: () => begun,
    count: limitCounts.of,
    /** A connection that has sent requests, and read nothing. */
    async deaf(requests = large) {
      const expected = begun + 1
      const connection = new RawConnection(url)
      connection.answer.catch(() => undefined)
      connections.push(connection)
      await connection.send(requests)
      await until('the request has begun', () => begun === expected)
      return connection
    },
    async [Symbol.asyncDispose]() {
      vi.useRealTimers()
      for (const connection of connections) connection.close()
      await app.close()
    },
  }
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
})

afterEach(() => {
  vi.useRealTimers()
})

const seconds = (count: number) => vi.advanceTimersByTime(count * 1000)

describe('a client that reads nothing', () => {
  test('has one answer in memory, and no work is done for its other requests', async () => {
    await using server = await startServer()
    const connection = await server.deaf(large.repeat(3))
    await server.deaf()
    expect(server.begun()).toBe(2)
    await connection.take(answer.length + beyondSystem)
    expect(server.begun()).toBe(3)
  })

  test('is cut off after 30 seconds, and counted', async () => {
    await using server = await startServer()
    const connection = await server.deaf()
    seconds(29)
    expect(server.count('unreadSeconds')).toBe(0)
    seconds(2)
    expect(server.count('unreadSeconds')).toBe(1)
    await expect(connection.read()).rejects.toThrow('ECONNRESET')
  })

  test('is cut off after the seconds of the setting', async () => {
    await using server = await startServer({ unreadSeconds: 3 })
    await server.deaf()
    seconds(4)
    expect(server.count('unreadSeconds')).toBe(1)
  })
})

describe.each([
  ['', undefined],
  [' over TLS', makeCertificate('localhost')],
])('a client that reads slowly%s', (_how, certificate) => {
  const tls = certificate && { cert: Buffer.from(certificate.cert), key: Buffer.from(certificate.key) }

  test('is not cut off before it stops', async () => {
    await using server = await startServer({}, tls)
    const connection = await server.deaf()
    for (let part = 0; part < 2; part += 1) {
      seconds(20)
      await connection.take(beyondSystem)
    }
    seconds(20)
    expect(server.count('unreadSeconds')).toBe(0)
    seconds(31)
    expect(server.count('unreadSeconds')).toBe(1)
  })
})

describe('all clients together', () => {
  test('have a limit of bytes: the one is cut off that has read nothing for the longest time', async () => {
    await using server = await startServer({ unreadBytes: 2.5 * answer.length })
    const slow = await server.deaf()
    seconds(1)
    const silent = await server.deaf()
    seconds(1)
    await slow.take(beyondSystem)
    seconds(1)
    expect(server.count('unreadBytes')).toBe(0)
    const last = await server.deaf()
    expect(server.count('unreadBytes')).toBe(1)
    await expect(silent.read()).rejects.toThrow('ECONNRESET')
    await slow.take(beyondSystem)
    await last.take(beyondSystem)
  })

  test('are not cut off for one answer that is larger than the limit', async () => {
    await using server = await startServer({ unreadBytes: 65_536 })
    const connection = await server.deaf(requestText('GET /large'))
    seconds(5)
    expect((await connection.read()).body).toHaveLength(answer.length)
    expect(server.count('unreadBytes')).toBe(0)
  })

  test('have none left after the answers are read or the clients have gone', async () => {
    await using server = await startServer({ unreadBytes: 1.5 * answer.length })
    for (let round = 0; round < 2; round += 1) {
      const patient = await server.deaf(large.repeat(2))
      // Up to the second answer, so that the first is read to its end.
      await patient.take(answer.length + beyondSystem)
      patient.close()
      await until('the connection is closed', async () => (await connectionsOf(server.app.server)) === round)
      const lasting = await server.deaf()
      await lasting.take(answer.length)
    }
    expect(server.count('unreadBytes')).toBe(0)
  })
})

function connectionsOf(server: { getConnections(done: (error: Error | null, count: number) => void): void }) {
  return new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)))
}
