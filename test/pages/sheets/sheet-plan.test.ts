import { expect, test } from 'vitest'
import { comparePaths, nameOfPart, signIn } from '../../../pages/src/sheets/sheet-plan.ts'

test('paths that an item loses and gets', () => {
  expect(comparePaths(['/A', '/B'], ['/B', '/C'])).toEqual({ removed: ['/A'], added: ['/C'] })
  expect(comparePaths([], [])).toEqual({ removed: [], added: [] })
})

test('one file has no number; of several each has', () => {
  expect(nameOfPart(1, true)).toBe('item-categories.csv')
  expect([1, 2].map((part) => nameOfPart(part, false))).toEqual(['item-categories-1.csv', 'item-categories-2.csv'])
})

test.each([
  ['en-GB', ','],
  ['ja', ','],
  ['de', ';'],
  ['fr', ';'],
])('spreadsheets in %s expect %s between cells', (language, sign) => {
  expect(signIn(language)).toBe(sign)
})
