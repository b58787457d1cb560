import { pathsOfOrigin } from '../../drafts/origin.ts'
import type { Node } from './node.ts'

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
  return (path) => byPath.get(path) ?? (counted.length < maxCounts ? 0 : undefined)
}

/**
 * Counts items of a category, by the paths that it and those merged into it have in the published schema. Undefined for a new
 * category, where items are not counted, and in a draft that is based on another version.
 */
export function countItemsOf(
  countOf: CountOf | undefined,
  baseVersion: number,
  version: number,
): (node: Node) => number | undefined {
  if (!countOf || baseVersion !== version) return () => undefined
  return ({ origin }) => {
    const counts = pathsOfOrigin(origin).map(countOf)
    if (counts.length === 0 || counts.includes(undefined)) return undefined
    return counts.reduce<number>((sum, count = 0) => sum + count, 0)
  }
}
