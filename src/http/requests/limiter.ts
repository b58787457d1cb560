import { serviceUnavailable, tooManyRequests } from '../../errors.ts'
import type { LimitCounts, Limits } from '../../limits.ts'
import { openLoopClock } from './loop-clock.ts'

/** Bounds of the requests of one server (contract: waiting before refusing). */
export interface LimiterOptions {
  /** Requests in progress of a key while no other key asks. */
  readonly maxAlone: number
  /** Requests in progress of a key while others ask. */
  readonly maxShared: number
  /** Requests that wait, of all keys. */
  readonly maxWaiting: number
  /** Bytes of the bodies of those. */
  readonly maxWaitingBytes: number
  /** Bytes of bodies that are received while their requests are in progress. */
  readonly maxReceivedBytes: number
  /** Milliseconds. */
  readonly waitTimeout: number
}

/** Milliseconds for which a request waits at most (contract). */
export const waitTimeout = 60_000

/** By engine: PostgreSQL has a process for each request in progress, which wants a core of its own (measured). */
export function limiterOptions(
  engine: 'sqlite' | 'postgres',
  { requestBytes }: Pick<Limits, 'requestBytes'>,
): LimiterOptions {
  const places = engine === 'sqlite' ? { maxAlone: 64, maxShared: 6 } : { maxAlone: 16, maxShared: 1 }
  const bounds = { maxWaiting: 20_000, maxWaitingBytes: 64 * 1024 * 1024, maxReceivedBytes: requestBytes }
  return { ...places, ...bounds, waitTimeout }
}

/** A request that is in progress. */
export interface Place {
  /** Frees the place, and charges its key with the time that it was taken; only the first call counts. */
  end(): void
}

/** A request that asks for a place. */
export interface Asking {
  /** User or network address: requests of one key share its places. */
  readonly key: string
  /** Of its body, whether they have come or not. */
  readonly bytes: number
  /** Whether the body is received only in its place. */
  readonly isLong?: boolean
  readonly response: ClosingResponse
}

/** A response, as far as it says that its client has gone. */
interface ClosingResponse {
  readonly closed: boolean
  once(event: 'close', act: () => void): unknown
  off(event: 'close', act: () => void): unknown
}

export interface Limiter {
  /**
   * The place of a request, at once or when it is its turn. Rejects with 429 where too many wait and its key holds most, and
   * with 503 after `waitTimeout`. Never resolves if its client goes while it waits.
   */
  enter(asking: Asking): Place | Promise<Place>
  /** Requests that wait. */
  readonly waiting: number
  /** The server ends: whatever waits begins, as fast as the thread takes it. */
  close(): void
}

/** Milliseconds of the thread that a request takes before it asks: headers, route, parameters (measured). */
const arrivalCost = 0.1
/** Bytes that the thread receives in a millisecond (measured). */
const bytesPerMillisecond = 1024 * 1024
/** Milliseconds after its last request for which a key asks (chosen). */
const presence = 1_000
/** Milliseconds after which use counts half. */
const halfLife = 1_000
/** Use, in milliseconds, below which it is forgotten. */
const minUse = 0.1
const retryAfterSeconds = 5

interface Waiting {
  /** Bytes that are received in its place. */
  readonly toReceive: number
  begin(): void
  refuse(error: Error): void
}

interface Key {
  readonly name: string
  /** Requests in progress. */
  inProgress: number
  /** In the order in which they came. */
  readonly waiting: Set<Waiting>
  waitingBytes: number
  /** Milliseconds of requests in progress, those of earlier seconds by half-lives. */
  used: number
}

/**
 * Lets requests begin. While the thread is not late and the key has a place, a request begins at once. Otherwise it waits, and
 * the next is always that of the key, of those that have a place, that has used least in the last seconds.
 */
