/** Queues that refuse tasks that would wait too long, with an error of the caller's choice. */

/** Runs one task after the other, in the order in which they came. */
export interface SerialQueue {
  <Result>(task: () => Promise<Result>, until: number): Promise<Result>
  /** Tasks that have not begun. */
  waiting(): number
}

/**
 * A queue whose tasks fail with `late` if they have not begun at `until`, on the clock of `performance.now()`. Kysely's
 * own lock wakes every waiting task at each turn: four times the work when there are many.
 */
export function serialQueue(late: () => Error): SerialQueue {
  const queue = openQueue(1)
  return Object.assign(
    <Result>(task: () => Promise<Result>, until: number) =>
      queue.run(() => {
        if (performance.now() > until) throw late()
        return task()
      }),
    { waiting: queue.waiting },
  )
}

const firstGuessMilliseconds = 50

/**
 * Runs at most `atOnce` CPU-bound tasks at a time. A task that would wait longer than `longestWaitMilliseconds`, estimated
 * from the duration of earlier tasks, fails with `busy` at once.
 */
export function limitConcurrency(atOnce: number, longestWaitMilliseconds: number, busy: () => Error) {
  const queue = openQueue(atOnce)
  /** Of one task; the first guess counts until one was measured. */
  let milliseconds = firstGuessMilliseconds
  let isGuess = true

  async function measured<Result>(task: () => Promise<Result>): Promise<Result> {
    const begun = performance.now()
    try {
      return await task()
    } finally {
      const took = performance.now() - begun
      milliseconds = isGuess ? took : milliseconds * 0.8 + took * 0.2
      isGuess = false
    }
  }

  return async <Result>(task: () => Promise<Result>): Promise<Result> => {
    if ((queue.waiting() * milliseconds) / atOnce > longestWaitMilliseconds) throw busy()
    return queue.run(() => measured(task))
  }
}

interface Waiting {
  readonly begin: () => void
  next: Waiting | undefined
}

/**
 * Runs at most `atOnce` tasks at a time; the others begin in the order in which they came. They wait in a list, as
 * taking the first of a long array moves all the others.
 */
function openQueue(atOnce: number) {
  let first: Waiting | undefined
  let last: Waiting | undefined
  let waiting = 0
  let running = 0

  function wait(): Promise<void> {
    return new Promise((begin) => {
      const added = { begin, next: undefined }
      if (first) last!.next = added
      else first = added
      last = added
      waiting += 1
    })
  }

  function beginNext(): void {
    if (!first) {
      running -= 1
      return
    }
    const { begin, next } = first
    first = next
    waiting -= 1
    begin()
  }

  return {
    waiting: () => waiting,
    async run<Result>(task: () => Promise<Result>): Promise<Result> {
      if (running >= atOnce) await wait()
      else running += 1
      try {
        return await task()
      } finally {
        beginNext()
      }
    },
  }
}
