import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { groupFields, parseGroupTerms } from '../../src/directory/group-query.ts'

const word = (text: string) => ({ field: undefined, text })

test.each([
  ['', []],
  ['   ', []],
  ['*', []],
  ['* AND *', []],
  ['water', [word('water')]],
  ['  land \t use ', [word('land'), word('use')]],
  ['land AND use', [word('land'), word('use')]],
  ['"land use"', [word('land use')]],
  ['""', []],
  ['title:""', []],
  ['title:*', []],
  ['title:land', [{ field: 'title', text: 'land' }]],
  ['TITLE:Land', [{ field: 'title', text: 'Land' }]],
  [
    'owner:anna title:"land use" water',
    [{ field: 'owner', text: 'anna' }, { field: 'title', text: 'land use' }, word('water')],
  ],
  ['a"b"c', [word('a'), word('b'), word('c')]],
  ['"OR" "NOT" "AND"', [word('OR'), word('NOT'), word('AND')]],
  ['"(a)" "-b" "c*" "d:e"', [word('(a)'), word('-b'), word('c*'), word('d:e')]],
  ['lakes* *rivers *', [word('lakes'), word('rivers')]],
  ['title:lake*', [{ field: 'title', text: 'lake' }]],
  [
    'owner:-anna tags:+x',
    [
      { field: 'owner', text: '-anna' },
      { field: 'tags', text: '+x' },
    ],
  ],
  ['50% a_b', [word('50%'), word('a_b')]],
  ['12:30', [word('12:30')]],
  ['(land)', [word('land')]],
  ['(title:land) AND ((use) "(x")', [{ field: 'title', text: 'land' }, word('use'), word('(x')]],
  ['Straße 🗺', [word('Straße'), word('🗺')]],
])('%j', (q, terms) => {
  expect(parseGroupTerms(q)).toEqual({ value: terms })
})

test.each([
  'OR',
  'NOT',
  '-a',
  '+a',
  '!a',
  '(a',
  'a)',
  ')a(',
  'a(b)',
  'title:(a)',
  '(a OR b)',
  '[a',
  'a]',
  '{a',
  'a}',
  'a*b',
  'owner:a*',
  'id:*',
  'title:a*b',
  '"',
  '"a" "',
  'x:"',
  'nofield:a',
  '__proto__:a',
  'constructor:a',
])('%j is refused', (q) => {
  const parsed = parseGroupTerms(q)
  // `__proto__` has characters that no field has, so the text is searched as it is.
  if (q.startsWith('__')) expect(parsed).toEqual({ value: [word(q)] })
  else expect(parsed).toEqual({ problems: [expect.stringMatching(/^q: /)] })
})

test('every mistake is reported', () => {
  const parsed = parseGroupTerms('a OR b password:x [c]')
  expect('problems' in parsed && parsed.problems).toHaveLength(3)
})

describe('whatever is asked', () => {
  test('quoted text without a quotation mark comes back as it is', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(undefined, ...groupFields),
        fc.string({ minLength: 1, unit: 'binary' }),
        (field, text) => {
          fc.pre(!text.includes('"'))
          const q = `${field === undefined ? '' : `${field}:`}"${text}"`
          expect(parseGroupTerms(q)).toEqual({ value: [{ field, text }] })
        },
      ),
    )
  })

  test('it is understood or refused, and never takes long', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('"', ':', '*', ' ', '(', 'a', 'owner', '\\', 'OR'), maxLength: 400 }),
        (q) => {
          const parsed = parseGroupTerms(q)
          if ('problems' in parsed) expect(parsed.problems.length).toBeGreaterThan(0)
          else expect(parsed.value.every(({ text }) => text !== '')).toBe(true)
        },
      ),
    )
  })
})
