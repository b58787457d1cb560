import { countEdits } from '../spelling.ts'

/** Longest word that is compared, in characters. */
const longestWord = 64

/**
 * The candidate that the word was perhaps meant to be: one letter wrong, missing, added or exchanged with its neighbour in
 * short words, two in longer ones. Upper and lower case are the same. Undefined if none is so near.
 */
export function findMeant(word: string, candidates: readonly string[]): string | undefined {
  if (word.length > longestWord) return undefined
  const near = candidates
    .map((candidate) => ({ candidate, edits: countEdits(word.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ candidate, edits }) => edits <= mostEdits(candidate))
  return near.toSorted((one, other) => one.edits - other.edits)[0]?.candidate
}

/** How many wrong letters a word may have and still be known again. */
export function mostEdits({ length }: string): number {
  if (length < 4) return 0
  return length < 8 ? 1 : 2
}
