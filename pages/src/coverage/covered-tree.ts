import type { coverageShape } from '../../../src/http/shapes/items/coverage.ts'
import type { ValueOf } from '../../../src/http/shapes/shape.ts'

/** The categories of a schema with their items, as a tree. Without DOM. */

export type Coverage = ValueOf<typeof coverageShape>
export type CoveredCategory = Coverage['categories'][number]
/** Counts at the beginning of a day, such as `2026-11-28`. */
export type CountedDay = Coverage['history'][number]

/** A category with those below it. */
export interface CoveredNode {
  readonly path: string
  readonly title: string
  readonly category: CoveredCategory
  readonly below: readonly CoveredNode[]
}

/** The tree of categories that are in the order of their schema: each behind the one above it. */
export function treeOf(categories: readonly CoveredCategory[]): readonly CoveredNode[] {
  const trees: CoveredNode[] = []
  const levels: CoveredNode[][] = [trees]
  for (const category of categories) {
    const below: CoveredNode[] = []
    levels.length = category.depth
    levels[category.depth - 1]?.push({ path: category.path, title: category.title, category, below })
    levels.push(below)
  }
  return trees
}

/** Paths of what is open where the tree is seen to a level: 1 for the trees alone. */
export function openToLevel(categories: readonly CoveredCategory[], level: number): ReadonlySet<string> {
  return new Set(categories.filter(({ depth }) => depth < level).map(({ path }) => path))
}

/** Number of levels. */
export function depthOf(categories: readonly CoveredCategory[]): number {
  return categories.reduce((depth, category) => Math.max(depth, category.depth), 0)
}

/** Parts of a bar, as shares of the longest one: items that carry the category itself, and those of the categories below it alone. */
export function barOf({ items, itemsBelow }: CoveredCategory, largest: number) {
  const whole = Math.max(1, largest)
  return { own: items / whole, below: (itemsBelow - items) / whole }
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
