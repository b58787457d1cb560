import { setTimeout as delay } from 'node:timers/promises'

/** This timeout ends only reads that hang. */
const patience = 300_000
const readInterval = 50

/** Reads again until the value is one that is waited for. A page that is just being left cannot be read, and the next one can. */
export async function pollValue<T>(read: () => Promise<T>, isThere: (value: T) => boolean): Promise<T> {
  for (const latest = performance.now() + patience; ; ) {
    const attempt = await read().then(
      (value) => ({ value, isDone: isThere(value) }),
      (error: unknown) => ({ error, isDone: false as const }),
    )
    if (attempt.isDone) return attempt.value
    if (performance.now() > latest) throw new Error('The page does not have the value.', { cause: attempt })
    await delay(readInterval)
  }
}
