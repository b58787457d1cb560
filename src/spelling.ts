/**
 * The name that was probably meant: the nearest one, if at most `most` letters of it were left out, added, replaced or
 * exchanged with their neighbour. Case does not count. Undefined where no name is that near.
 */
export function findNearest<Name extends string>(given: string, names: Iterable<Name>, most: number): Name | undefined {
  let nearest: Name | undefined
  let least = most + 1
  for (const name of names) {
    const distance =
      Math.abs(given.length - name.length) < least ? countEdits(given.toLowerCase(), name.toLowerCase()) : least
    if (distance < least) [nearest, least] = [name, distance]
  }
  return nearest
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
