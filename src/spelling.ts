/**
 * The name that was probably meant: the nearest one, if at most `most` letters of it were left out, added, replaced or
 * exchanged with their neighbour. Case does not count. Undefined where no name is that near.
 */
export function findNearest<Name extends string>(given: string, names: Iterable<Name>, most: number): Name | undefined {
  let nearest: Name | undefined
  let least = most + 1
  for (const name of names) {
    const distance = countEdits(given.toLowerCase(), name.toLowerCase(), least)
    if (distance < least) [nearest, least] = [name, distance]
  }
  return nearest
}

/** How many edits lead from one text to the other, or `enough` if there are as many or more. */
function countEdits(from: string, to: string, enough: number): number {
  if (Math.abs(from.length - to.length) >= enough) return enough
  let before: readonly number[] = []
  let last: readonly number[] = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let row = 1; row <= from.length; row += 1) {
    const next = [row]
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1]
      const isExchanged = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      next[column] = Math.min(
        last[column]! + 1,
        next[column - 1]! + 1,
        last[column - 1]! + (isSame ? 0 : 1),
        isExchanged ? before[column - 2]! + 1 : enough,
      )
    }
    before = last
    last = next
  }
  return Math.min(last[to.length]!, enough)
}
