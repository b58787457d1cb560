import type { SchemaLimits } from '../../../../src/categories/limits.ts'
import type { Trees } from './node.ts'

/** Counted limits of a whole schema. */
export const limitNames = ['trees', 'levels', 'categories'] as const
export type Limit = (typeof limitNames)[number]

export type Counts = Readonly<Record<Limit, number>>

/** `near`: little is left. `full`: nothing is left. `over`: the server refuses it. */
export type Fullness = 'free' | 'near' | 'full' | 'over'

export function countTrees(trees: Trees): Counts {
  let categories = 0
  let levels = 0
  const visit = (siblings: Trees, level: number) => {
    for (const { below } of siblings) {
      categories += 1
      levels = Math.max(levels, level)
      visit(below, level + 1)
    }
  }
  visit(trees, 1)
  return { trees: trees.length, levels, categories }
}

/** Warns when a tenth is left, or one of five or more (chosen): the third of four levels needs no warning. */
export function fullnessOf(used: number, max: number): Fullness {
  if (used > max) return 'over'
  if (used === max) return 'full'
  return max - used <= Math.max(max < 5 ? 0 : 1, Math.floor(max / 10)) ? 'near' : 'free'
}

/**
 * First limit that an edit would exceed. A schema that exceeded it before, such as an old draft, may be
 * edited as long as the edit does not increase the excess.
 */
export function findExceeded(before: Trees, after: Trees, limits: SchemaLimits): Limit | undefined {
  const counted = countTrees(before)
  const next = countTrees(after)
  return limitNames.find((limit) => next[limit] > limits[limit] && next[limit] > counted[limit])
}
