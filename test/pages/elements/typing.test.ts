import { describe, expect, test } from 'vitest'
import { findTyped, Typing } from '../../../pages/src/elements/typing.ts'

describe('letters that are typed', () => {
  const typed = (...presses: readonly (readonly [key: string, timeStamp: number])[]) => {
    const typing = new Typing()
    return presses.map(([key, timeStamp]) => typing.add({ key, timeStamp }))
  }

  test('belong together without a pause', () => {
    expect(typed(['n', 5_000], ['e', 5_700], ['w', 6_401])).toEqual(['n', 'ne', 'w'])
  })

  test('have blanks in them, but do not begin with one', () => {
    expect(typed([' ', 5_000], ['a', 5_100], [' ', 5_200], [' ', 5_901])).toEqual([undefined, 'a', 'a ', undefined])
  })

  test('are no other keys', () => {
    expect(typed(['a', 5_000], ['ArrowDown', 5_100], ['😀', 5_200])).toEqual(['a', undefined, 'a😀'])
  })
})

describe('typed letters lead', () => {
  const titles = ['Region', 'Europe', 'España', 'Africa', 'Theme']

  test.each([
    ['e', 0, 1],
    ['e', 1, 2],
    ['ee', 2, 1],
    ['es', 2, 2],
    ['ESPAN', 0, 2],
    ['R', 4, 0],
    ['x', 0, undefined],
  ] as const)('%j from row %i to row %j', (letters, present, row) => {
    expect(findTyped(titles, letters, present)).toBe(row)
  })

  test('to the present row while it fits', () => {
    expect(findTyped(['Ab', 'Abc'], 'ab', 0)).toBe(0)
  })

  test('nowhere without rows', () => {
    expect(findTyped([], 'x', -1)).toBeUndefined()
  })
})
