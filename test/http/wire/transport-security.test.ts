import { describe, expect, test } from 'vitest'
import { createTransport } from '../../../src/http/transport/transport.ts'
import { countLimits, defaultLimits } from '../../../src/limits.ts'
import { random } from '../../../src/secrets/random.ts'
import { exchange, requestText } from '../../support/faults/socket.ts'
import { makeCertificate } from '../../support/portal/certificate.ts'
import { startPortal } from '../../support/portal/portal.ts'

const header = 'strict-transport-security'
const oneYear = 'max-age=31536000'
const certificate = makeCertificate('localhost')
const tls = { cert: Buffer.from(certificate.cert), key: Buffer.from(certificate.key) }

function openTransport(publicUrl: string | undefined, certified: typeof tls | undefined) {
  const settings = { trustProxy: false, logLevel: 'silent', allowedOrigins: undefined, limits: defaultLimits }
  return createTransport({ ...settings, publicUrl, tls: certified }, { random, limitCounts: countLimits() })
}

describe('browsers are to use only HTTPS', () => {
  test.each([
    ['a resource', 'GET', '/sharing/rest?f=json'],
    ['a page', 'GET', '/sharing/rest?f=html'],
    ['an error', 'GET', '/nothing'],
    ['a preflight', 'OPTIONS', '/sharing/rest'],
    ['a request that is refused', 'GET', 'http://other.example.com/'],
  ] as const)('if PUBLIC_URL is https: in the answer to %s', async (_what, method, url) => {
    await using portal = await startPortal({ environment: { PUBLIC_URL: 'https://maps.example.com' } })
    const headers = { origin: 'https://app.example.com', 'access-control-request-method': 'POST' }
    const response = await portal.server.app.inject({ method, url, headers })
    expect(response.headers[header]).toBe(oneYear)
  })

  test('if PUBLIC_URL is https: in the answer to a request that cannot be read', async () => {
    await using app = await openTransport('https://maps.example.com', undefined)
    const url = await app.listen({ port: 0, host: '127.0.0.1' })
    expect((await exchange(url, 'hello\r\n\r\n')).headers[header]).toBe(oneYear)
  })

  test('if the server has a certificate', async () => {
    await using app = await openTransport(undefined, tls)
    const url = await app.listen({ port: 0, host: '127.0.0.1' })
    expect((await exchange(url, requestText('GET /'))).headers[header]).toBe(oneYear)
  })

  test.each([undefined, 'http://maps.example.com'])(
    'but not if it has none, and PUBLIC_URL is %s',
    async (publicUrl) => {
      await using app = await openTransport(publicUrl, undefined)
      expect((await app.inject('/')).headers).not.toHaveProperty(header)
    },
  )

  test('but not where metrics are served alone', async () => {
    const environment = { PUBLIC_URL: 'https://maps.example.com', PORT: '0', METRICS_PORT: '0' }
    await using portal = await startPortal({ environment, isReused: false })
    await portal.server.listen()
    const { headers } = await fetch(portal.server.metricsUrl()!)
    expect(headers.get(header)).toBeNull()
  })
})

test('a connection has 5 seconds for its handshake', async () => {
  await using app = await openTransport(undefined, tls)
  const { server } = app
  const timeout = Object.getOwnPropertySymbols(server).find(({ description }) => description === 'handshake-timeout')!
  expect(server[timeout as never]).toBe(5_000)
})
