import { Lines } from '../../queue.ts'

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
const mostOfTurn = 3
/** Milliseconds of one turn in which waiting requests begin: what arrives meanwhile is not considered before (chosen). */
const mostOfServing = 1
/** Most requests that begin in one turn of the event loop (chosen). */
const mostInTurn = 16
/** Milliseconds after which what a key has used counts half. */
const halfLife = 1_000
/** Milliseconds of use that are forgotten. */
const leastUse = 0.1

/**
 * The event loop answers requests in the order in which they arrive, so one caller with many connections or with costly
 * requests would have most of its time. While a turn of the loop is short, requests are answered at once, without a queue.
 * When it is long, requests wait, and begin one after the other for a part of each turn; the key of each is charged
 * with the time that it took. A long body is work too: it is not received before its turn, and the client waits with it.
 * `now`: milliseconds.
 */
export function openTurns(now: () => number = () => performance.now()): Turns {
  const lines = new Lines()
  const used = new Map<string, number>()
  let halvedAt = now()
  let begunAt: number | undefined
  /** Milliseconds that are expected of what has begun in this turn of the event loop. */
  let ahead = 0
  /** Requests whose key is not known yet. */
  let arriving = 0
  let isServing = false

  function isLate(): boolean {
    if (begunAt === undefined) {
      begunAt = now()
      setImmediate(() => {
        begunAt = undefined
        ahead = 0
      })
    }
    return isServing || arriving > 0 || now() - begunAt + ahead > mostOfTurn
  }

  function take(findKey: () => Promise<string>, expected = 0): Promise<void> | undefined {
    if (isLate()) return wait(findKey, expected)
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
      if (isServing) return
      isServing = true
      serveTurn()
    })
  }

  /** A callback is called after all the work that the one before it began, so it knows how long that took. */
  function serveTurn(): void {
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
      isServing = lines.length > 0
      if (isServing) serveTurn()
    })
  }

  function charge(key: string, milliseconds: number): void {
    used.set(key, (used.get(key) ?? 0) + milliseconds)
  }

  function findNext(): string | undefined {
    forgetOld()
    let next: string | undefined
    let least = Number.POSITIVE_INFINITY
    for (const [key] of lines.entries()) {
      const use = used.get(key) ?? 0
      if (use >= least) continue
      next = key
      least = use
    }
    return next
  }

  function forgetOld(): void {
    const halfLives = Math.floor((now() - halvedAt) / halfLife)
    if (halfLives === 0) return
    halvedAt += halfLives * halfLife
    for (const [key, use] of used) {
      const left = use / 2 ** halfLives
      if (left > leastUse) used.set(key, left)
      else used.delete(key)
    }
  }

  return { take }
}
