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

/** Looks at something again and again, and on demand, but never twice at a time. The look must not reject. */
export function startLooks(
  look: () => Promise<void>,
  interval: number,
): { run(): Promise<void>; end(): Promise<void> } {
  let running: Promise<void> | undefined

  function run(): Promise<void> {
    running ??= look().finally(() => {
      running = undefined
    })
    return running
  }

  const timer = setInterval(() => void run(), interval).unref()
  return {
    run,
    async end() {
      clearInterval(timer)
      await running
    },
  }
}
