import { expect, test } from 'vitest'
import { changeChoices, firstChoices, parametersOf } from '../../../../pages/src/files/preview/choices.ts'

const source = { name: 'themes.csv', parameters: { text: 'Themes' } }
const move = { from: '/A', to: '/B' }

/** Parameters that are sent. */
function given(parameters: object) {
  return Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== undefined))
}

test('a file is added to what is there, unless its source says otherwise', () => {
  expect(firstChoices(source)).toEqual({ mode: 'merge', table: {}, moves: [] })
  expect(firstChoices({ name: '', parameters: { mode: 'replace' } }).mode).toBe('replace')
})

test('choices are sent as the API has them', () => {
  const table = { header: true, headerRow: 3, columns: { level1: [1], ignore: [2, 3] } }
  const choices = changeChoices(firstChoices(source), { table, below: 'Themes' })
  expect(given(parametersOf(source, choices))).toEqual({
    text: 'Themes',
    mode: 'merge',
    header: true,
    headerRow: 3,
    columns: '{"level1":[1],"ignore":[2,3]}',
    below: 'Themes',
  })
})

test('confirmed renames are sent where a file replaces the whole, and are for one reading alone', () => {
  const confirmed = { ...firstChoices(source), mode: 'replace' as const, moves: [move] }
  expect(parametersOf(source, confirmed)['moves']).toBe(JSON.stringify([move]))
  expect(parametersOf(source, { ...confirmed, mode: 'merge' })['moves']).toBeUndefined()
  expect(changeChoices(confirmed, { below: 'Themes' }).moves).toEqual([])
})

test('another sheet has other columns', () => {
  const chosen = changeChoices(firstChoices(source), { table: { headerRow: 3 }, root: '/A', language: 'de' })
  expect(changeChoices(chosen, { language: 'fr' })).toEqual({ ...chosen, language: 'fr' })
  expect(changeChoices(chosen, { sheet: 'More' })).toEqual({ ...chosen, sheet: 'More', table: {}, root: undefined })
})
