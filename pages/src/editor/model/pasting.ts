import type { Category } from '../../../../src/categories/schema.ts'
import type { Limit } from './counts.ts'
import type { Editing, Outcome, PasteMode } from './editing.ts'
import type { Pasted } from './pasted.ts'

/** A root for pasted trees. `isWanted` is undefined while the person has not decided: then it is made if it is needed. */
export interface PastedRoot {
  readonly title: string
  readonly isWanted: boolean | undefined
}

export interface Placed {
  /** The categories, below a root where there is one. */
  readonly categories: readonly Category[]
  /** Whether they would be too many trees without a root. */
  readonly needsRoot: boolean
  readonly hasRoot: boolean
  readonly outcome: Outcome
}

/** Puts pasted categories below one root where they would be too many trees, and finds what pasting them would lead to. */
export function placePasted(
  editing: Editing,
  categories: readonly Category[],
  mode: PasteMode,
  { title, isWanted = true }: PastedRoot,
): Placed {
  const plain = editing.tryPaste(categories, mode)
  const needsRoot = typeof plain === 'object' && plain.exceeded === 'trees'
  if (!needsRoot || !isWanted) return { categories, needsRoot, hasRoot: false, outcome: plain }
  const below = [{ title, categories }]
  return { categories: below, needsRoot, hasRoot: true, outcome: editing.tryPaste(below, mode) }
}

/** Title of a root in merging: of the only tree, so that the pasted ones come below it; undefined if there is none or several. */
export function onlyTitle(editing: Editing, mode: PasteMode): string | undefined {
  const { trees } = editing
  return mode === 'merge' && trees.length === 1 ? trees[0]!.title || undefined : undefined
}

/** Reason why nothing can be taken over: `unread` for a text with problems, `unchanged` if all of it is there already. */
export type Obstacle = 'empty' | 'unread' | 'unchanged' | Limit

export function findObstacle(pasted: Pasted | undefined, outcome: Outcome | undefined): Obstacle | undefined {
  if (!pasted) return 'empty'
  if ('problems' in pasted) return 'unread'
  if (typeof outcome === 'object') return outcome.exceeded
  return outcome === 'unchanged' ? 'unchanged' : undefined
}
