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

/** Letters that are changed, added, removed or exchanged with their neighbour to make the one word of the other. */
export function countEdits(one: string, other: string): number {
  let beforeLast: readonly number[] = []
  let last: readonly number[] = Array.from({ length: other.length + 1 }, (_, column) => column)
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1]
      const isExchanged = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      current[column] = Math.min(
        last[column]! + 1,
        current[column - 1]! + 1,
        last[column - 1]! + (isSame ? 0 : 1),
        isExchanged && row > 1 && column > 1 ? beforeLast[column - 2]! + 1 : Number.POSITIVE_INFINITY,
      )
    }
    beforeLast = last
    last = current
  }
  return last[other.length]!
}
