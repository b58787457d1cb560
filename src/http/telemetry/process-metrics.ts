import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { version } from '../docs/openapi.ts'

/**
 * The process behind the server, under the names that Prometheus gives every process. The default metrics of
 * prom-client are not used: their observer of garbage collection lives on after the server, with all that it holds.
 */
export function showProcess(registry: Registry): void {
  const registers = [registry]
  new Gauge({
    name: 'cartulary_build_info',
    help: 'Always 1; its labels say which version runs, on which version of Node.',
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
    help: 'Time that the process worked, in user and system mode.',
    registers,
    collect() {
      const { user, system } = process.cpuUsage()
      this.reset()
      this.inc((user + system) / 1_000_000)
    },
  })
  new Gauge({
    name: 'process_resident_memory_bytes',
    help: 'Memory that the process holds.',
    registers,
    collect() {
      this.set(process.memoryUsage.rss())
    },
  })
}

const betweenTicks = 100

/** Measures how late the event loop is with a timer, ten times a second, until what it answers is called. */
export function watchEventLoop(registry: Registry): () => void {
  const lag = new Histogram({
    name: 'cartulary_event_loop_lag_seconds',
    help: 'How late the event loop came to a timer, tried ten times a second.',
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  })
  let last = performance.now()
  const timer = setInterval(() => {
    const now = performance.now()
    lag.observe(Math.max(0, now - last - betweenTicks) / 1000)
    last = now
  }, betweenTicks).unref()
  return () => clearInterval(timer)
}
