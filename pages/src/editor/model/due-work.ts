/** Schedules work; returns the function that cancels it. */
export type Schedule = (work: () => void) => () => void

/** Deferred work: however often it is requested before it runs, it runs once. */
export class DueWork {
  readonly #work: () => void
  readonly #schedule: Schedule
  #giveUp: (() => void) | undefined

  constructor(work: () => void, schedule: Schedule) {
    this.#work = work
    this.#schedule = schedule
  }

  get isDue(): boolean {
    return this.#giveUp !== undefined
  }

  ask(): void {
    this.#giveUp ??= this.#schedule(() => this.#do())
  }

  /** Runs it immediately, if it is due. */
  doNow(): void {
    if (!this.#giveUp) return
    this.#giveUp()
    this.#do()
  }

  giveUp(): void {
    this.#giveUp?.()
    this.#giveUp = undefined
  }

  #do(): void {
    this.#giveUp = undefined
    this.#work()
  }
}
