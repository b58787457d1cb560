/** `npm run test:long` runs the tests that draw samples with their full counts. */
export const isLong = process.env['TEST_LENGTH'] === 'long'

/** How often something is tried: a sample in every run, the full count in the long one. */
export function countOf({ sample, long }: { readonly sample: number; readonly long: number }): number {
  return isLong ? long : sample
}

/** Time for a test that tries things as often as that: what one takes at the very most, and room for the rest. */
export function timeoutOf(count: number, millisecondsOfOne: number): number {
  return 30_000 + count * millisecondsOfOne
}
