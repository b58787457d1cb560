/** `npm run test:long` runs the tests that draw samples with their full counts. */
export const isLong = process.env['TEST_LENGTH'] === 'long'

/** `npm run test:system` takes larger samples than `npm test`, where a test names them. */
export const isOfSystem = process.env['TEST_LENGTH'] === 'system'

/** How often something is tried: a sample in every run, a larger one before a landing, the full count in the long one. */
export function countOf({ sample, system = sample, long }: Counts): number {
  if (isLong) return long
  return isOfSystem ? system : sample
}

interface Counts {
  readonly sample: number
  readonly system?: number
  readonly long: number
}

/** Time for a test that tries things as often as that: what one takes at the very most, and room for the rest. */
export function timeoutOf(count: number, millisecondsOfOne: number): number {
  return 30_000 + count * millisecondsOfOne
}
