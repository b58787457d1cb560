import { expect, test } from 'vitest'
import { findMeant } from '../../src/http/spelling.ts'
import { countEdits } from '../../src/spelling.ts'

test.each([
  ['', '', 0],
  ['access', 'access', 0],
  ['acces', 'access', 1],
  ['titel', 'title', 1],
  ['xaccess', 'access', 1],
  ['abc', 'cab', 2],
  ['', 'four', 4],
] as const)('%s becomes %s by %i edits, and back', (one, other, edits) => {
  expect(countEdits(one, other)).toBe(edits)
  expect(countEdits(other, one)).toBe(edits)
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
  expect(findMeant(word, ['num', 'expiration', 'dryRun', 'title'])).toBe(meant)
})

test('the nearest of several is meant', () => {
  expect(findMeant('description', ['descriptions', 'description'])).toBe('description')
})
