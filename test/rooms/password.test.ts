import { describe, expect, test } from 'vitest'
import { findPasswordProblem } from '../../src/directory/passwords/password.ts'
import { isSequence } from '../../src/directory/passwords/sequence.ts'
import { listCommonPasswords, openCommonPasswords } from '../../src/secrets/password-hash.ts'

const isCommon = openCommonPasswords()

function judge(text: string, context = {}): string | undefined {
  return findPasswordProblem({ text, isCommon: isCommon(text) }, context)
}

describe('a password', () => {
  test.each([
    'x map to'.repeat(16),
    '🗺🌍🗺🧭',
    `${'🗺'.repeat(63)}🧭`,
    ' - . - / ',
    '\u0000\u0001\u0002\u0003\u0004\u0005\u0006\u0007',
  ])('%j is taken', (password) => {
    expect(judge(password)).toBeUndefined()
  })

  test.each([
    ['1234567', 'The password has 7 characters; 8 to 128 are allowed.'],
    ['🗺🗺🗺x', 'The password has 7 characters; 8 to 128 are allowed.'],
    ['x'.repeat(129), 'The password has 129 characters; 8 to 128 are allowed.'],
    [`${'🗺'.repeat(64)}x`, 'The password has 129 characters; 8 to 128 are allowed.'],
    ['1234567\udc00', 'The password has a lone surrogate.'],
  ])('%j is not', (password, problem) => {
    expect(judge(password)).toBe(problem)
  })

  const common = 'The password is one of the most common ones, which are tried first: choose another.'

  test.each(['password', 'PassWord', '12345678', 'qwertyuiop', 'trustno1', 'iloveyou'])(
    '%j is common, whatever its case',
    (password) => {
      expect(judge(password)).toBe(common)
    },
  )

  test('each entry of the list is one that its length allows', () => {
    const words = listCommonPasswords()
    expect(words.length).toBe(17_950)
    expect(words.filter((word) => judge(word) !== common)).toEqual([])
  })

  test.each([
    'aaaaaaaaaa',
    '🗺🗺🗺🗺',
    '        ',
    'abababab',
    'Ab1!Ab1!Ab1!',
    '0123456789',
    '9876543210',
    '7890123456',
    'abcdefghij',
    'ZYXWVUTSRQ',
    'qwertyuiop',
    'asdfghjkl;asdfghjkl'.replaceAll(';', ''),
    'poiuytrewq',
    'qwertzuiop',
    '1234abcd',
    '1234-ABCD!',
    'aaaabbbb1111',
    'qweasdzxc',
  ])('%j repeats or counts', (password) => {
    expect(isSequence(password)).toBe(true)
    expect(judge(password)).toBeDefined()
  })

  test('a sequence that is on no list is refused as what it is', () => {
    expect(isCommon('ghijklmnopqrstuv')).toBe(false)
    expect(judge('ghijklmnopqrstuv')).toBe(
      'The password is a repetition or a sequence, such as aaaaaaaa or 12345678: choose another.',
    )
  })

  test.each([
    'abcdefgh-map',
    'abc!$%&/()',
    'correct horse battery staple',
    'a12b34c56',
    'noon tide',
    'qwerty and more',
  ])('%j has a sequence in it, and more', (password) => {
    expect(isSequence(password)).toBe(false)
  })

  const context = { username: 'anna.atlas', organization: 'Ministry of Maps' }

  test.each([
    ['anna.atlas', 'the username'],
    ['AnnaAtlas2026!', 'the username'],
    ['Ministry-of-Maps 1', 'the name of the organization'],
    ['cartulary123', 'the name of this program'],
  ])('%j is little more than a name', (password, name) => {
    expect(judge(password, context)).toBe(`The password is little more than ${name}: choose another.`)
  })

  test.each(['annaatlas-8letters', 'eight letters and anna.atlas', 'my ministry'])(
    '%j has enough beside a name, or no name',
    (password) => {
      expect(judge(password, context)).toBeUndefined()
    },
  )

  test('may have a short name in it', () => {
    expect(judge('maps 2026', { username: 'map', organization: 'map' })).toBeUndefined()
  })
})
