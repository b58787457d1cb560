import { setImmediate as microtasksDone } from 'node:timers/promises'

/** Decides which of several clients goes on next: by chance, and the same in every run. */
export class Scheduler {
  readonly #random: () => number
  readonly #waiting: (() => void)[] = []
  #time = 0

  constructor(random: () => number) {
    this.#random = random
  }

  /** Lets others go on; resolves when it is this one's turn again. */
  readonly pause = (): Promise<void> => new Promise((resolve) => this.#waiting.push(resolve))

  /** A clock that is later each time. */
  readonly now = (): number => {
    this.#time += 1
    return this.#time
  }

  /** Runs clients to their ends, one step of one client at a time. */
  async run(clients: readonly (() => Promise<void>)[]): Promise<void> {
    const ended = Promise.all(clients.map((client) => client()))
    while (this.#waiting.length > 0) {
      const [resume] = this.#waiting.splice(Math.floor(this.#random() * this.#waiting.length), 1)
      resume!()
      await microtasksDone()
    }
    await ended
  }
}
