import { serviceUnavailable, tooManyRequests } from '../../errors.ts'
import type { LimitCounts } from '../../limits.ts'
import type { LimiterBounds } from './bounds.ts'
import { Heap } from './heap.ts'
import { openLoopClock } from './loop-clock.ts'
import { openSharedTime } from './shared-time.ts'

/** A request that is in progress. */
export interface Place {
  readonly key: string
  /** Notes that a long body has come whole: only from then on does the time count as use. */
  received(): void
  /** Does what has a queue of its own, whose time is not use of the server. */
  elsewhere<Result>(work: () => Promise<Result>): Promise<Result>
  /** Does what may take long and uses nothing, without the place: afterwards it is entered again. */
  outside<Result>(work: () => Promise<Result>): Promise<Result>
  /** Frees the place, and charges its key with what it has used; only the first call counts. */
  end(): void
}

/** A request that asks for a place. */
export interface Asking {
  /** User or network address: requests of one key share its places. */
  readonly key: string
  /** Whether it is a search: they have places of their own, and delay no other key, as searches take turns elsewhere. */
  readonly isSearch?: boolean
  /** Bytes of its body, received or not. */
  readonly bytes: number
  /** A body that is received only in its place. */
  readonly long?: LongBody | undefined
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
/** Requests in the last second or two with which the server is crowded (chosen): those of five keys that ask without a pause. */
const minCrowd = 20
/** Milliseconds in which requests of one key count for that once (chosen): a few programs are no crowd, and slow answers make it no smaller. */
const countInterval = 300
/**
 * Milliseconds of work in progress with which a key gets no further place while the server is crowded, and of one request after
 * which it rests as long as that took (chosen).
 */
const maxWorkCrowded = 1
/** Milliseconds (chosen): a long file was perhaps slow to come, or read elsewhere. */
const maxRest = 200
/** Milliseconds that a request of a key is expected to use before one has ended (chosen). */
const unknownWork = 2
/** Part of that expectation which each request leaves that used less (chosen): one long request in ten keeps it. */
const kept = 0.9
/** Milliseconds after which use, and a request, count half. */
const halfLife = 1_000
/** Use, in milliseconds, below which it is forgotten. */
const minUse = 0.1
const retryAfterSeconds = 5

interface Waiting {
  readonly bytes: number
  begin(): void
  refuse(error: Error): void
}

/** Logarithm of a recent sum, to the base of 2, as it would count at the time 0: the order of ranks does not change as time passes. */
type Rank = number
const noRank: Rank = Number.NEGATIVE_INFINITY

interface Key {
  readonly name: string
  readonly isSearch: boolean
  /** Time at which it was counted last. */
  countedAt: number
  /** Requests in progress. */
  inProgress: number
  /** Oldest first. */
  readonly waiting: Waiting[]
  waitingBytes: number
  /** Bodies that are not whole yet, in the order in which they began. */
  readonly receiving: Set<LongBody>
  /** Bytes of those bodies. */
  receivingBytes: number
  /** Milliseconds that a request is expected to use. */
  work: number
  isResting: boolean
  /** Milliseconds that it has used. */
  rank: Rank
}

/**
 * Lets requests begin. While the thread is not late and the key has a place, a request begins immediately. Otherwise it waits, and
 * the next is always that of the key, of those that have a place, that has used least in the last seconds.
 */
export function openLimiter(
  bounds: LimiterBounds,
  limitCounts: LimitCounts,
  clock: () => number = () => performance.now(),
): Limiter {
  const { maxPlaces, maxWork, maxWaiting, maxWaitingBytes, maxLongBytes, waitTimeout } = bounds
  const keys = new Map<string, Key>()
  /** Keys with a request that waits and a place for it, by what they have used. */
  const ready = new Heap<Key>()
  /** Keys by the number of requests that wait, and by the bytes of these and of bodies that are not whole: the largest first. */
  const byWaiting = new Heap<Key>()
  const byWaitingBytes = new Heap<Key>()
  const byReceivingBytes = new Heap<Key>()
  const loop = openLoopClock(clock)
  const time = openSharedTime(clock)
  /** Requests that were counted. */
  let crowd = noRank
  let waiting = 0
  let waitingBytes = 0
  /** Bytes of long bodies whose requests are in progress. */
  let longBytes = 0
  let forgottenAt = clock()
  let isServing = false
  let isClosing = false

  function keyOf({ key, isSearch = false }: Asking): Key {
    const name = isSearch ? `search ${key}` : key
    const found = keys.get(name)
    if (found) return found
    const bodies = { waiting: [] as Waiting[], waitingBytes: 0, receiving: new Set<LongBody>(), receivingBytes: 0 }
    const use = { inProgress: 0, work: unknownWork, isResting: false, countedAt: -halfLife, rank: noRank }
    const made: Key = { name, isSearch, ...bodies, ...use }
    keys.set(name, made)
    return made
  }

  /** Whether a key gets one more place: it has one unless it rests, and more where those in progress have little work together. */
  function hasPlace(key: Key): boolean {
    if (isClosing) return true
    if (key.isResting || key.inProgress >= maxPlaces) return false
    return key.inProgress * key.work < (isCrowded() ? maxWorkCrowded : maxWork)
  }

  /** Has a key rest, which has no place then. */
  function rest(key: Key, milliseconds: number): void {
    key.isResting = true
    setTimeout(
      () => {
        key.isResting = false
        settle(key)
        serve()
      },
      Math.min(milliseconds, maxRest),
    ).unref()
  }

  function isCrowded(): boolean {
    return recent(crowd) >= minCrowd
  }

  function count(key: Key): void {
    if (clock() - key.countedAt < countInterval) return
    key.countedAt = clock()
    crowd = added(crowd, 1)
  }

  function recent(rank: Rank): number {
    return 2 ** (rank - clock() / halfLife)
  }

  function added(rank: Rank, amount: number): Rank {
    return Math.log2(recent(rank) + amount) + clock() / halfLife
  }

  /** Notes that requests of the key have begun, ended, or wait. */
  function settle(key: Key): void {
    if (key.waiting.length > 0 && hasPlace(key)) ready.put(key, key.rank)
    else ready.remove(key)
  }

  /** Forgets keys that have nothing left, once in a while. */
  function forgetKeys(): void {
    const now = clock()
    if (now - forgottenAt < halfLife) return
    forgottenAt = now
    for (const [name, key] of keys) {
      if (key.inProgress === 0 && key.waiting.length === 0 && recent(key.rank) < minUse) keys.delete(name)
    }
  }

  /**
   * Closes connections whose body has been incomplete for the longest time, of the key that has most of them, while long
   * bodies have too many bytes: a body that never comes takes no place of another key.
   */
  function makeRoom(): void {
    while (longBytes > maxLongBytes) {
      const largest = byReceivingBytes.first()
      const [oldest] = largest?.receiving ?? []
      if (!largest || !oldest) return
      limitCounts.add('requestBytes')
      changeReceiving(largest, oldest, -1)
      longBytes -= oldest.bytes
      oldest.cut()
    }
  }

  function changeReceiving(key: Key, body: LongBody, sign: 1 | -1): void {
    if (sign === 1) key.receiving.add(body)
    else key.receiving.delete(body)
    key.receivingBytes += sign * body.bytes
    putOrRemove(byReceivingBytes, key, key.receivingBytes)
  }

  function begin(key: Key, asking: Asking): Place {
    const { long: body } = asking
    /** Place after work outside of it. */
    let next: Place | undefined
    const begun = clock()
    let isReceived = body === undefined
    let isEnded = false
    let used = 0
    /** Ends a stretch of time that counts, and returns its milliseconds; undefined where none does. */
    let stop = isReceived ? time.begin() : undefined
    key.inProgress += 1
    if (body) {
      longBytes += body.bytes
      changeReceiving(key, body, 1)
      makeRoom()
    }
    settle(key)

    function pause(): void {
      used += stop?.() ?? 0
      stop = undefined
    }

    return {
      key: key.name,
      received() {
        if (!body || !key.receiving.has(body)) return
        isReceived = true
        stop = time.begin()
        changeReceiving(key, body, -1)
        settle(key)
      },
      async elsewhere(work) {
        if (next) return next.elsewhere(work)
        pause()
        try {
          return await work()
        } finally {
          if (!isEnded) stop ??= time.begin()
        }
      },
      async outside(work) {
        this.end()
        try {
          return await work()
        } finally {
          next = await enter({ ...asking, bytes: 0, long: undefined })
        }
      },
      end() {
        next?.end()
        if (isEnded) return
        isEnded = true
        pause()
        key.inProgress -= 1
        // A body that was cut counts no more.
        if (body && (isReceived || key.receiving.has(body))) longBytes -= body.bytes
        if (body && key.receiving.has(body)) changeReceiving(key, body, -1)
        if (isReceived) {
          key.work = Math.max(used, key.work * kept)
          key.rank = added(key.rank, used)
          // Half of the time remains for others. What a search uses is the time of another thread.
          const took = clock() - begun
          if ((key.isSearch ? took : used) >= maxWorkCrowded && isCrowded()) rest(key, took)
        }
        settle(key)
        serve()
      },
    }
  }

  function wait(key: Key, asking: Asking): Promise<Place> {
    const { bytes, response } = asking
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => entry.refuse(serviceUnavailable('requestsWaiting')), waitTimeout).unref()
      const entry: Waiting = {
        bytes,
        begin() {
          leave()
          resolve(begin(key, asking))
        },
        refuse(error) {
          leave()
          reject(error)
        },
      }
      function leave(): void {
        clearTimeout(timer)
        response.off('close', leave)
        key.waiting.splice(key.waiting.indexOf(entry), 1)
        changeWaiting(key, -1, -bytes)
      }
      response.once('close', leave)
      key.waiting.push(entry)
      changeWaiting(key, 1, bytes)
      if (waiting > maxWaiting) refuse(byWaiting.first()!.waiting.at(-1)!)
      while (waitingBytes > maxWaitingBytes) refuse(byWaitingBytes.first()!.waiting.findLast((one) => one.bytes > 0)!)
      serve()
    })
  }

  function changeWaiting(key: Key, number: 1 | -1, bytes: number): void {
    waiting += number
    waitingBytes += bytes
    key.waitingBytes += bytes
    putOrRemove(byWaiting, key, key.waiting.length)
    putOrRemove(byWaitingBytes, key, key.waitingBytes)
    settle(key)
  }

  function refuse(newest: Waiting): void {
    newest.refuse(tooManyRequests('requestsWaiting', retryAfterSeconds))
  }

  function serve(): void {
    if (isServing || ready.size === 0) return
    isServing = true
    loop.eachTurn(() => {
      const next = findNext()
      if (next) next.begin()
      else isServing = false
      return next !== undefined
    })
  }

  function findNext(): Waiting | undefined {
    for (let key = ready.first(); key; key = ready.first()) {
      if (hasPlace(key)) return key.waiting[0]
      // The server has become crowded; it is ready again when one of its requests ends.
      ready.remove(key)
    }
    return undefined
  }

  function enter(asking: Asking): Place | Promise<Place> {
    forgetKeys()
    const key = keyOf(asking)
    key.rank = added(key.rank, arrivalCost + asking.bytes / bytesPerMillisecond)
    count(key)
    if (asking.response.closed) return never
    const mayBegin = key.waiting.length === 0 && hasPlace(key)
    if (mayBegin && !isServing && !loop.isLate()) return begin(key, asking)
    limitCounts.add('requestsWaiting')
    return wait(key, asking)
  }

  return {
    get waiting() {
      return waiting
    },
    enter,
    close() {
      isClosing = true
      for (const key of keys.values()) settle(key)
      serve()
    },
  }
}

/** Ranks a key by its size, the largest first. */
function putOrRemove(heap: Heap<Key>, key: Key, size: number): void {
  if (size > 0) heap.put(key, -size)
  else heap.remove(key)
}

/** Place of a client that has gone: it never begins. */
const never = new Promise<never>(() => undefined)
