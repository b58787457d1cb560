import { describe, expect, test } from 'vitest'
import { findPasswordProblem, listCommonPasswords } from '../../src/directory/passwords/password.ts'

describe('a password', () => {
  test.each(['x'.repeat(128), '🗺🗺🗺🗺', '🗺'.repeat(64), '        ', '\u0000\u0001\u0002\u0003\u0004\u0005\u0006\u0007'])(
    '%j is taken',
    (password) => {
      expect(findPasswordProblem(password)).toBeUndefined()
    },
  )

  test.each([
    ['1234567', 'The password has 7 characters; 8 to 128 are allowed.'],
    ['🗺🗺🗺x', 'The password has 7 characters; 8 to 128 are allowed.'],
    ['x'.repeat(129), 'The password has 129 characters; 8 to 128 are allowed.'],
    [`${'🗺'.repeat(64)}x`, 'The password has 129 characters; 8 to 128 are allowed.'],
    ['1234567\udc00', 'The password has a lone surrogate.'],
  ])('%j is not', (password, problem) => {
    expect(findPasswordProblem(password)).toBe(problem)
  })

  const common = 'The password is one of the most common ones, which are tried first: choose another.'

  test.each(['password', 'PassWord', '12345678', 'qwertyuiop', 'trustno1', 'iloveyou'])(
    '%j is common, whatever its case',
    (password) => {
      expect(findPasswordProblem(password)).toBe(common)
    },
  )

  test('each entry of the list is one that its length allows', () => {
    const words = listCommonPasswords()
    expect(words.length).toBe(17_950)
    expect(words.filter((word) => findPasswordProblem(word) !== common)).toEqual([])
  })

  const context = { username: 'anna.atlas', organization: 'Ministry of Maps' }

  test.each([
    ['anna.atlas', 'the username'],
    ['AnnaAtlas2026!', 'the username'],
    ['Ministry-of-Maps 1', 'the name of the organization'],
    ['cartulary123', 'the name of this program'],
  ])('%j is little more than a name', (password, name) => {
    expect(findPasswordProblem(password, context)).toBe(`The password is little more than ${name}: choose another.`)
  })

  test.each(['annaatlas-8letters', 'eight letters and anna.atlas', 'my ministry'])(
    '%j has enough beside a name, or no name',
    (password) => {
      expect(findPasswordProblem(password, context)).toBeUndefined()
    },
  )

  test('may have a short name in it', () => {
    expect(findPasswordProblem('maps 2026', { username: 'map', organization: 'map' })).toBeUndefined()
  })
})
