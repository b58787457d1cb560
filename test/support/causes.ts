import { expect } from 'vitest'

/**
 * Notes and failures are compared without the causes of their sentences, where a test names none: those follow from the sentences, as
 * `test/sentences.test.ts` shows.
 */
expect.addEqualityTesters([
  function isEqualButForCause(one, other, testers) {
    if (!isObject(one) || !isObject(other) || 'cause' in one === 'cause' in other) return undefined
    const [{ cause: _, ...first }, { cause: __, ...second }] = [one, other] as [
      { cause?: unknown },
      { cause?: unknown },
    ]
    return this.equals(first, second, testers)
  },
])

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}
