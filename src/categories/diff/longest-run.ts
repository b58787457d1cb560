/** The longest subsequence whose ranks increase; of several, the one that ends lowest. Patience sorting, n log n. */
export function longestRun<Value>(values: readonly Value[], rankOf: (value: Value) => number): readonly Value[] {
  /** The last link of the best run of each length. */
  const ends: Link<Value>[] = []
  for (const value of values) {
    const rank = rankOf(value)
    let low = 0
    let high = ends.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (ends[middle]!.rank < rank) low = middle + 1
      else high = middle
    }
    ends[low] = { value, rank, previous: ends[low - 1] }
  }
  const run: Value[] = []
  for (let link = ends.at(-1); link; link = link.previous) run.push(link.value)
  return run.reverse()
}

interface Link<Value> {
  readonly value: Value
  readonly rank: number
  readonly previous: Link<Value> | undefined
}
