import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { describe, expect, onTestFinished } from 'vitest'
import { runCommand } from '../../../src/cli/cli.ts'
import { RawConnection } from '../../support/faults/socket.ts'
import { writeCertificate } from '../../support/portal/certificate.ts'
import { hostCollaboration } from '../../support/portal/collaboration-host.ts'
import { resourceNotFound, withReasons } from '../../support/portal/envelopes.ts'
import { adminPassword, startPortal } from '../../support/portal/portal.ts'
import { readScrape, scrape } from '../../support/portal/scrape.ts'
import { test } from '../../support/portal/test.ts'

const ownListener = { METRICS_PORT: '0', PORT: '0' }

/** A port of this machine that another server listens on. */
async function takenPort(): Promise<string> {
  const other = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void other.close())
  await once(other, 'listening')
  return String((other.address() as AddressInfo).port)
}

describe('/metrics without a listener of its own', () => {
  test('is text for Prometheus at the root and below the context, for GET only', async ({ portal }) => {
    const { app } = portal.server
    for (const path of ['/metrics', '/portal/metrics']) {
      const response = await app.inject(path)
      expect(response.statusCode).toBe(200)
      expect(response.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8')
      expect(response.body).toContain('# TYPE cartulary_requests_total counter\n')
    }
    for (const method of ['POST', 'PUT', 'DELETE'] as const) {
      expect((await app.inject({ method, url: '/metrics' })).statusCode).toBe(404)
    }
    expect(portal.server.metricsUrl()).toBeUndefined()
  })
})

describe('/metrics with a listener of its own', () => {
  test('is served there and not beside the API, and nothing else is served there', async () => {
    await using portal = await startPortal({ environment: ownListener, isReused: false })
    expect(portal.server.metricsUrl()).toBeUndefined()
    const address = await portal.server.listen()
    const url = portal.server.metricsUrl()!
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/metrics$/)
    await portal.anonymous.get('/')
    const response = await fetch(url, { headers: { origin: 'https://maps.example.com' } })
    expect(response.status).toBe(200)
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
    const text = await response.text()
    expect(readScrape(text).series.get('cartulary_requests_total{operation="readRoot",outcome="200"}')).toBe(1)
    const beside = await fetch(`${address}/metrics`)
    expect(beside.status).toBe(404)
    expect(await beside.json()).toEqual(withReasons(resourceNotFound.error))
    for (const path of ['/', '/health/live', '/openapi.json', `${portal.base}/info?f=json`]) {
      const other = await fetch(new URL(path, url), { redirect: 'manual' })
      expect(other.status).toBe(404)
      expect(await other.json()).toEqual(resourceNotFound)
    }
  })

  test('is closed with the server, whatever connections are open on which nothing happens', async () => {
    const portal = await startPortal({ environment: ownListener, isReused: false })
    await portal.server.listen()
    const url = portal.server.metricsUrl()!
    const silent = new RawConnection(url)
    await silent.send('')
    // This one is kept alive; and the server takes connections in the order of their coming.
    expect((await fetch(url)).status).toBe(200)
    await portal.server.close()
    await Promise.allSettled([silent.read()])
    await expect(fetch(url)).rejects.toThrow('fetch failed')
  })

  test('is not taken when the server cannot listen for clients', async () => {
    const portal = await startPortal({ environment: { ...ownListener, PORT: await takenPort() }, isReused: false })
    await expect(portal.server.listen()).rejects.toThrow(/is in use; set PORT or HOST/)
    expect(portal.server.metricsUrl()).toBeUndefined()
    await portal.server.close()
  })
})

describe('a start', () => {
  async function start(environment: Readonly<Record<string, string>>) {
    const printed: string[] = []
    const complaints: string[] = []
    const code = await runCommand([], {
      environment: {
        DATABASE_URL: 'file::memory:',
        ADMIN_PASSWORD: adminPassword,
        PORT: '0',
        LOG_LEVEL: 'silent',
        ...environment,
      },
      signal: AbortSignal.abort(),
      print: (text) => printed.push(text),
      printError: (text) => complaints.push(text),
      exit: () => complaints.push('exit'),
    })
    return { code, printed: printed.join('\n'), complaint: complaints.join('\n') }
  }

  test('prints where metrics are that are not beside the API', async () => {
    const { code, printed } = await start({ METRICS_PORT: '0' })
    expect(code).toBe(0)
    expect(printed).toMatch(/"Metrics are at http:\/\/127\.0\.0\.1:\d+\/metrics\."/)
  })

  test('is refused with one sentence where the port for metrics is taken', async () => {
    const METRICS_PORT = await takenPort()
    const { code, complaint } = await start({ METRICS_PORT })
    expect(code).toBe(1)
    expect(complaint).toBe(
      `The address 127.0.0.1:${METRICS_PORT} is in use; set METRICS_PORT or METRICS_HOST to another one.`,
    )
  })
})

describe('docs/metrics.md', () => {
  const document = readFileSync(new URL('../../../docs/metrics.md', import.meta.url), 'utf8')
  const documented = [...document.matchAll(/^\| `(\w+)` \| (\w+) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$/gm)].map(
    ([, name, type, unit, labels, meaning]) => ({ name, type, unit, labels, meaning }),
  )

  test('lists every metric that is served as it is served, and no other', async () => {
    const environment = writeCertificate('maps.example.com')
    await using portal = await startPortal({ environment, isReused: false })
    await (await hostCollaboration(portal)).invite()
    portal.server.dependencies.backups.succeeded(portal.clock.now)
    await scrape(portal.server.app)
    const { text, series } = await scrape(portal.server.app)
    const served = [...text.matchAll(/^# HELP (\w+) (.+)\n# TYPE \w+ (\w+)$/gm)].map(([, name = '', meaning, type]) => {
      const sample = [...series.keys()].find((written) => new RegExp(`^${name}(_count)?(\\{|$)`).test(written))
      const labels = [...(sample ?? 'nothing{nothing="served"}').matchAll(/(\w+)="/g)].map(
        ([, label]) => `\`${label}\``,
      )
      return { name, type, unit: unitOf(name), labels: labels.join(', ') || 'none', meaning }
    })
    expect(documented.toSorted((one, other) => (one.name! < other.name! ? -1 : 1))).toEqual(
      served.toSorted((one, other) => (one.name < other.name ? -1 : 1)),
    )
    expect(served.length).toBeGreaterThan(10)
  })
})

/** Units are in the name; what has none is a number. */
function unitOf(name: string): string {
  return /_(seconds|bytes)(_total)?$/.exec(name)?.[1] ?? 'number'
}
