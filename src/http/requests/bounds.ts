import type { Limits } from '../../limits.ts'

/** Bounds of the requests of one server (contract: waiting before refusing). */
export interface LimiterBounds {
  /** Requests in progress of a key. */
  readonly maxPlaces: number
  /** Milliseconds of work in progress with which a key gets no further place: others may come soon, and wait for it. */
  readonly maxWork: number
  /** Requests that wait, of all keys. */
  readonly maxWaiting: number
  /** Bytes of the bodies of those. */
  readonly maxWaitingBytes: number
  /** Bytes of long bodies whose requests are in progress, as announced. */
  readonly maxLongBytes: number
  /** Milliseconds. */
  readonly waitTimeout: number
}

/** Milliseconds for which a request waits at most (contract). */
export const waitTimeout = 60_000

/** Bounds by engine: PostgreSQL has a connection for each request in progress, and serves no more of them in ten than in sixteen (measured). */
export function boundsOf(engine: 'sqlite' | 'postgres', { requestBytes }: Pick<Limits, 'requestBytes'>): LimiterBounds {
  const bounds = { maxWaiting: 20_000, maxWaitingBytes: 64 * 1024 * 1024, maxLongBytes: requestBytes }
  // SQLite has one thread that writes; on PostgreSQL, the ten places bound the work.
  const places = engine === 'sqlite' ? { maxPlaces: 64, maxWork: 24 } : { maxPlaces: 10, maxWork: Infinity }
  return { ...places, ...bounds, waitTimeout }
}
