/** How a database is asked that may be slow, by callers that may be many. */

/**
 * The same question, put at most once in so many milliseconds however many ask: they share the answer on its way, and
 * then the answer that was found. `clock` never goes back.
 */
export function throttled<Answer>(
  milliseconds: number,
  run: () => Promise<Answer>,
  clock: () => number = () => performance.now(),
): () => Promise<Answer> {
  let answer: Promise<Answer> | undefined
  let isOnItsWay = false
  let askedAt = 0
  return () => {
    if (answer && (isOnItsWay || clock() - askedAt < milliseconds)) return answer
    askedAt = clock()
    isOnItsWay = true
    answer = run().finally(() => {
      isOnItsWay = false
    })
    return answer
  }
}

/** What the work comes to, or `late` where it takes longer. It is not stopped then; nobody waits for it any more. */
export async function withTimeout<Result, Late>(
  milliseconds: number,
  work: Promise<Result>,
  late: Late,
): Promise<Result | Late> {
  const waiting = Promise.withResolvers<Late>()
  const timer = setTimeout(() => waiting.resolve(late), milliseconds)
  return Promise.race([work, waiting.promise]).finally(() => clearTimeout(timer))
}
