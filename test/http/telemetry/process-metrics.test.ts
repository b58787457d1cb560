import { setImmediate } from 'node:timers/promises'
import { scrape, seriesOf } from '../../support/portal/scrape.ts'
import { describe, expect, test } from '../../support/portal/test.ts'

describe('the process', () => {
  function secondsOfWork(): number {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1_000_000
  }

  test('shows its version, its age, its work and its memory', async ({ portal }) => {
    const workedBefore = secondsOfWork()
    const scraped = await scrape(portal.server.app)
    const { default: release } = await import('../../../package.json', { with: { type: 'json' } })
    const labels = `{version="${release.version}",node="${process.versions.node}"}`
    expect(seriesOf(scraped, 'cartulary_build_info')).toEqual({ [labels]: 1 })
    const startedByClock = Date.now() / 1000 - process.uptime()
    expect(Math.abs(scraped.series.get('process_start_time_seconds')! - startedByClock)).toBeLessThan(5)
    const memory = scraped.series.get('process_resident_memory_bytes')!
    expect(memory / process.memoryUsage.rss()).toBeGreaterThan(0.5)
    const worked = scraped.series.get('process_cpu_seconds_total')!
    expect(worked).toBeGreaterThanOrEqual(workedBefore)
    expect(worked).toBeLessThanOrEqual(secondsOfWork())
  })

  test('shows how late its event loop was', async ({ portal }) => {
    const lag = 'cartulary_event_loop_lag_seconds'
    const late = ({ series }: { series: ReadonlyMap<string, number> }) =>
      series.get(`${lag}_count`)! - series.get(`${lag}_bucket{le="0.25"}`)!
    let scraped = await scrape(portal.server.app)
    const before = late(scraped)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500)
    while (late(scraped) === before) {
      await setImmediate()
      scraped = await scrape(portal.server.app)
    }
    expect(scraped.series.get(`${lag}_sum`)).toBeGreaterThan(0.25)
  })
})
