/** Error of a rejected promise, for tests that look at an error closely; a promise that resolves fails the test. */
export async function rejectionOf<Failure extends Error>(
  promise: Promise<unknown>,
  // biome-ignore lint/suspicious/noExplicitAny: constructors take whatever they take
  kind: new (...parameters: any[]) => Failure,
): Promise<Failure> {
  const outcome = await promise.then(
    (value: unknown) => ({ value }),
    (error: unknown) => ({ error }),
  )
  if ('value' in outcome) throw new Error(`It did not fail, but answered ${JSON.stringify(outcome.value)}.`)
  if (outcome.error instanceof kind) return outcome.error
  throw outcome.error
}
