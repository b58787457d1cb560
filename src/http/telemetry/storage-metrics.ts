import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { PortalError } from '../../errors.ts'
import { type Storage, StorageUnavailable } from '../../storage/storage.ts'

const replicaFigures = [
  'changes',
  'fills',
  'bytes',
  'follows',
  'followMilliseconds',
  'followProcessorMilliseconds',
] as const

/** Seconds: from half a millisecond, which a small read takes, to ten seconds, longer than any client waits. */
export const durationBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Storage that does the same, and measures it. */
export function measureStorage<Command, Search>(
  storage: Storage<Command, Search>,
  registry: Registry,
): Storage<Command, Search> {
  const registers = [registry]
  const durations = new Histogram({
    name: 'cartulary_storage_duration_seconds',
    help: 'Time of reads, searches and writes of the database, including waiting, by kind and outcome.',
    labelNames: ['work', 'outcome'],
    buckets: durationBuckets,
    registers,
  })
  const outages = new Counter({
    name: 'cartulary_storage_unavailable_total',
    help: 'Reads, searches, writes and probes that failed because the database was unavailable.',
    registers,
  })

  /** Looked up once: nearly every work is done. */
  const done = {
    read: durations.labels('read', 'done'),
    search: durations.labels('search', 'done'),
    write: durations.labels('write', 'done'),
  }

  async function measure<Result>(work: 'read' | 'search' | 'write', run: () => Promise<Result>): Promise<Result> {
    const begun = performance.now()
    const observe = (outcome: string) => durations.observe({ work, outcome }, (performance.now() - begun) / 1000)
    try {
      const result = await run()
      done[work].observe((performance.now() - begun) / 1000)
      return result
    } catch (error) {
      observe(outcomeOf(error))
      if (error instanceof StorageUnavailable) outages.inc()
      throw error
    }
  }

  return {
    description: storage.description,
    read: (work, until) => measure('read', () => storage.read(work, until)),
    search: (...asked) => measure('search', () => storage.search(...asked)),
    write: (command, until) => measure('write', () => storage.write(command, until)),
    async ping() {
      try {
        await storage.ping()
      } catch (error) {
        outages.inc()
        throw error
      }
    },
    figures: () => storage.figures(),
    measure: () => storage.measure(),
    failure: storage.failure,
    close: () => storage.close(),
  }
}

/** Refused: the operation threw an error of the API. Failed: a bug. */
function outcomeOf(thrown: unknown): 'refused' | 'unavailable' | 'failed' {
  if (thrown instanceof StorageUnavailable) return 'unavailable'
  return thrown instanceof PortalError ? 'refused' : 'failed'
}

/** The engine's own figures, read at each scrape. */
export function showStorageFigures(storage: Pick<Storage<never>, 'figures'>, registry: Registry): void {
  const registers = [registry]
  new Gauge({
    name: 'cartulary_storage_connections',
    help: 'Connections to the database, by state: busy or idle.',
    labelNames: ['state'],
    registers,
    collect() {
      const { open, idle } = storage.figures().connections
      this.set({ state: 'busy' }, open - idle)
      this.set({ state: 'idle' }, idle)
    },
  })
  new Gauge({
    name: 'cartulary_storage_waiting',
    help: 'Reads, searches and writes that are queued or wait for a connection; on SQLite, unanswered writes and waiting searches.',
    registers,
    collect() {
      this.set(storage.figures().waiting)
    },
  })
  new Counter({
    name: 'cartulary_storage_retries_total',
    help: 'Writes that were retried after a conflict.',
    registers,
    collect() {
      this.reset()
      this.inc(storage.figures().retries)
    },
  })
  new Counter({
    name: 'cartulary_caller_lookups_total',
    help: 'Look-ups of callers in the cache, by result: hit or miss.',
    labelNames: ['result'],
    registers,
    collect() {
      const { hits, misses } = storage.figures().callerCache
      this.reset()
      this.inc({ result: 'hit' }, hits)
      this.inc({ result: 'miss' }, misses)
    },
  })
  new Gauge({
    name: 'cartulary_search_replica',
    help: 'Whether the search replica is in this state: filling, ready or failed; 0 for each before the first fill begins, and without one.',
    labelNames: ['state'],
    registers,
    collect() {
      const state = storage.figures().replica?.state
      for (const one of ['filling', 'ready', 'failed']) this.set({ state: one }, one === state ? 1 : 0)
    },
  })
  new Gauge({
    name: 'cartulary_search_replica_figures',
    help: 'Figures of the search replica: changes that the last search read before it began, fills since the start, bytes of the file; times that changes were read, and milliseconds of that, of the clock and of the processor.',
    labelNames: ['figure'],
    registers,
    collect() {
      const { replica } = storage.figures()
      for (const figure of replicaFigures) this.set({ figure }, replica?.[figure] ?? 0)
    },
  })
}
