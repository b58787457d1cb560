import { expect, test } from 'vitest'
import { partsOf } from '../../../pages/src/elements/lists/page-parts.ts'

test.each([
  ['the only page', { total: 3, start: 1, num: 25, nextStart: -1 }, [3, undefined, undefined]],
  ['the first of two', { total: 26, start: 1, num: 25, nextStart: 26 }, [25, undefined, 26]],
  ['the second of two', { total: 26, start: 26, num: 25, nextStart: -1 }, [26, 1, undefined]],
  ['one that the server ended early', { total: 60, start: 26, num: 25, nextStart: 31 }, [30, 1, 31]],
  ['the one behind it', { total: 60, start: 31, num: 25, nextStart: 56 }, [55, 6, 56]],
  ['the last that a search reaches', { total: 12_000, start: 9976, num: 25, nextStart: -1 }, [10_000, 9951, undefined]],
] as const)('%s', (_, page, [end, before, after]) => {
  expect(partsOf(page)).toEqual({ end, before, after })
})