export function openLimiter(
  options: LimiterOptions,
  limitCounts: LimitCounts,
  clock: () => number = () => performance.now(),
): Limiter {
  const { maxAlone, maxShared, maxWaiting, maxWaitingBytes, maxReceivedBytes, waitTimeout } = options
  const keys = new Map<string, Key>()
  /** Keys of which requests wait. */
  const queued = new Set<Key>()
  const loop = openLoopClock(clock)
  let waiting = 0
  let waitingBytes = 0
  /** Of bodies whose requests are in progress. */
  let receivedBytes = 0
  let halvedAt = clock()
  let isServing = false
  let isClosing = false
  let last: { name: string; at: number } = { name: '', at: Number.NEGATIVE_INFINITY }
  /** The last of another key than `last`. */
  let other = last

  function keyOf(name: string): Key {
    const found = keys.get(name)
    if (found) return found
    const key = { name, inProgress: 0, waiting: new Set<Waiting>(), waitingBytes: 0, used: 0 }
    keys.set(name, key)
    return key
  }

  function notePresence(name: string): void {
    if (last.name !== name) {
      other = last
      last = { name, at: 0 }
    }
    last.at = clock()
  }

  function isAlone({ name }: Key): boolean {
    const { at } = last.name === name ? other : last
    return clock() - at > presence
  }

  function hasPlace(key: Key): boolean {
    return key.inProgress < maxShared || isClosing || (key.inProgress < maxAlone && isAlone(key))
  }

  /** Halves what was used for each half-life that has passed, and forgets keys that have nothing left. */
  function forgetUse(): void {
    const halfLives = Math.floor((clock() - halvedAt) / halfLife)
    if (halfLives === 0) return
    halvedAt += halfLives * halfLife
    for (const [name, key] of keys) {
      key.used /= 2 ** halfLives
      if (key.used < minUse && key.inProgress === 0 && key.waiting.size === 0) keys.delete(name)
    }
  }

  function hasRoom(bytes: number): boolean {
    return bytes === 0 || receivedBytes + bytes <= maxReceivedBytes
  }

  function begin(key: Key, bytes: number): Place {
    const begun = clock()
    let isEnded = false
    key.inProgress += 1
    receivedBytes += bytes
    return {
      end() {
        if (isEnded) return
        isEnded = true
        key.inProgress -= 1
        receivedBytes -= bytes
        key.used += clock() - begun
        if (waiting > 0) serve()
      },
    }
  }

  function wait(key: Key, toReceive: number, { bytes, response }: Asking): Promise<Place> {
    return new Promise((resolve, reject) => {
      if (response.closed) return
      const timer = setTimeout(() => entry.refuse(serviceUnavailable('requestsWaiting')), waitTimeout).unref()
      const entry: Waiting = {
        toReceive,
        begin() {
          leave()
          resolve(begin(key, toReceive))
        },
        refuse(error) {
          leave()
          reject(error)
        },
      }
      function leave(): void {
        clearTimeout(timer)
        response.off('close', leave)
        key.waiting.delete(entry)
        key.waitingBytes -= bytes
        if (key.waiting.size === 0) queued.delete(key)
        waiting -= 1
        waitingBytes -= bytes
      }
      response.once('close', leave)
      key.waiting.add(entry)
      key.waitingBytes += bytes
      queued.add(key)
      waiting += 1
      waitingBytes += bytes
      if (waiting > maxWaiting) refuseNewest('size')
      else if (waitingBytes > maxWaitingBytes) refuseNewest('bytes')
      serve()
    })
  }

  /** Of the key that holds most of what there is too much of. */
  function refuseNewest(measure: 'size' | 'bytes'): void {
    const sizeOf = (key: Key) => (measure === 'size' ? key.waiting.size : key.waitingBytes)
    const largest = [...queued].reduce((one, another) => (sizeOf(another) > sizeOf(one) ? another : one))
    const newest = [...largest.waiting].at(-1)!
    newest.refuse(tooManyRequests('requestsWaiting', retryAfterSeconds))
  }

  function serve(): void {
    if (isServing || !findNext()) return
    isServing = true
    loop.eachTurn(() => {
      const key = findNext()
      const [next] = key?.waiting ?? []
      if (next) next.begin()
      else isServing = false
      return next !== undefined
    })
  }

  function findNext(): Key | undefined {
    forgetUse()
    let next: Key | undefined
    for (const key of queued) {
      const [first] = key.waiting
      if (hasPlace(key) && hasRoom(first!.toReceive) && (next === undefined || key.used < next.used)) next = key
    }
    return next
  }

  return {
    get waiting() {
      return waiting
    },
    enter(asking) {
      forgetUse()
      const key = keyOf(asking.key)
      notePresence(asking.key)
      key.used += arrivalCost + asking.bytes / bytesPerMillisecond
      const toReceive = asking.isLong ? asking.bytes : 0
      const mayBegin = key.waiting.size === 0 && hasPlace(key) && hasRoom(toReceive)
      if (mayBegin && !isServing && !loop.isLate()) return begin(key, toReceive)
      limitCounts.add(hasRoom(toReceive) ? 'requestsWaiting' : 'requestBytes')
      return wait(key, toReceive, asking)
    },
    close() {
      isClosing = true
      if (waiting > 0) serve()
    },
  }
}
