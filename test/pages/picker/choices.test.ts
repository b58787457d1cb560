import { expect, test } from 'vitest'
import { ancestorsOf, listChoices, listVisible } from '../../../pages/src/picker/choices.ts'

const schema = {
  categorySchema: [
    {
      title: 'Region',
      categories: [
        { title: 'World' },
        { title: 'Europe', description: 'With islands', categories: [{ title: 'Alps' }, { title: 'Évora' }] },
      ],
    },
    { title: 'Theme' },
  ],
}
const choices = listChoices(schema)
const paths = (rows: readonly { readonly path: string }[]) => rows.map(({ path }) => path)

test('every category is a row with its place among its siblings', () => {
  expect(
    choices.map(({ path, level, position, siblings, hasChildren }) => [path, level, position, siblings, hasChildren]),
  ).toEqual([
    ['/Region', 1, 1, 2, true],
    ['/Region/World', 2, 1, 2, false],
    ['/Region/Europe', 2, 2, 2, true],
    ['/Region/Europe/Alps', 3, 1, 2, false],
    ['/Region/Europe/Évora', 3, 2, 2, false],
    ['/Theme', 1, 2, 2, false],
  ])
  expect(paths(ancestorsOf(choices[3]!))).toEqual(['/Region/Europe', '/Region'])
})

test('a category without a title cannot be chosen, nor what is below it; of equal paths the first counts', () => {
  const odd = { categorySchema: [{ source: 'set', categories: [{ title: 'Below' }] }, { title: 'A' }, { title: 'A' }] }
  expect(listChoices(odd).map(({ path, position, siblings }) => [path, position, siblings])).toEqual([['/A', 1, 1]])
})

test('rows are seen whose parents are all open', () => {
  expect(paths(listVisible(choices, new Set(), ''))).toEqual(['/Region', '/Theme'])
  expect(paths(listVisible(choices, new Set(['/Region/Europe']), ''))).toEqual(['/Region', '/Theme'])
  expect(paths(listVisible(choices, new Set(['/Region']), ' '))).toEqual([
    '/Region',
    '/Region/World',
    '/Region/Europe',
    '/Theme',
  ])
})

test('a search finds titles whatever their case and marks, and shows the way to them', () => {
  expect(paths(listVisible(choices, new Set(), 'EVORA'))).toEqual(['/Region', '/Region/Europe', '/Region/Europe/Évora'])
  expect(paths(listVisible(choices, new Set(), 'e r'))).toEqual(['/Region', '/Region/Europe', '/Region/Europe/Évora'])
  expect(listVisible(choices, new Set(), 'nothing like it')).toEqual([])
})
