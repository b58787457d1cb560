import { followMoves, type Move } from '../moves.ts'
import type { CategorySchema } from '../schema.ts'
import type { Change, Diff, DiffSummary } from './change.ts'
import { withoutEqualParts } from './equal-parts.ts'
import { matchTrees } from './matching.ts'
import { writeScript } from './script.ts'
import { suggestMoves } from './suggestions.ts'
import { treeOf } from './tree.ts'

/**
 * How the new schema differs from the old one. A category is identified by its path, as items know nothing else; only
 * declared moves, and sources that are URIs, make one of another path the same. The moves are those that `judgeMoves`
 * accepts, or a composition of such.
 */
export function diffSchemas(before: CategorySchema, after: CategorySchema, moves: readonly Move[]): Diff {
  const { roots, changes } = compare(before, after, moves)
  return { summary: summaryOf(changes), changes, suggestions: suggestMoves(roots.before, roots.after, moves) }
}

/** The sums of the diff alone: suggestions, which take most of the time where much is new, are not looked for. */
export function summarizeChange(before: CategorySchema, after: CategorySchema, moves: readonly Move[]): DiffSummary {
  return summaryOf(compare(...withoutEqualParts(before, after, moves), moves).changes)
}

function compare(before: CategorySchema, after: CategorySchema, moves: readonly Move[]) {
  const roots = { before: treeOf(before), after: treeOf(after) }
  matchTrees(roots.before, roots.after, moves)
  return { roots, changes: writeScript(roots.before, roots.after, moves, followMoves(moves)) }
}

function summaryOf(changes: readonly Change[]): DiffSummary {
  const count = (op: Change['op']) => changes.filter((change) => change.op === op).length
  return {
    added: count('add'),
    removed: count('remove'),
    renamed: count('rename'),
    moved: count('move'),
    merged: count('merge'),
    changed: count('change'),
    reordered: changes.filter((change) => change.op === 'reorder' || 'reordered' in change).length,
  }
}
