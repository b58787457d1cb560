/** How many items the categories of a tree have. Without DOM. */

/** The largest number of paths that one search counts (documented). */
export const mostCounts = 200

export interface CountedPath {
  readonly value: string
  readonly count: number
}

/** Items of a path; undefined where they were not counted. */
export type CountOf = (path: string) => number | undefined

/** A search that counts fewer paths than it may has counted all: the others have no items. */
export function readCounts(counted: readonly CountedPath[]): CountOf {
  const byPath = new Map(counted.map(({ value, count }) => [value, count]))
  const ofOthers = counted.length < mostCounts ? 0 : undefined
  return (path) => byPath.get(path) ?? ofOthers
}
