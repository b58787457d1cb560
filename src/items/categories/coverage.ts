import type { FacetCounts } from '../search/item-search.ts'

/** How the items of an organization or a group are spread over its categories. */

export interface CoveredCategory {
  readonly path: string
  readonly title: string
  /** Counts from 1. */
  readonly depth: number
  /** Items that carry it themselves. */
  readonly items: number
  /** Items that carry it or a category below it. */
  readonly itemsBelow: number
  readonly state: CoverageState
}

export const coverageStates = ['empty', 'filled', 'overfull'] as const
export type CoverageState = (typeof coverageStates)[number]

/** A category is overfull if it has more than this part of all items, and at least so many (chosen). */
export const overfull = { part: 1 / 4, items: 50 } as const

/** Every category of the schema in its order, with the counts of a search. */
export function coverCategories(
  paths: readonly string[],
  total: number,
  counts: readonly FacetCounts[],
): readonly CoveredCategory[] {
  const countsOf = (field: FacetCounts['field']) =>
    new Map(counts.find((one) => one.field === field)?.values.map(({ value, count }) => [value, count]))
  const [carried, below] = [countsOf('carried'), countsOf('categories')]
  return paths.map((path) => {
    const titles = path.split('/').slice(1)
    const [items, itemsBelow] = [carried.get(path) ?? 0, below.get(path) ?? 0]
    return {
      path,
      title: titles.at(-1)!,
      depth: titles.length,
      items,
      itemsBelow,
      state: stateOf(items, itemsBelow, total),
    }
  })
}

/** Paths that items carry and the schema does not have, the largest counts first. */
export function unrecognizedOf(paths: readonly string[], counts: readonly FacetCounts[]): FacetCounts['values'] {
  const known = new Set(paths)
  return counts.flatMap(({ field, values }) =>
    field === 'carried' ? values.filter(({ value }) => !known.has(value)) : [],
  )
}

function stateOf(items: number, itemsBelow: number, total: number): CoverageState {
  if (itemsBelow === 0) return 'empty'
  return items >= overfull.items && items > overfull.part * total ? 'overfull' : 'filled'
}

/** Days for which counts are kept (chosen). */
export const coverageDays = 400

/** The day of UTC, such as 2026-11-28. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}

/** The first day whose counts are kept. */
export function firstKeptDay(now: number): string {
  return dayOf(now - coverageDays * 24 * 60 * 60 * 1000)
}
