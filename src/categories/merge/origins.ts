import { matchTrees } from '../diff/matching.ts'
import { listNodes, type Node, treeOf } from '../diff/tree.ts'
import type { Move } from '../moves.ts'
import type { CategorySchema } from '../schema.ts'

/**
 * For each category of the new schema, in the order of the document, the one of the old schema that it is: by the moves, by
 * sources that are URIs, then by its path. Undefined for a new one.
 */
export function matchesOf(
  before: CategorySchema,
  after: CategorySchema,
  moves: readonly Move[] = [],
): readonly (Node | undefined)[] {
  const roots = { before: treeOf(before), after: treeOf(after) }
  matchTrees(roots.before, roots.after, moves)
  return listNodes(roots.after).map(({ match }) => match)
}

/** Returns the old paths of the matches, as drafts have them; null for a new one. */
export function originsOf(before: CategorySchema, after: CategorySchema): readonly (string | null)[] {
  return matchesOf(before, after).map((match) => match?.path ?? null)
}
