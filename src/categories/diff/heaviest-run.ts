/**
 * The heaviest subsequence whose ranks increase. Ranks are all different, and weights above 0. Takes n log n steps: a tree of
 * prefixes (Fenwick) keeps the best run that ends below each rank.
 */
export function heaviestRun<Value>(
  values: readonly Value[],
  rankOf: (value: Value) => number,
  weightOf: (value: Value) => number,
): readonly Value[] {
  const order = new Map(
    [...values].sort((one, other) => rankOf(one) - rankOf(other)).map((value, at) => [value, at + 1]),
  )
  const best: (Link<Value> | undefined)[] = []
  const bestBelow = (place: number) => {
    let found: Link<Value> | undefined
    for (let at = place; at > 0; at -= at & -at) found = heavier(best[at], found)
    return found
  }
  for (const value of values) {
    const place = order.get(value)!
    const previous = bestBelow(place - 1)
    const weight = (previous?.weight ?? 0) + weightOf(value)
    const link = { value, weight, previous }
    for (let at = place; at <= values.length; at += at & -at) best[at] = heavier(best[at], link)
  }
  const run: Value[] = []
  for (let link = bestBelow(values.length); link; link = link.previous) run.push(link.value)
  return run.reverse()
}

interface Link<Value> {
  readonly value: Value
  readonly weight: number
  readonly previous: Link<Value> | undefined
}

function heavier<Value>(one: Link<Value> | undefined, other: Link<Value> | undefined): Link<Value> | undefined {
  return !one || (other && other.weight > one.weight) ? other : one
}
