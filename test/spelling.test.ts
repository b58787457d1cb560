import { expect, test } from 'vitest'
import { countEdits, findNearest, withHint } from '../src/spelling.ts'

test.each([
  ['access', 'access', 0],
  ['ACCESS', 'access', 0],
  ['acces', 'access', 1],
  ['titel', 'title', 1],
  ['xaccess', 'access', 1],
  ['expirtatoin', 'expiration', 2],
  // Another word.
  ['acxxss', 'access', Number.POSITIVE_INFINITY],
  ['cab', 'abc', Number.POSITIVE_INFINITY],
  ['', 'four', Number.POSITIVE_INFINITY],
])('%s becomes %s by %d edits', (given, word, edits) => {
  expect(countEdits(given, word)).toBe(edits)
})

test.each([
  ['dryRn', 'dryRun'],
  ['DRYRUN', 'dryRun'],
  ['expirtaion', 'expiration'],
  ['expirtatoin', 'expiration'],
  // Two wrong letters of six are another word, and short words are all near to one another.
  ['dryxyn', undefined],
  ['nu', undefined],
  ['x'.repeat(10_000), undefined],
])('%s is perhaps %s', (word, meant) => {
  expect(findNearest(word, ['num', 'expiration', 'dryRun', 'title'])).toBe(meant)
})

test('the nearest of several is meant', () => {
  expect(findNearest('description', ['descriptions', 'description'])).toBe('description')
})

test('one sentence asks whether it is meant', () => {
  expect(withHint('tagss is unknown', findNearest('tagss', ['tags']))).toBe('tagss is unknown; did you mean tags?')
  expect(withHint('tagss is unknown', findNearest('tagss', []))).toBe('tagss is unknown.')
})
