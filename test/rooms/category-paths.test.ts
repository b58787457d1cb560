import { expect, test } from 'vitest'
import { choosePaths, KnownPaths } from '../../src/items/categories/category-paths.ts'

const known = new KnownPaths(['/Categories/Maps', '/Categories/Sea', '/Categories/sea'])

test.each([
  ['/Categories/Maps', '/Categories/Maps'],
  [' /categories/MAPS ', '/Categories/Maps'],
  ['/Categories/sea', '/Categories/sea'],
  ['/Categories/Sea', '/Categories/Sea'],
  // It would name two.
  ['/Categories/SEA', undefined],
  ['/Categories/Rivers', undefined],
])('%j is found as %j among categories, of which two differ by case alone', (given, found) => {
  expect(known.find(given)).toBe(found)
})

test('a path that an item carries passes although the schema has lost it', () => {
  expect(choosePaths(['/Lost', '/categories/maps', '/Categories/Maps', '/New'], known, ['/Lost'])).toEqual({
    paths: ['/Lost', '/Categories/Maps'],
    unknown: ['/New'],
  })
})
