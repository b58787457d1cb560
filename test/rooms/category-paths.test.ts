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

test.each([
  ['Maps', '/Categories/Maps'],
  ['/Old/maps', '/Categories/Maps'],
  ['Sea', undefined],
  ['Maps, Soil', '/Categories/Maps | /Categories/Soil'],
  ['soil;MAPS', '/Categories/Soil | /Categories/Maps'],
  ['Maps, Rivers', undefined],
  ['Maps, Sea', undefined],
  ['Soil, dry', '/Categories/Soil, dry'],
  [',', undefined],
])('by the title %j, %j is meant', (given, meant) => {
  const titles = ['/Categories/Maps', '/Categories/Sea', '/Other/sea', '/Categories/Soil', '/Categories/Soil, dry']
  expect(new KnownPaths(titles).findByTitle(given)).toBe(meant)
})
