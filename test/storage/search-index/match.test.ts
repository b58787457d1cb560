import { expect, test } from 'vitest'
import { both, either, formatMatch, type Match, token } from '../../../src/storage/stores/items/index/match.ts'

const seen = either([token('public'), token('org'), either([token('a'), token('b')])])

test('who sees a record comes last: FTS5 goes through what the first part finds', () => {
  const matches: readonly (readonly [Match, string])[] = [
    [token('lakes'), '"lakes"'],
    [either([token('lakes'), token('rivers')]), '("lakes" OR "rivers")'],
  ]
  for (const [match, begin] of matches) {
    expect(formatMatch(both(match, seen), 'fts5')).toBe(`(${begin} AND ("public" OR "org" OR "a" OR "b"))`)
  }
})

test('what is nested deeply comes first, as the parser of FTS5 has little room', () => {
  const deep = [token('a'), token('b'), token('c'), token('d')].reduce<Match>(
    (part, one, at) => (at % 2 === 0 ? both(one, part) : either([one, part])),
    token('e'),
  )
  expect(formatMatch(both(token('lakes'), either([deep, token('f')])), 'fts5')).toMatch(
    /^\(\(\("c" .* OR "d" OR "f"\) AND "lakes"\)$/,
  )
})
