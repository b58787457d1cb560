/** Counts until no number is missing: on a busy machine, the second that counting has may not be enough. */
export async function wholeCounts(count: () => Promise<readonly (number | undefined)[]>): Promise<readonly number[]> {
  for (;;) {
    const counts = await count()
    const known = counts.filter((number) => number !== undefined)
    if (known.length === counts.length) return known
  }
}
