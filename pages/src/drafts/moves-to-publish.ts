import { findRefusedMoves, followMoves, type Move, type MoveContext } from '../../../src/categories/moves.ts'
import type { CategorySchema } from '../../../src/categories/schema.ts'
import { listCategories, listPaths } from '../../../src/categories/schema-paths.ts'
import type { Draft } from './draft-store.ts'
import { pathsOfOrigin } from './origin.ts'

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

/**
 * Moves that a draft implies: where each category of the base has gone in the tree, itself or merged into another one. Those
 * below a moved category move with it and have no move of their own. A path that two categories have, before or after, is ambiguous, and
 * has no move. The server accepts all of them together for the schema that the draft is based on.
 */
export function movesOfDraft({ categorySchema, origins }: Pick<Draft, 'categorySchema' | 'origins'>): readonly Move[] {
  const places = listCategories({ categorySchema }).map(({ path }, position) => ({
    froms: pathsOfOrigin(origins[position] ?? null),
    to: path,
  }))
  const befores = countTexts(places.flatMap(({ froms }) => froms))
  const afters = countTexts(places.map(({ to }) => to))
  const known = places
    .flatMap(({ froms, to }) =>
      to === undefined || afters.get(to) !== 1
        ? []
        : froms.filter((from) => befores.get(from) === 1).map((from) => ({ from, to })),
    )
    .sort((one, other) => one.from.length - other.from.length)
  return leadMoves(known, new Set(afters.keys()), new Set())
}

/** Repeatedly removes moves that the server would refuse, or that would take along a category that stays. */
function leadMoves(known: readonly Move[], after: ReadonlySet<string>, left: ReadonlySet<string>): readonly Move[] {
  const moves: Move[] = []
  // Parents before children: a category that moves with its parent needs no move.
  for (const move of known) {
    if (left.has(move.from) || move.from === move.to) continue
    if (followMoves(moves)(move.from) !== move.to) moves.push(move)
  }
  const targets = new Set(moves.map(({ to }) => to))
  const follow = followMoves(moves)
  const stolen = known.filter(({ from, to }) => from === to && follow(from) !== to)
  const wrong = moves.filter(
    ({ from }) => (after.has(from) && !targets.has(from)) || stolen.some((stays) => stays.from.startsWith(`${from}/`)),
  )
  return wrong.length === 0 ? moves : leadMoves(known, after, new Set([...left, ...wrong.map(({ from }) => from)]))
}

function countTexts(texts: readonly (string | undefined)[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const text of texts) if (text !== undefined) counts.set(text, (counts.get(text) ?? 0) + 1)
  return counts
}
