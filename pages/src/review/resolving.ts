import { type MergeInput, mergeSchemas, originsInTheirs } from '../../../src/categories/merge/merge.ts'
import type { Move } from '../../../src/categories/moves.ts'
import type { CategorySchema } from '../../../src/categories/schema.ts'
import { listCategories } from '../../../src/categories/schema-paths.ts'
import type { Draft } from '../drafts/draft-store.ts'
import { joinOrigins, type Origin, ownPath, pathsOfOrigin } from '../drafts/origin.ts'

/** Members of a draft that a resolved conflict replaces. */
export type Resolved = Pick<Draft, 'origins' | 'moves'> & Partial<Pick<Draft, 'categorySchema'>>

/** Two versions of a schema since their common base, as the merge needs them. */
type Sides = Omit<MergeInput, 'origins' | 'mine' | 'moves'>

/** Input of the merge; `declared` are moves of the person. Categories that were merged into others are among the removed ones. */
export function inputOf(sides: Sides, draft: Draft, declared: readonly Move[]): MergeInput {
  return { ...sides, mine: draft, origins: draft.origins.map(ownPath), moves: declared }
}

/** Puts both together. A category that the draft merged into another one stays merged, whatever either side named it. */
export function putTogether(input: MergeInput, draft: Draft): Resolved {
  const { schema, origins, moves } = mergeSchemas(input)
  const merged = mergeSchemas({ ...input, moves: mergesOf(draft) }).moves
  return { categorySchema: schema.categorySchema, origins: withMerged(schema, origins, merged), moves }
}

/** Keeps the draft as it is, based on their version. */
export function replaceTheirs(input: MergeInput, draft: Draft): Resolved {
  const count = Math.max(1, ...draft.origins.map((origin) => pathsOfOrigin(origin).length))
  const ranks = Array.from({ length: count }, (_, rank) =>
    originsInTheirs({ ...input, origins: draft.origins.map((origin) => pathsOfOrigin(origin)[rank] ?? null) }),
  )
  return {
    origins: draft.origins.map((_, at) => joinOrigins(...ranks.map((origins) => origins[at] ?? null))),
    moves: [],
  }
}

/** A move for each category that the draft merged into another one, to the path of that. */
function mergesOf(draft: Draft): readonly Move[] {
  return listCategories(draft).flatMap(({ path: to }, at) => {
    const [, ...merged] = pathsOfOrigin(draft.origins[at] ?? null)
    return to === undefined ? [] : merged.map((from) => ({ from, to }))
  })
}

function withMerged(schema: CategorySchema, origins: readonly Origin[], merges: readonly Move[]): readonly Origin[] {
  const known = new Set(origins)
  return listCategories(schema).map(({ path }, at) => {
    const into = merges.filter(({ from, to }) => to === path && !known.has(from))
    return joinOrigins(origins[at] ?? null, ...into.map(({ from }) => from))
  })
}
