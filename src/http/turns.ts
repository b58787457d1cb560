import { fairQueue } from '../queue.ts'

/** Requests that wait for their turn when the serving thread has more to do than it can do at once. */
export interface Turns {
  /**
   * Undefined if the request may be answered now; otherwise resolves when it may. `findKey` says whose request it is: keys
   * take turns. It must not reject.
   */
  take(findKey: () => Promise<string>): Promise<void> | undefined
}

/** Milliseconds of one turn of the event loop after which further requests of that turn wait. */
const mostOfTurn = 5
/** Waiting requests that begin in one turn of the event loop. */
const mostBegun = 4

/**
 * The event loop answers requests in the order in which they arrive, so one caller with many connections would have most
 * of its time. While a turn of the loop is short, requests are answered at once, without a queue. `now`: milliseconds.
 */
export function openTurns(now: () => number = () => performance.now()): Turns {
  const queue = fairQueue({ atOnce: mostBegun, mostPerKey: Number.POSITIVE_INFINITY, full: () => new Error('Full.') })
  let begunAt: number | undefined
  /** Requests whose key is not known yet. */
  let arriving = 0
  let taken = 0

  function isLate(): boolean {
    if (begunAt === undefined) {
      begunAt = now()
      setImmediate(() => {
        begunAt = undefined
      })
    }
    return arriving > 0 || queue.waiting() > 0 || now() - begunAt > mostOfTurn
  }

  /** Takes a place until the next turn of the event loop: by then the request that began with it has been worked on. */
  function takePlace(key: string, begin?: () => void): void {
    void queue.run(key, () => {
      begin?.()
      taken += 1
      return new Promise<void>((next) => setImmediate(next)).finally(() => {
        taken -= 1
      })
    })
  }

  async function wait(findKey: () => Promise<string>): Promise<void> {
    arriving += 1
    const key = await findKey()
    arriving -= 1
    // Nothing more begins in a turn that is long already, and all who arrive in it are considered for the next.
    if (taken === 0) for (let place = 0; place < mostBegun; place += 1) takePlace('')
    return new Promise((begin) => takePlace(key, begin))
  }

  return { take: (findKey) => (isLate() ? wait(findKey) : undefined) }
}
