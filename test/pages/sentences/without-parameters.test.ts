import { expect, test } from 'vitest'
import { withoutParameters } from '../../../pages/src/sentences/without-parameters.ts'

test.each([
  [
    'The file has 9 trees, and at most 5 are allowed: they are below the root “Categories”.',
    ' below=<title> names it otherwise, below=none leaves it out.',
  ],
  [
    'Row 8: The title “titles=cut. root=x” has 130 characters; at most 100 are allowed.',
    ' titles=cut cuts it at a word.',
  ],
  [
    'The columns were taken as levels, from the roots down.',
    ' If that is wrong, name the columns by path or give header.',
  ],
  ['Line 2 is not UTF-8: save the file as UTF-8, or give encoding=windows-1252.', ''],
])('%s | %s', (said, help) => {
  expect(withoutParameters(said + help)).toBe(said)
})
