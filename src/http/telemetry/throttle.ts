/**
 * A function that runs `run` at most once in the interval; all other calls share its pending or last result. `clock` is
 * monotonic, in milliseconds.
 */
export function throttled<Answer>(
  milliseconds: number,
  run: () => Promise<Answer>,
  clock: () => number = () => performance.now(),
): () => Promise<Answer> {
  let answer: Promise<Answer> | undefined
  let isPending = false
  let begunAt = 0
  return () => {
    if (answer && (isPending || clock() - begunAt < milliseconds)) return answer
    begunAt = clock()
    isPending = true
    answer = run().finally(() => {
      isPending = false
    })
    return answer
  }
}

/** After this time, in milliseconds, a scrape goes on without the metric. */
export const countTimeout = 1_000

/** Result of the work, or `late` if it takes longer than the time-out; the work itself is not cancelled. */
export async function withTimeout<Result, Late>(
  milliseconds: number,
  work: Promise<Result>,
  late: Late,
): Promise<Result | Late> {
  const waiting = Promise.withResolvers<Late>()
  const timer = setTimeout(() => waiting.resolve(late), milliseconds)
  return Promise.race([work, waiting.promise]).finally(() => clearTimeout(timer))
}
