import { expect } from 'vitest'

const members = ['cause', 'causes']

/**
 * Answers are compared without the causes of their sentences, where a test names none: those follow from the sentences, as
 * `test/sentences.test.ts` shows.
 */
expect.addEqualityTesters([
  function isEqualButForCauses(one, other, testers) {
    if (!isObject(one) || !isObject(other)) return undefined
    const extra = members.filter((name) => name in one !== name in other)
    if (extra.length === 0) return undefined
    const without = (value: object) =>
      Object.fromEntries(Object.entries(value).filter(([name]) => !extra.includes(name)))
    return this.equals(without(one), without(other), testers)
  },
])

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}
