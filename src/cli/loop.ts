import { setTimeout as wait } from 'node:timers/promises'

/** Repeats a work, which returns the milliseconds of the pause after it. Returns a function that ends it, and waits for the last one. */
export function startLoop(work: (signal: AbortSignal) => Promise<number>): () => Promise<void> {
  const ended = new AbortController()
  const { signal } = ended

  async function run(): Promise<void> {
    while (!signal.aborted) await pause(await work(signal), signal)
  }

  const running = run()
  return () => {
    ended.abort()
    return running
  }
}

/** Ends early when the signal aborts. */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return wait(milliseconds, undefined, { signal, ref: false }).catch(() => undefined)
}
