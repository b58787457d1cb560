/** Queues that refuse tasks that would wait too long, with an error of the caller's choice. */

export interface FairQueue {
  /** Runs the task in the turn of its key. Rejects with `full` if as many of its key wait as may. */
  run<Result>(key: string, task: () => Promise<Result>): Promise<Result>
  /** Waiting tasks that begin before a new one of this key would. */
  ahead(key: string): number
  /** Tasks that have not begun, of one key or of all. */
  waiting(key?: string): number
}

export interface FairQueueOptions {
  /** Maximum number of tasks that run at a time. */
  readonly atOnce: number
  /** Maximum number of tasks of one key that wait. */
  readonly maxPerKey: number
  /** The error of a task whose key has as many. */
  readonly full: (key: string) => Error
}

/**
 * A queue in which keys take turns: between two tasks of one key, every other key that waits has one. Tasks of one key
 * begin in the order in which they came. Nothing is kept of a key that has no waiting task.
 */
export function fairQueue({ atOnce, maxPerKey, full }: FairQueueOptions): FairQueue {
  const lines = new KeyedQueues()
  let running = 0

  function wait(key: string): Promise<void> {
    if (lines.lengthOf(key) >= maxPerKey) throw full(key)
    return new Promise((begin) => lines.add(key, begin))
  }

  function beginNext(): void {
    const next = lines.entries().next()
    if (next.done) running -= 1
    else lines.take(next.value[0])()
  }

  return {
    waiting: (key) => (key === undefined ? lines.length : lines.lengthOf(key)),
    ahead(key) {
      const own = lines.lengthOf(key)
      let ahead = 0
      /** Turns of each other key: those before this one have one more. */
      let rounds = own + 1
      for (const [other, { length }] of lines.entries()) {
        if (other === key) rounds = own
        ahead += Math.min(length, rounds)
      }
      return ahead
    },
    async run(key, task) {
      if (running >= atOnce) await wait(key)
      else running += 1
      try {
        return await task()
      } finally {
        beginNext()
      }
    },
  }
}

/** Waiting tasks by key, the keys in the order in which they were last served. */
export class KeyedQueues {
  /** A map keeps the order of insertion. */
  readonly #lines = new Map<string, KeyedQueue>()
  length = 0

  add(key: string, begin: () => void): void {
    const line = this.#lines.get(key) ?? new KeyedQueue()
    if (line.length === 0) this.#lines.set(key, line)
    line.add(begin)
    this.length += 1
  }

  /** Removes the first task of a key that has one, and puts the key behind all others. */
  take(key: string): () => void {
    const line = this.#lines.get(key)!
    const begin = line.take()
    this.length -= 1
    this.#lines.delete(key)
    if (line.length > 0) this.#lines.set(key, line)
    return begin
  }

  lengthOf(key: string): number {
    return this.#lines.get(key)?.length ?? 0
  }

  entries(): MapIterator<[key: string, line: { readonly length: number }]> {
    return this.#lines.entries()
  }
}

interface Waiting {
  readonly begin: () => void
  next: Waiting | undefined
}

/** Waiting tasks, in a list, as taking the first of a long array moves all the others. */
class KeyedQueue {
  #first: Waiting | undefined
  #last: Waiting | undefined
  length = 0

  add(begin: () => void): void {
    const added = { begin, next: undefined }
    if (this.#last) this.#last.next = added
    else this.#first = added
    this.#last = added
    this.length += 1
  }

  /** Called only for a line that is not empty. */
  take(): () => void {
    const { begin, next } = this.#first!
    this.#first = next
    if (!next) this.#last = undefined
    this.length -= 1
    return begin
  }
}

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
  const queue = fairQueue({ atOnce: 1, maxPerKey: Number.POSITIVE_INFINITY, full: late })
  return Object.assign(
    <Result>(task: () => Promise<Result>, until: number) =>
      queue.run('', () => {
        if (performance.now() > until) throw late()
        return task()
      }),
    { waiting: () => queue.waiting() },
  )
}

const firstGuessMilliseconds = 50

export interface MeasuredQueueOptions extends FairQueueOptions {
  readonly maxWaitMilliseconds: number
  readonly busy: () => Error
}

/** A fair queue of CPU-bound tasks, which measures how long they take. */
export interface MeasuredQueue extends Pick<FairQueue, 'run'> {
  /**
   * Runs it as `run` does, but a task that would wait longer than `maxWaitMilliseconds`, estimated from the duration of earlier
   * tasks, is rejected immediately: with `full` if others of its key wait, with `busy` if none does.
   */
  runSoon: FairQueue['run']
}

export function measuredQueue({ maxWaitMilliseconds, busy, ...options }: MeasuredQueueOptions): MeasuredQueue {
  const queue = fairQueue(options)
  /** Duration of one task; the first guess counts until one was measured. */
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

  const run: FairQueue['run'] = (key, task) => queue.run(key, () => measured(task))
  return {
    run,
    async runSoon(key, task) {
      if ((queue.ahead(key) * milliseconds) / options.atOnce > maxWaitMilliseconds) {
        throw queue.waiting(key) > 0 ? options.full(key) : busy()
      }
      return run(key, task)
    },
  }
}
