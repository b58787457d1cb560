import type { ReactiveController, ReactiveControllerHost } from 'lit'

/** An action of a person on a screen, one at a time: whether it is running, and the error of the last try. */
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

  /** Aborts the signal when the screen is removed: calls that only read end, calls that write do not use it. */
  hostDisconnected(): void {
    this.#controller.abort()
  }

  /** Runs the work; returns whether it succeeded. A second one is not started while the first is running. */
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

  /** Cancels the running work, if it observes its signal. */
  cancel(): void {
    this.#controller.abort()
  }

  forget(): void {
    this.error = undefined
    this.#host.requestUpdate()
  }
}
