import { Lines } from '../queue.ts'

/** Requests that wait for their turn when the serving thread has more to do than it can do at once. */
export interface Turns {
  /**
   * Undefined if the request may be answered now; otherwise resolves when it may. `findKey` says whose request it is: the
   * key that has used the thread least is next. It must not reject. `expected`: milliseconds that the thread will need for
   * what begins, but in later turns of the event loop, where they cannot be measured; they are charged in advance.
   */
  take(findKey: () => Promise<string>, expected?: number): Promise<void> | undefined
}

/** Milliseconds of one turn of the event loop after which further requests of that turn wait (chosen). */
const mostOfTurn = 10
/** Milliseconds of one turn in which waiting requests begin: what arrives meanwhile is not considered before (chosen). */
const mostOfServing = 2
/** Most requests that begin in one turn of the event loop (chosen). */
const mostInTurn = 16
/** Milliseconds after a long turn for which the thread counts as busy: every request takes its turn (chosen). */
const busyFor = 1_000
/** Milliseconds after which what a key has used counts half. */
const halfLife = 1_000
/** Milliseconds of use that are forgotten. */
const leastUse = 0.1
/** Share of the thread that every key may use at least while the thread is busy (chosen). */
const leastShare = 0.05

/**
 * The event loop answers requests in the order in which they arrive, so one caller with many connections or with costly
 * requests would have most of its time. While turns of the loop are short, requests are answered at once, without a queue.
 * After a long one, requests wait, and begin one after the other for a part of each turn; the key of each is charged
 * with the time that it took. Then no key gets more of the thread than its equal share, even if nothing else waits: a thread
 * that is always at work for callers who ask without a pause makes each of the others wait for what has begun.
 * A long body is work too: it is not received before its turn, and the client waits with it. `now`: milliseconds.
 */
export function openTurns(now: () => number = () => performance.now()): Turns {
  const lines = new Lines()
  /** Milliseconds that each key has used, as they count at `weighedAt`; what comes later weighs more. */
  const used = new Map<string, number>()
  let weighedAt = now()
  let busyUntil = Number.NEGATIVE_INFINITY
  let begunAt: number | undefined
  /** Milliseconds that are expected of what has begun in this turn of the event loop. */
  let ahead = 0
  /** Requests whose key is not known yet. */
  let arriving = 0
  let isServing = false
  /** Until a key may use the thread again. */
  let pause: NodeJS.Timeout | undefined

  function isBusy(): boolean {
    const time = now()
    if (begunAt === undefined) {
      begunAt = time
      setImmediate(() => {
        begunAt = undefined
        ahead = 0
      })
    }
    if (time - begunAt + ahead > mostOfTurn) busyUntil = time + busyFor
    return isServing || arriving > 0 || lines.length > 0 || time < busyUntil
  }

  function take(findKey: () => Promise<string>, expected = 0): Promise<void> | undefined {
    if (isBusy()) return wait(findKey, expected)
    ahead += expected
    return undefined
  }

  async function wait(findKey: () => Promise<string>, expected: number): Promise<void> {
    arriving += 1
    const key = await findKey()
    arriving -= 1
    return new Promise((begin) => {
      lines.add(key, () => {
        charge(key, expected)
        ahead += expected
        begin()
      })
      if (!isServing) serveTurn()
    })
  }

  /** A callback is called after all the work that the one before it began, so it knows how long that took. */
  function serveTurn(): void {
    isServing = true
    clearTimeout(pause)
    let key: string | undefined
    let begun = now()
    /** Counted from the first of them: what is received before it may take any time. */
    let end: number | undefined
    ahead = 0

    function chargeLast(): void {
      if (key !== undefined) charge(key, now() - begun)
    }

    function serve(): void {
      chargeLast()
      begun = now()
      end ??= begun + mostOfServing
      key = begun + ahead < end ? findNext() : undefined
      if (key !== undefined) lines.take(key)()
    }

    for (let number = 0; number < mostInTurn; number += 1) setImmediate(serve)
    setImmediate(() => {
      chargeLast()
      isServing = false
      const { key: next, excess } = findLeast()
      if (next === undefined) return
      if (excess <= 1) serveTurn()
      else pause = setTimeout(serveTurn, Math.log2(excess) * halfLife).unref()
    })
  }

  /** How much more a millisecond counts that is used now than one at `weighedAt`. */
  function weight(): number {
    return 2 ** ((now() - weighedAt) / halfLife)
  }

  function charge(key: string, milliseconds: number): void {
    used.set(key, (used.get(key) ?? 0) + milliseconds * weight())
  }

  function findNext(): string | undefined {
    const { key, excess } = findLeast()
    return excess <= 1 ? key : undefined
  }

  /** Of the keys that wait, the one that has used least, and its use as a multiple of what it may. */
  function findLeast(): { readonly key: string | undefined; readonly excess: number } {
    forgetOld()
    let next: string | undefined
    let least = Number.POSITIVE_INFINITY
    for (const [key] of lines.entries()) {
      const use = used.get(key) ?? 0
      if (use >= least) continue
      next = key
      least = use
    }
    return { key: next, excess: used.size <= 1 ? 0 : least / weight() / mostUse() }
  }

  /** Milliseconds that a key has used which has had its share for long. */
  function mostUse(): number {
    return (Math.max(1 / used.size, leastShare) * halfLife) / Math.LN2
  }

  function forgetOld(): void {
    const grown = weight()
    if (grown < 2) return
    weighedAt = now()
    for (const [key, use] of used) {
      const left = use / grown
      if (left > leastUse) used.set(key, left)
      else used.delete(key)
    }
  }

  return { take }
}
