/** Has something done later; answers the function that gives it up. */
export type Schedule = (work: () => void) => () => void

/** Work for which there is time later: asked for any number of times meanwhile, it is done once. */
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

  /** Does it at once, if it is due. */
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
