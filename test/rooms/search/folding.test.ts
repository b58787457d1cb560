import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fold, maxWordLength, wordsOf } from '../../../src/search/folding.ts'

test.each([
  ['', ''],
  ['Land Use', 'land use'],
  ['Łódź', 'łodz'],
  ['ÅNGSTRÖM', 'angstrom'],
  ['ﬁre', 'fire'],
  ['Ⅻ', 'xii'],
  ['ＷＡＴＥＲ', 'water'],
  ['İstanbul', 'istanbul'],
  ['ΟΔΟΣ', 'οδοσ'],
  ['οδος', 'οδοσ'],
  ['Straße', 'straße'],
  ['e\u0301', 'e'],
  ['🗺', '🗺'],
])('%j folds to %j', (text, folded) => {
  expect(fold(text)).toBe(folded)
})

test.each([
  ['', []],
  [' -_.,;* ', []],
  ['Land-use (2020)', ['land', 'use', '2020']],
  ['a_b.c', ['a', 'b', 'c']],
  ['re\u0301sume\u0301', ['resume']],
  ['fo\u200bo \u202eb', ['fo', 'o', 'b']],
  ['日本 地図', ['日本', '地図']],
  ['½', ['1', '2']],
  ['𝟙𝒳', ['1x']],
])('the words of %j are %j', (text, words) => {
  expect(wordsOf(text)).toEqual(words)
})

test('a word ends after so many characters, and never inside one', () => {
  expect(wordsOf(`${'a'.repeat(maxWordLength)} ${'b'.repeat(maxWordLength + 1)}`)).toEqual([
    'a'.repeat(maxWordLength),
    'b'.repeat(maxWordLength),
  ])
  expect(wordsOf('𐐨'.repeat(maxWordLength + 5))).toEqual(['𐐨'.repeat(maxWordLength)])
})

test('text of ASCII characters folds as it does beside others', () => {
  const characters = String.fromCharCode(...Array(0x80).keys())
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...characters)), (chosen) => {
      const text = chosen.join('')
      expect(`${fold(text)} e`).toBe(fold(`${text} é`))
      expect([...wordsOf(text), 'ß']).toEqual(wordsOf(`${text} ß`))
    }),
    { numRuns: 300, examples: [[[...characters]]] },
  )
})

test('folding what is folded changes nothing, whatever the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(fold(fold(text))).toBe(fold(text))
      expect(wordsOf(fold(text))).toEqual(wordsOf(text))
    }),
    { numRuns: 300 },
  )
})

test('the beginning of a text folds to the beginning of the folded text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (first, rest) => {
      expect(fold(first + rest).startsWith(fold(first))).toBe(true)
    }),
    { numRuns: 300 },
  )
})
