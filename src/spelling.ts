/** Hints at the name that was probably meant: what counts as near, and the one wording of them. */

/** The sentence about something unknown, which has no full stop yet, with the name that was probably meant. */
export function withHint(problem: string, meant: string | undefined): string {
  return meant === undefined ? `${problem}.` : `${problem}; did you mean ${meant}?`
}

/** Maximum length of a word that is compared, in characters. */
const maxWordLength = 64

/** The nearest of these names, at most `max` edits away; undefined if none is near. */
export function findNearest<Name extends string>(given: string, names: Iterable<Name>, max = 2): Name | undefined {
  let nearest: Name | undefined
  let min = max + 1
  for (const name of names) {
    const edits = countEdits(given, name)
    if (edits < min) [nearest, min] = [name, edits]
  }
  return nearest
}

/**
 * Letters that are changed, added, removed or exchanged with their neighbour to make the word of the one that was given. Case
 * does not count. Infinite where the word would not be known again: above one edit of 4 to 7 letters and two of more.
 */
export function countEdits(given: string, word: string): number {
  const max = word.length < 4 ? 0 : word.length < 8 ? 1 : 2
  if (given.length > maxWordLength || Math.abs(given.length - word.length) > max) return Number.POSITIVE_INFINITY
  const edits = distanceBetween(given.toLowerCase(), word.toLowerCase())
  return edits <= max ? edits : Number.POSITIVE_INFINITY
}

function distanceBetween(one: string, other: string): number {
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
