import { expect, test } from 'vitest'
import { selectSmallest } from '../../../src/storage/stores/items/columns/select-smallest.ts'
import { seededRandom } from '../../support/inputs/seeded-random.ts'

const random = seededRandom(7)

test.each([
  { keys: 'different', range: 1e9 },
  { keys: 'mostly equal', range: 3 },
  { keys: 'all equal', range: 1 },
])('the smallest of $keys keys are those of sorting, however many are asked for', ({ range }) => {
  for (let length = 0; length < 60; length += 1) {
    const keys = Float64Array.from({ length }, () => Math.floor(random() * range) - range / 2)
    const before = keys.slice()
    for (let count = 0; count <= length; count += 1) {
      expect(selectSmallest(keys, count)).toEqual(keys.toSorted().subarray(0, count))
    }
    expect(keys).toEqual(before)
  }
})
