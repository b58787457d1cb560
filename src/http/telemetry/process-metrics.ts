import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { version } from '../../version.ts'
import { countDroppedLines } from '../transport/log.ts'

/**
 * Metrics of the process, under the standard names of Prometheus. prom-client's default metrics are not used: their
 * observer of garbage collection is never removed, and keeps the registry alive after the server.
 */
export function showProcess(registry: Registry): void {
  const registers = [registry]
  new Gauge({
    name: 'cartulary_build_info',
    help: 'Always 1; the labels are the versions of Cartulary and of Node.',
    labelNames: ['version', 'node'],
    registers,
  }).set({ version, node: process.versions.node }, 1)
  new Gauge({
    name: 'process_start_time_seconds',
    help: 'When the process started, since the epoch.',
    registers,
  }).set(performance.timeOrigin / 1000)
  new Counter({
    name: 'process_cpu_seconds_total',
    help: 'CPU time of the process, user and system.',
    registers,
    collect() {
      const { user, system } = process.cpuUsage()
      this.reset()
      this.inc((user + system) / 1_000_000)
    },
  })
  new Gauge({
    name: 'process_resident_memory_bytes',
    help: 'Resident memory of the process.',
    registers,
    collect() {
      this.set(process.memoryUsage.rss())
    },
  })
  new Counter({
    name: 'cartulary_log_lines_dropped_total',
    help: 'Lines of the log that could not be written to standard output, as a disk was full or a pipe was not read.',
    registers,
    collect() {
      this.reset()
      this.inc(countDroppedLines())
    },
  })
}

const tickInterval = 100

/** Measures the lag of the event loop ten times a second. Returns a function that stops it. */
export function watchEventLoop(registry: Registry): () => void {
  const lag = new Histogram({
    name: 'cartulary_event_loop_lag_seconds',
    help: 'Lag of the event loop behind a timer, measured ten times a second.',
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  })
  let last = performance.now()
  const timer = setInterval(() => {
    const now = performance.now()
    lag.observe(Math.max(0, now - last - tickInterval) / 1000)
    last = now
  }, tickInterval).unref()
  return () => clearInterval(timer)
}
