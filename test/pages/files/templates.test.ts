import { expect, test } from 'vitest'
import { formatChoice, maxName, nameOf, namePattern, parseChoice } from '../../../pages/src/files/templates/choice.ts'

test.each([
  ['Basemaps', 'basemaps'],
  ['Öffentliche Räume & Straßen', 'offentliche-raume-strassen'],
  ['2026 – Themes (new)', 'themes-new'],
  ['Łódź, Århus, Œuvre', 'lodz-arhus-oeuvre'],
  ['テーマ', 'template'],
  ['--- ', 'template'],
  ['a'.repeat(80), 'a'.repeat(50)],
])('a template %j has the name %s', (title, expected) => {
  expect(nameOf(title, [])).toBe(expected)
  expect(expected).toMatch(new RegExp(`^${namePattern}$`, 'v'))
})

test('a name that is taken gets a number, within the length of names', () => {
  expect(nameOf('Themes', ['themes', 'themes-2', 'themes-4'])).toBe('themes-3')
  const long = 'b'.repeat(maxName)
  expect(nameOf(long, [long])).toBe(`${'b'.repeat(maxName - 2)}-2`)
})

test.each(['inspire', 'own:basemaps', 'group:0f3c', 'organization'])(
  '%s is the address of a starting point',
  (text) => {
    expect(formatChoice(parseChoice(text)!)).toBe(text)
  },
)

test('without an address no starting point is shown', () => {
  expect(parseChoice('')).toBeUndefined()
})
