import { findRefusedMoves, type Move, type MoveContext } from '../../../src/categories/moves.ts'
import type { CategorySchema } from '../../../src/categories/schema.ts'
import { listPaths } from '../../../src/categories/schema-paths.ts'
import { movesOfDraft } from './draft-moves.ts'
import type { Draft } from './draft-store.ts'

/**
 * Moves that a draft is published with: those that the person has declared, then those that the draft implies. Moves that later
 * edits have made impossible are left out; `declared` are the remaining ones of the person.
 */
export function movesToPublish(
  base: CategorySchema,
  draft: Draft,
): { readonly all: readonly Move[]; readonly declared: readonly Move[] } {
  const context = { before: new Set(listPaths(base)), after: new Set(listPaths(draft)), isCarried: () => true }
  const declared = withoutRefused(draft.moves ?? [], context)
  const known = new Set(declared.map(({ from }) => from))
  const all = withoutRefused([...declared, ...movesOfDraft(draft).filter(({ from }) => !known.has(from))], context)
  return { all, declared: declared.filter((move) => all.includes(move)) }
}

function withoutRefused(moves: readonly Move[], context: MoveContext): readonly Move[] {
  const refused = new Set(findRefusedMoves(moves, context).map(({ position }) => position))
  if (refused.size === 0) return moves
  return withoutRefused(
    moves.filter((_, position) => !refused.has(position)),
    context,
  )
}
