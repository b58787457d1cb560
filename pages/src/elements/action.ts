import type { ReactiveController, ReactiveControllerHost } from 'lit'

/** An action of a person on a screen, one at a time: whether it is under way, and why the last try failed. */
export class Action implements ReactiveController {
  error: unknown
  isRunning = false
  readonly #host: ReactiveControllerHost
  #controller = new AbortController()

  constructor(host: ReactiveControllerHost) {
    this.#host = host
    host.addController(this)
  }

  hostConnected(): void {}

  /** Calls that only read end with the screen; those that write are not asked to. */
  hostDisconnected(): void {
    this.#controller.abort()
  }

  /** Whether it was done. A second one is not begun while the first is under way. */
  async run(work: (signal: AbortSignal) => Promise<unknown>): Promise<boolean> {
    if (this.isRunning) return false
    this.#controller = new AbortController()
    this.error = undefined
    this.isRunning = true
    this.#host.requestUpdate()
    try {
      await work(this.#controller.signal)
      return true
    } catch (error) {
      if (!this.#controller.signal.aborted) this.error = error
      return false
    } finally {
      this.isRunning = false
      this.#host.requestUpdate()
    }
  }

  /** Ends what is under way, where the work heeds its signal. */
  cancel(): void {
    this.#controller.abort()
  }

  forget(): void {
    this.error = undefined
    this.#host.requestUpdate()
  }
}
