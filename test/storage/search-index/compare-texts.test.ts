import { expect, test } from 'vitest'
import { compareTexts } from '../../../src/storage/stores/items/index/compare-texts.ts'

test('texts are in the order of code points, as both engines sort them', () => {
  const sorted = ['', 'a', 'ab', 'b', 'é', '\ue000', '\uff5e', '\u{1f600}', '\u{1f600}a']
  expect(sorted.toReversed().toSorted(compareTexts)).toEqual(sorted)
})
