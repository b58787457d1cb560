import { expect, test } from 'vitest'
import { addSuggestions } from '../../../../pages/src/files/preview/choices.ts'

const suggest = (letter: string) => ({
  from: `/${letter}`,
  to: `/${letter}2`,
  confidence: 'sure' as const,
  because: [],
})
const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(suggest) as [Suggestion, Suggestion, Suggestion, Suggestion]
type Suggestion = ReturnType<typeof suggest>

test('likely renames stay where they are when one is confirmed; others may go, or come', () => {
  expect(addSuggestions([], [a, b, c], [])).toEqual([a, b, c])
  expect(addSuggestions([a, b, c], [d, a], [{ from: b.from, to: b.to }])).toEqual([a, b, d])
})
