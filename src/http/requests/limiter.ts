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
  /** Bytes of long bodies whose requests are in progress, as announced. */
  readonly maxLongBytes: number
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
  const bounds = { maxWaiting: 20_000, maxWaitingBytes: 64 * 1024 * 1024, maxLongBytes: requestBytes }
  return { ...places, ...bounds, waitTimeout }
}

/** A request that is in progress. */
export interface Place {
  readonly key: string
  /** Notes that a long body has come whole: only from then on does the time count as use. */
  received(): void
  /** Notes that the request is one of its key, where that was not known before its body had come. */
  confirm(): void
  /** Frees the place, and charges its key with the time that it was taken; only the first call counts. */
  end(): void
}

/** A request that asks for a place. */
export interface Asking {
  /** User or network address: requests of one key share its places. */
  readonly key: string
  /** Whether it is a network, which may have many users who are not known. */
  readonly isNetwork: boolean
  /** Bytes of its body, received or not. */
  readonly bytes: number
  /** A body that is received only in its place. */
  readonly long?: LongBody
  readonly response: ClosingResponse
}

interface LongBody {
  /** Bytes that it may have. */
  readonly bytes: number
  /** Closes the connection, where bodies together have too many bytes before this one is whole. */
  cut(): void
}

/** A response, as far as it says that its client has gone. */
interface ClosingResponse {
  readonly closed: boolean
  once(event: 'close', act: () => void): unknown
  off(event: 'close', act: () => void): unknown
}

export interface Limiter {
  /**
   * Returns the place of a request, immediately or when it is its turn. Rejects with 429 where too many wait and its key holds most, and
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
/** Use from which a user has one request in progress while others ask (chosen). */
const heavyUse = 350
/** Use from which a user whose last request was a long one has none, until enough is forgotten (chosen): half of the time. */
const maxUse = 700
/** Milliseconds from which a request is a long one (chosen): others that come meanwhile wait for it. */
const minLongRequest = 5
/** Milliseconds after which requests of those users are looked at again. */
const restInterval = 20
/** How many times as much a network may use (chosen): it may be that of many users. */
const ofNetwork = 4
const retryAfterSeconds = 5

interface Waiting {
  readonly bytes: number
  begin(): void
  refuse(error: Error): void
}

interface Key {
  readonly name: string
  readonly isNetwork: boolean
  /** Requests in progress. */
  inProgress: number
  /** In the order in which they came. */
  readonly waiting: Set<Waiting>
  waitingBytes: number
  /** Bodies that are not whole yet, in the order in which they began. */
  readonly receiving: Set<LongBody>
  /** Bytes of those bodies. */
  receivingBytes: number
  /** Milliseconds of requests in progress, those of earlier times by half-lives. */
  used: number
  /** When that was so. */
  usedAt: number
  /** Milliseconds of the last request that has ended. */
  lastTook: number
}

/**
 * Lets requests begin. While the thread is not late and the key has a place, a request begins immediately. Otherwise it waits, and
 * the next is always that of the key, of those that have a place, that has used least in the last seconds.
 */
export function openLimiter(
  options: LimiterOptions,
  limitCounts: LimitCounts,
  clock: () => number = () => performance.now(),
): Limiter {
  const { maxAlone, maxShared, maxWaiting, maxWaitingBytes, maxLongBytes, waitTimeout } = options
  const keys = new Map<string, Key>()
  /** Keys of which requests wait. */
  const queued = new Set<Key>()
  const loop = openLoopClock(clock)
  let waiting = 0
  let waitingBytes = 0
  /** Bytes of long bodies whose requests are in progress. */
  let longBytes = 0
  let forgottenAt = clock()
  let resting: NodeJS.Timeout | undefined
  let isServing = false
  let isClosing = false
  let last: { name: string; at: number } = { name: '', at: Number.NEGATIVE_INFINITY }
  /** The last of another key than `last`. */
  let other = last

  function keyOf({ key: name, isNetwork }: Asking): Key {
    const found = keys.get(name)
    if (found) return found
    const bodies = { waiting: new Set<Waiting>(), waitingBytes: 0, receiving: new Set<LongBody>(), receivingBytes: 0 }
    const key = { name, isNetwork, inProgress: 0, ...bodies, used: 0, usedAt: clock(), lastTook: 0 }
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

  function isAlone(key: Key): boolean {
    const { at } = last.name === key.name ? other : last
    const othersWait = queued.size > (queued.has(key) ? 1 : 0)
    return !othersWait && clock() - at > presence
  }

  /** Places of a key while others ask: few of a heavy one, as others find its requests in the thread, the database and the disk. */
  function placesBesideOthers(key: Key): number {
    const use = useOf(key) / (key.isNetwork ? ofNetwork : 1)
    if (use < heavyUse) return maxShared
    return use >= maxUse && key.lastTook >= minLongRequest ? 0 : 1
  }

  function hasPlace(key: Key): boolean {
    if (isClosing) return true
    return key.inProgress < (isAlone(key) ? maxAlone : placesBesideOthers(key))
  }

  function useOf(key: Key): number {
    const now = clock()
    key.used /= 2 ** ((now - key.usedAt) / halfLife)
    key.usedAt = now
    return key.used
  }

  /** Part of the time may be waiting for others: no more counts than is forgotten within a second. */
  function charge(key: Key, milliseconds: number): void {
    const max = 2 * maxUse * (key.isNetwork ? ofNetwork : 1)
    key.used = Math.min(useOf(key) + milliseconds, max)
  }

  /** Forgets keys that have nothing left, once in a while. */
  function forgetKeys(): void {
    if (clock() - forgottenAt < halfLife) return
    forgottenAt = clock()
    for (const [name, key] of keys) {
      if (key.inProgress === 0 && key.waiting.size === 0 && useOf(key) < minUse) keys.delete(name)
    }
  }

  /**
   * Closes connections whose body has been incomplete for the longest time, of the key that has most of them, while long
   * bodies have too many bytes: a body that never comes takes no place of another key.
   */
  function makeRoom(): void {
    while (longBytes > maxLongBytes) {
      let largest: Key | undefined
      for (const key of keys.values()) {
        if (key.receivingBytes > (largest?.receivingBytes ?? 0)) largest = key
      }
      const [oldest] = largest?.receiving ?? []
      if (!largest || !oldest) return
      limitCounts.add('requestBytes')
      stopReceiving(largest, oldest)
      longBytes -= oldest.bytes
      oldest.cut()
    }
  }

  function stopReceiving(key: Key, body: LongBody): boolean {
    if (!key.receiving.delete(body)) return false
    key.receivingBytes -= body.bytes
    return true
  }

  function begin(key: Key, body: LongBody | undefined): Place {
    let begun = clock()
    let isEnded = false
    let isReceived = body === undefined
    key.inProgress += 1
    if (body) {
      key.receiving.add(body)
      key.receivingBytes += body.bytes
      longBytes += body.bytes
      makeRoom()
    }

    function received(): void {
      if (isReceived || !stopReceiving(key, body!)) return
      isReceived = true
      begun = clock()
    }

    return {
      key: key.name,
      received,
      confirm: () => notePresence(key.name),
      end() {
        if (isEnded) return
        isEnded = true
        key.inProgress -= 1
        // A body that was cut counts no more.
        if (body && (isReceived || stopReceiving(key, body))) longBytes -= body.bytes
        if (isReceived) {
          key.lastTook = clock() - begun
          charge(key, key.lastTook)
        }
        if (waiting > 0) serve()
      },
    }
  }

  function wait(key: Key, { bytes, long, response }: Asking): Promise<Place> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => entry.refuse(serviceUnavailable('requestsWaiting')), waitTimeout).unref()
      const entry: Waiting = {
        bytes,
        begin() {
          leave()
          resolve(begin(key, long))
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
      if (waiting > maxWaiting) refuseNewest((one) => one.waiting.size)
      while (waitingBytes > maxWaitingBytes) refuseNewest((one) => one.waitingBytes)
      serve()
    })
  }

