import { expect, test } from 'vitest'
import { barsOf, unitOf } from '../../../pages/src/system/bars.ts'

test('the highest bar fills the chart, with its parts above each other', () => {
  const minutes = [
    { requests: 10, refused: 2, failed: 1 },
    { requests: 5, refused: 0, failed: 5 },
    { requests: 0, refused: 0, failed: 0 },
  ]
  expect(barsOf(minutes)).toEqual([
    { done: 0.7, refused: 0.2, failed: 0.1 },
    { done: 0, refused: 0, failed: 0.5 },
    { done: 0, refused: 0, failed: 0 },
  ])
  expect(barsOf([{ requests: 0, refused: 0, failed: 0 }])).toEqual([{ done: 0, refused: 0, failed: 0 }])
})

test.each([
  [0, 0, 'byte'],
  [999, 999, 'byte'],
  [1_000, 1, 'kilobyte'],
  [4_194_304, 4.194304, 'megabyte'],
  [53_687_091_200, 53.6870912, 'gigabyte'],
  [2e15, 2000, 'terabyte'],
])('%d bytes', (bytes, value, unit) => {
  expect(unitOf(bytes)).toEqual({ value, unit })
})
