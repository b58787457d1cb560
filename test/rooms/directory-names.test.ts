import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatUrlKey } from '../../src/directory/portal.ts'
import { findUsernameProblem, usernameKey } from '../../src/directory/user.ts'

describe('the key of an organization in urls', () => {
  test.each([
    ['Ministry of Maps', 'ministryofmaps'],
    ['  Office 42!  ', 'office42'],
    ['Étude', 'etude'],
    ['ＭＡＰＳ', 'maps'],
    ['ﬁeld', 'field'],
    ['地図', 'qz3vpxw7lk2mnb9t'],
    ['', 'qz3vpxw7lk2mnb9t'],
    ['---', 'qz3vpxw7lk2mnb9t'],
    ['__proto__', 'proto'],
    ['x'.repeat(60), 'x'.repeat(60)],
    ['x'.repeat(61), 'x'.repeat(60)],
  ])('%s → %s', (name, key) => {
    expect(formatUrlKey(name, 'Qz3VpXw7Lk2MnB9t')).toBe(key)
  })

  test('is letters and digits, whatever the name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        expect(formatUrlKey(name, 'Qz3VpXw7Lk2MnB9t')).toMatch(/^[a-z0-9]{1,60}$/)
      }),
    )
  })
})

describe('a username', () => {
  test.each([
    'abc',
    'x'.repeat(128),
    'Anna.B-c_d@e9',
    '__proto__',
    'constructor',
    '...',
    '000',
    'a'.repeat(31),
    'a'.repeat(33),
  ])('%s is taken', (name) => {
    expect(findUsernameProblem(name)).toBeUndefined()
  })

  test.each([
    '',
    'ab',
    'x'.repeat(129),
    'a b c',
    'anna\n',
    '\nanna',
    'anna\u0000',
    'a/b/c',
    'a,b,c',
    'аnna',
    'ａnna',
    'annа',
    '\u212aate',
    'anna\u200d',
    'ann\u0131',
    '🗺🗺',
    '%61nna',
    'a:b:c',
    'a+b+c',
    "o'brien",
    '<b>',
    '0123456789abcdef0123456789abcdef',
    '0123456789ABCDEF0123456789abcdef',
  ])('%j is not', (name) => {
    expect(findUsernameProblem(name)).toBeDefined()
  })

  test('is the same in another case, and only then', () => {
    expect(usernameKey('Anna.ATLAS@Maps')).toBe('anna.atlas@maps')
    expect(usernameKey('\u212aate')).not.toBe(usernameKey('kate'))
    expect(usernameKey('I')).toBe('i')
    const name = fc.stringMatching(/^[A-Za-z0-9._@-]{3,20}$/)
    fc.assert(
      fc.property(name, name, (one, other) => {
        expect(usernameKey(one) === usernameKey(other)).toBe(one.toUpperCase() === other.toUpperCase())
        expect(usernameKey(one.toUpperCase())).toBe(usernameKey(one.toLowerCase()))
      }),
    )
  })
})
