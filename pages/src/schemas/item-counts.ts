/** Item counts for the categories of a tree. Without DOM. */

/** Maximum number of paths that one search counts (documented). */
export const maxCounts = 200

export interface CountedPath {
  readonly value: string
  readonly count: number
}

/** Items of a path; undefined if they were not counted. */
export type CountOf = (path: string) => number | undefined

/** Reads counts. A search that returns fewer paths than the maximum has counted all: the others have no items. */
export function readCounts(counted: readonly CountedPath[]): CountOf {
  const byPath = new Map(counted.map(({ value, count }) => [value, count]))
  const ofOthers = counted.length < maxCounts ? 0 : undefined
  return (path) => byPath.get(path) ?? ofOthers
}
