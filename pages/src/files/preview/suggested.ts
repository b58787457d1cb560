import type { Move } from '../../../../src/categories/moves.ts'
import type { SuggestedMove } from '../../schemas/answers.ts'

/**
 * Likely renames in the order in which they were first shown: those that are confirmed are suggested no more, and stay. Those that
 * the confirmed ones have made meaningless are left out.
 */
export function addSuggestions(
  shown: readonly SuggestedMove[],
  suggested: readonly SuggestedMove[],
  confirmed: readonly Move[],
): readonly SuggestedMove[] {
  const isIn = (moves: readonly Move[], { from, to }: Move) =>
    moves.some((move) => move.from === from && move.to === to)
  const kept = shown.filter((move) => isIn(confirmed, move) || isIn(suggested, move))
  return [...kept, ...suggested.filter((move) => !isIn(kept, move))]
}
