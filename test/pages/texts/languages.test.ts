import { expect, test } from 'vitest'
import { regionalTag } from '../../../pages/src/texts/languages.ts'

test.each([
  ['en', ['en-GB', 'en-US', 'en'], 'en-GB'],
  ['en', ['de-DE', 'de', 'en'], 'en-DE'],
  ['de', ['en-US', 'en', 'de-AT'], 'de-AT'],
  ['ar', ['ar', 'en'], 'ar'],
  ['en', ['x', 'no tag at all', 'en-Latn-GB'], 'en-GB'],
] as const)('dates in %s for a browser of %j', (language, wanted, expected) => {
  expect(regionalTag(language, wanted)).toBe(expected)
})
