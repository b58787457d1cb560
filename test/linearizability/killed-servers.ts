import type { CartularyProcess } from '../support/portal/process.ts'
import type { Site } from './crowd.ts'

/** Server processes that are killed, and started again immediately. */
export class KilledServers implements Site, AsyncDisposable {
  readonly #starts: readonly (() => Promise<CartularyProcess>)[]
  /** Undefined for one that is not there now. */
  readonly #running: (CartularyProcess | undefined)[] = []
  #change: Promise<unknown> = Promise.resolve()
  /** Until then nothing is asked. */
  #pause: Promise<unknown> = Promise.resolve()

  private constructor(starts: readonly (() => Promise<CartularyProcess>)[]) {
    this.#starts = starts
  }

  /** Starts all of them. */
  static async open(...starts: readonly (() => Promise<CartularyProcess>)[]): Promise<KilledServers> {
    const servers = new KilledServers(starts)
    const started = await Promise.allSettled(starts.map((_, index) => servers.#start(index)))
    const failed = started.find((one) => one.status === 'rejected')
    if (!failed) return servers
    await servers[Symbol.asyncDispose]()
    throw failed.reason
  }

  async base(turn: number): Promise<string> {
    while (true) {
      await this.#pause
      const order = this.#running.map((_, index) => this.#running[(turn + index) % this.#running.length])
      const next = order.find((server) => server)
      if (next) return next.base
      await this.#change
    }
  }

  /** Kills one, and does not wait until it is back. */
  kill(index: number): void {
    const killed = this.#running[index]!
    this.#running[index] = undefined
    this.#change = killed.stop('SIGKILL').then(() => this.#start(index))
    // `settle` rejects with it.
    this.#change.catch(() => undefined)
  }

  /** While something lasts that leaves no server of use, nothing new is asked: it would only be refused. */
  async pauseWhile(outage: () => Promise<void>): Promise<void> {
    this.#pause = outage()
    await this.#pause
  }

  settle(): Promise<unknown> {
    return this.#change
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#change.catch(() => undefined)
    await Promise.all(this.#running.map((server) => server?.[Symbol.asyncDispose]()))
  }

  async #start(index: number): Promise<void> {
    this.#running[index] = await this.#starts[index]!()
  }
}
