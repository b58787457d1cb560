/** Lines of a chart of days. Without DOM. */

/** Counts at the beginning of a day, such as `2026-11-28`. */
export interface CountedDay {
  readonly day: string
  readonly items: number
  readonly uncategorized: number
}

/** Points of the lines for `<polyline>`, in a field of this size; days without an entry leave their room. */
export function linesOf(days: readonly CountedDay[], width: number, height: number) {
  const times = days.map(({ day }) => Date.parse(day))
  const first = times[0] ?? 0
  const span = Math.max(1, (times.at(-1) ?? 0) - first)
  const most = Math.max(1, ...days.map(({ items }) => items))
  const lineOf = (count: (day: CountedDay) => number) =>
    days
      .map(
        (day, at) => `${round(((times[at]! - first) / span) * width)},${round(height - (count(day) / most) * height)}`,
      )
      .join(' ')
  return { items: lineOf(({ items }) => items), uncategorized: lineOf(({ uncategorized }) => uncategorized), most }
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
