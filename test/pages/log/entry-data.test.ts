import { expect, test } from 'vitest'
import { readEntryData } from '../../../pages/src/log/entry-data.ts'

test('of the sums of a change, those that are not 0 are said, in one order', () => {
  const summary = { removed: 1, added: 2, renamed: 0, moved: 0, merged: 0, changed: 0, reordered: 3 }
  expect(readEntryData('summary', summary)).toEqual({
    kind: 'sums',
    sums: [
      { name: 'added', count: 2 },
      { name: 'removed', count: 1 },
      { name: 'reordered', count: 3 },
    ],
  })
  expect(readEntryData('summary', { added: 0 })).toEqual({ kind: 'sums', sums: [] })
})

test.each(['users', 'groups'])('%s are names', (name) => {
  expect(readEntryData(name, ['anna', 'bert'])).toEqual({ kind: 'names', names: ['anna', 'bert'] })
})

test.each([
  ['comment', 'Wider themes', 'Wider themes'],
  ['version', 4, '4'],
  ['targets', ['a', 'b'], '["a","b"]'],
  ['summary', { added: 1, split: 2 }, '{"added":1,"split":2}'],
  ['summary', { added: 'many' }, '{"added":"many"}'],
  ['summary', [1], '[1]'],
  ['summary', null, 'null'],
  ['users', 'anna', 'anna'],
  ['users', [7], '[7]'],
])('%s of %j is shown as it was written', (name, value, text) => {
  expect(readEntryData(name, value)).toEqual({ kind: 'text', text })
})
