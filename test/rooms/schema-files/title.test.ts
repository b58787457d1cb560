import fc from 'fast-check'
import { expect, test } from 'vitest'
import { titleFromLabel } from '../../../src/schema-files/title.ts'

test.each([
  ['Climatology / Meteorology / Atmosphere', 'Climatology ∕ Meteorology ∕ Atmosphere'],
  ['and/or', 'and∕or'],
  ['a //b', 'a ∕ b'],
  ['Redlands, CA', 'Redlands CA'],
  ['a,b,,c', 'a b c'],
  ['/a, /', 'a'],
  ['two\r\n  lines', 'two lines'],
  ['half a pair \uD800', 'half a pair \uFFFD'],
  [' a title  already ', ' a title  already '],
  [', /', ''],
  [`/${' '.repeat(1_000)}`, `/${' '.repeat(1_000)}`],
])('%j becomes %j', (label, title) => {
  expect(titleFromLabel(label)).toBe(title)
})

test('every label becomes a text that a title may be, and that stays as it is', () => {
  const property = fc.property(
    fc.string({ unit: fc.constantFrom('/', ',', ' ', '\n', '\u0085', 'a', 'é', '\uD800') }),
    (label) => {
      const title = titleFromLabel(label)
      expect(title).not.toMatch(/[/,\p{Cc}\p{Cs}]/u)
      expect(titleFromLabel(title)).toBe(title)
    },
  )
  fc.assert(property, { seed: 2018 })
})
