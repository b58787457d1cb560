import { expect, test } from 'vitest'
import { delimiterIn, fileNameOf, parametersOf } from '../../../pages/src/files/export/parameters.ts'

test.each([
  ['en', 'comma'],
  ['en-GB', 'comma'],
  ['de', 'semicolon'],
  ['de-CH', 'comma'],
  ['fr', 'semicolon'],
  ['es-MX', 'comma'],
  ['ja', 'comma'],
])('where %s is spoken, spreadsheets expect a %s', (language, expected) => {
  expect(delimiterIn(language)).toBe(expected)
})

test('each format has the parameters of its own fields; what is not ticked is sent as well', () => {
  const fields = { layout: 'levels', delimiter: 'tab', syntax: 'jsonld', language: ' de ' }
  expect(parametersOf('csv', { ...fields, bom: 'on' }, 3)).toEqual({
    format: 'csv',
    version: 3,
    layout: 'levels',
    delimiter: 'tab',
    bom: true,
    ids: false,
  })
  expect(parametersOf('xlsx', { ...fields, ids: 'on' }, undefined)).toEqual({
    format: 'xlsx',
    version: undefined,
    layout: 'levels',
    ids: true,
  })
  expect(parametersOf('skos', fields, 3)).toEqual({ format: 'skos', version: 3, syntax: 'jsonld', language: 'de' })
  expect(parametersOf('skos', { ...fields, language: ' ' }, 3)).toMatchObject({ language: undefined })
  expect(parametersOf('text', fields, 3)).toEqual({ format: 'text', version: 3 })
})

test('a file is named by its format, and by the version where it is not the present one', () => {
  expect(fileNameOf('text', {}, undefined)).toBe('categories.txt')
  expect(fileNameOf('xlsx', {}, 12)).toBe('categories-12.xlsx')
  expect(fileNameOf('skos', { syntax: 'turtle' }, undefined)).toBe('categories.ttl')
  expect(fileNameOf('skos', { syntax: 'jsonld' }, undefined)).toBe('categories.jsonld')
})
