/** Requests of the last hour that this server answered, by minute and kind: bounded, in memory, and gone with the process. */

/** Kinds: a search reads any number of rows; a request without an operation, such as for a file of a page, is `other` (chosen). */
export const requestKinds = ['read', 'search', 'write', 'other'] as const
export type RequestKind = (typeof requestKinds)[number]

export const recentMinutes = 60

/** Numbers of answers: refused are those of 4xx, failed those of 5xx. */
export interface RequestCounts {
  readonly requests: number
  readonly refused: number
  readonly failed: number
}

export interface RecentMinute extends RequestCounts {
  /** Beginning of the minute, in epoch milliseconds. */
  readonly at: number
}

export interface RecentKind extends RequestCounts {
  readonly kind: RequestKind
  /** Median and 99th percentile in milliseconds, rounded up by at most a quarter; undefined without requests. */
  readonly p50: number | undefined
  readonly p99: number | undefined
}

export interface RecentRequests {
  /** `now` in epoch milliseconds, `milliseconds` from the begin of the request to the end of its answer. */
  add(kind: RequestKind, outcome: number, milliseconds: number, now: number): void
  /** Each minute of the hour until now, the oldest first. */
  listMinutes(now: number): readonly RecentMinute[]
  /** Each kind, over the same hour. */
  listKinds(now: number): readonly RecentKind[]
}

const minuteMilliseconds = 60_000

/** Number of buckets: from a tenth of a millisecond to 100 seconds, ten for each power of ten. */
const buckets = 61
const min = 0.1
const perDecade = 10

interface Sums {
  requests: number
  refused: number
  failed: number
  readonly durations: Uint32Array
}

interface Minute {
  readonly number: number
  readonly sums: Readonly<Record<RequestKind, Sums>>
}

export function openRecentRequests(): RecentRequests {
  const ring: (Minute | undefined)[] = Array.from({ length: recentMinutes })

  function minuteAt(now: number): Minute {
    const number = Math.floor(now / minuteMilliseconds)
    const place = number % recentMinutes
    const found = ring[place]
    if (found?.number === number) return found
    const fresh = { number, sums: emptySums() }
    ring[place] = fresh
    return fresh
  }

  function listHour(now: number): readonly (Minute | undefined)[] {
    const last = Math.floor(now / minuteMilliseconds)
    return Array.from({ length: recentMinutes }, (_, position) => {
      const number = last - recentMinutes + 1 + position
      const found = ring[number % recentMinutes]
      return found?.number === number ? found : undefined
    })
  }

  return {
    add(kind, outcome, milliseconds, now) {
      const sums = minuteAt(now).sums[kind]
      sums.requests += 1
      if (outcome >= 500) sums.failed += 1
      else if (outcome >= 400) sums.refused += 1
      sums.durations[bucketOf(milliseconds)]! += 1
    },
    listMinutes(now) {
      const last = Math.floor(now / minuteMilliseconds)
      return listHour(now).map((minute, position) => ({
        at: (last - recentMinutes + 1 + position) * minuteMilliseconds,
        ...countsOf(minute ? Object.values(minute.sums) : []),
      }))
    },
    listKinds(now) {
      const hour = listHour(now).filter((minute) => minute !== undefined)
      return requestKinds.map((kind) => {
        const sums = hour.map((minute) => minute.sums[kind])
        return { kind, ...countsOf(sums), p50: findQuantile(sums, 0.5), p99: findQuantile(sums, 0.99) }
      })
    },
  }
}

function emptySums(): Minute['sums'] {
  const empty = (): Sums => ({ requests: 0, refused: 0, failed: 0, durations: new Uint32Array(buckets) })
  return { read: empty(), search: empty(), write: empty(), other: empty() }
}

function countsOf(sums: readonly Sums[]): RequestCounts {
  const add = (name: 'requests' | 'refused' | 'failed') => sums.reduce((total, one) => total + one[name], 0)
  return { requests: add('requests'), refused: add('refused'), failed: add('failed') }
}

function bucketOf(milliseconds: number): number {
  const place = Math.ceil(perDecade * Math.log10(milliseconds / min))
  return Math.min(Math.max(place, 0), buckets - 1)
}

/** The upper bound of the bucket in which the quantile is. */
function findQuantile(sums: readonly Sums[], quantile: number): number | undefined {
  const { requests } = countsOf(sums)
  if (requests === 0) return undefined
  let left = Math.ceil(requests * quantile)
  for (let bucket = 0; bucket < buckets; bucket += 1) {
    for (const { durations } of sums) left -= durations[bucket]!
    if (left <= 0) return Number((min * 10 ** (bucket / perDecade)).toPrecision(2))
  }
  return undefined
}
