import { PasswordsBusy } from '../tokens/password.ts'

const firstGuessMilliseconds = 50

/** Work of the processor, so many pieces at once; the others wait, if that will not take too long. */
export function limitConcurrency(atOnce: number, longestWaitMilliseconds: number) {
  const waiting: (() => void)[] = []
  let running = 0
  /** Of one piece, as the last ones took. */
  let milliseconds = firstGuessMilliseconds
  let isGuess = true

  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (running >= atOnce) {
      if ((waiting.length * milliseconds) / atOnce > longestWaitMilliseconds) throw new PasswordsBusy()
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else running += 1
    const begun = performance.now()
    try {
      return await work()
    } finally {
      const took = performance.now() - begun
      milliseconds = isGuess ? took : milliseconds * 0.8 + took * 0.2
      isGuess = false
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
