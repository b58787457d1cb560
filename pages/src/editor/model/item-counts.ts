import { pathsOfOrigin } from '../../drafts/origin.ts'
import type { CountOf } from '../../schemas/item-counts.ts'
import type { Node } from './node.ts'

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