  /** Refuses the newest request of the key that holds most; where bytes are measured, the newest that has some. */
  function refuseNewest(sizeOf: (key: Key) => number): void {
    const largest = [...queued].reduce((one, another) => (sizeOf(another) > sizeOf(one) ? another : one))
    const newestFirst = [...largest.waiting].reverse()
    const newest = (waitingBytes > maxWaitingBytes && newestFirst.find(({ bytes }) => bytes > 0)) || newestFirst[0]!
    newest.refuse(tooManyRequests('requestsWaiting', retryAfterSeconds))
  }

  function serve(): void {
    clearTimeout(resting)
    if (isServing || waiting === 0) return
    if (!findNext()) {
      // Nothing else may tell when a key has rested enough.
      resting = setTimeout(serve, restInterval).unref()
      return
    }
    isServing = true
    loop.eachTurn(() => {
      const key = findNext()
      const [next] = key?.waiting ?? []
      if (next) next.begin()
      else {
        isServing = false
        serve()
      }
      return next !== undefined
    })
  }

  function findNext(): Key | undefined {
    forgetKeys()
    let next: Key | undefined
    for (const key of queued) if (hasPlace(key) && (next === undefined || useOf(key) < useOf(next))) next = key
    return next
  }

  return {
    get waiting() {
      return waiting
    },
    enter(asking) {
      forgetKeys()
      const key = keyOf(asking)
      // The sender of a long body may be known only when it has come.
      if (!asking.long) notePresence(asking.key)
      charge(key, arrivalCost + asking.bytes / bytesPerMillisecond)
      if (asking.response.closed) return never
      const mayBegin = key.waiting.size === 0 && hasPlace(key)
      if (mayBegin && !isServing && !loop.isLate()) return begin(key, asking.long)
      limitCounts.add('requestsWaiting')
      return wait(key, asking)
    },
    close() {
      isClosing = true
      if (waiting > 0) serve()
    },
  }
}

/** Place of a client that has gone: it never begins. */
const never = new Promise<never>(() => undefined)
