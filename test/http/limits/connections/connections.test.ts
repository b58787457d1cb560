import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { startPortal } from '../../../support/portal/portal.ts'
import { scrape } from '../../../support/portal/scrape.ts'
import { until } from '../../../support/until.ts'

test('a connection beyond the limit is closed at once and counted, and one that ends makes room', async () => {
  await using portal = await startPortal({
    environment: { LIMIT_CONNECTIONS: '2', PUBLIC_URL: '', PORT: '0' },
    isReused: false,
  })
  const port = Number(new URL(await portal.server.listen()).port)
  const open = () => connect({ port, host: '127.0.0.1' })
  const kept = [open(), open()]
  await Promise.all(kept.map((socket) => once(socket, 'connect')))
  const refused = open().on('error', () => undefined)
  await once(refused, 'close')
  const { series } = await scrape(portal.server.app)
  expect(series.get('cartulary_limits_reached_total{limit="connections"}')).toBe(1)

  kept[0]!.destroy()
  await until('there is room again', async () => {
    const next = open().on('error', () => undefined)
    next.write('GET /health/live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
    const answered = Promise.race([once(next, 'data').then(() => true), once(next, 'close').then(() => false)])
    return answered.finally(() => next.destroy())
  })
  kept[1]!.destroy()
})
