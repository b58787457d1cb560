/** Ids between two rows of a list, both included, in either order: the range of a choice with Shift. Without DOM. */
export function rangeOf(ids: readonly string[], from: string, to: string): readonly string[] {
  const [a, b] = [ids.indexOf(from), ids.indexOf(to)]
  return a < 0 || b < 0 ? [to] : ids.slice(Math.min(a, b), Math.max(a, b) + 1)
}
