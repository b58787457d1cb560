import { describe, expect, test } from 'vitest'
import { findTitleProblem } from '../../src/items/reserved-title.ts'

const coast = { name: 'Küste' }

describe('a reserved title is refused,', () => {
  test.each([
    ['as it is', 'Cartulary'],
    ['in another case', 'CARTULARY'],
    ['with spaces around it', '  Cartulary '],
    ['letter by letter', 'C a r t u l a r y'],
    ['in full width', '\uff23\uff41\uff52\uff54\uff55\uff4c\uff41\uff52\uff59'],
    ['with an invisible character', 'Cartu\u200blary'],
    ['with a letter that is not seen', 'ArcGIS\u3164'],
    ['with a soft hyphen', 'Cartu\u00adlary'],
    ['with a small capital turned round', 'Ca\u1d19tulary'],
    ['with a Cyrillic letter turned round', 'CA\u042fTULARY'],
    ['in Cyrillic letters among other words', '\u0421\u0430rtul\u0430r\u0443 Application'],
    ['of the public product', 'ArcGIS'],
    ['of those who govern', 'Adm\u0456nistrator'],
    ['of the organization', 'KUSTE'],
    ['of the organization among other words', 'K\u03c5ste Maps'],
    ['with marks', 'C\u0301art\u00fal\u00e1ry'],
    ['with signs', '\u2605 Cartulary!'],
    ['in Cyrillic letters', '\u0421\u0430rtul\u0430r\u0443'],
    ['in Greek letters', 'Cart\u03c5l\u03b1ry'],
    ['with a digit', 'Cartu1ary'],
    ['with a capital i', 'CartuIary'],
    ['with an upright line', 'Cartu|ary'],
    ['with an upright line beside it', 'Cartulary | '],
    ['with a small L for a capital i', 'ArcGlS API for Python'],
    ['with a Cyrillic i', 'Cartu\u0406ary'],
    ['with a Greek iota', 'Cartu\u0399ary'],
    ['with a dotless i', 'Cartu\u0131ary'],
    ['with a dotted capital i', 'Cartu\u0130ary'],
    ['with a stroke', 'Cartu\u0142ary'],
    ['with a Greek capital', 'CARTULAR\u03a5'],
    ['with a small capital', '\u1d04artulary'],
    ['of the client for Python', 'arcgis api for python'],
    ['that is its id', 'ArcGISOnline'],
  ])('%s: %s', (_what, title) => {
    expect(findTitleProblem(title, coast)).toMatch(/ is, or looks like, the reserved name .+; choose another\.$/)
  })
})

test.each([
  'Coast',
  'Cartuary',
  'Sales | Cartulary',
  'Cartulary maps',
  'My Cartulary',
  'Cartography',
  '',
  '\u5730\u56f3',
  'Küste Maps',
  'Marc Gisler',
  'x'.repeat(64),
])('%j is not', (title) => {
  expect(findTitleProblem(title, coast)).toBeUndefined()
})

test.each([
  ['too long', '\u{1f5fa}'.repeat(65), 'has 65 letters; at most 64 are allowed for an app.'],
  ['turned round', 'Coast \u202espam', 'has a character that changes the direction of text; leave it out.'],
])('a title that is %s is refused', (_what, title, problem) => {
  expect(findTitleProblem(title, coast)).toBe(problem)
})

test('an organization without letters in its name reserves nothing', () => {
  expect(findTitleProblem('!', { name: '?' })).toBeUndefined()
})
