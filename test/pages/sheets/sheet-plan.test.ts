import { expect, test } from 'vitest'
import { comparePaths, downloadOf, nameOfPart } from '../../../pages/src/sheets/sheet-plan.ts'

test('paths that an item loses and gets', () => {
  expect(comparePaths(['/A', '/B'], ['/B', '/C'])).toEqual({ removed: ['/A'], added: ['/C'] })
  expect(comparePaths([], [])).toEqual({ removed: [], added: [] })
})

test('one file has no number; of several each has', () => {
  expect(nameOfPart(1, true, 'xlsx')).toBe('item-categories.xlsx')
  expect([1, 2].map((part) => nameOfPart(part, false, 'csv'))).toEqual([
    'item-categories-1.csv',
    'item-categories-2.csv',
  ])
  expect(downloadOf('semicolon')).toEqual({ format: 'csv', delimiter: 'semicolon' })
})
