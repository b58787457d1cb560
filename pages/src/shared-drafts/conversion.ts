import { matchesOf } from '../../../src/categories/merge/side.ts'
import type { Move } from '../../../src/categories/moves.ts'
import type { CategorySchema } from '../../../src/categories/schema.ts'
import { listCategories } from '../../../src/categories/schema-paths.ts'
import type { Draft } from '../drafts/draft-store.ts'
import { movesToPublish } from '../drafts/moves-to-publish.ts'
import { joinOrigins, type Origin } from '../drafts/origin.ts'
import type { WholeDraft } from './answers.ts'

/** A draft of this browser as the server keeps it: where categories have gone is in its moves. */
export function toContent(base: CategorySchema, draft: Draft) {
  const { categorySchema, baseVersion, comment = '', vanishing } = draft
  return {
    categorySchema: JSON.stringify({ categorySchema }),
    baseVersion,
    moves: JSON.stringify(movesToPublish(base, draft).all),
    comment,
    vanishing,
  }
}

/** A draft of the server as this browser keeps it, so that it can be edited. */
export function toLocalDraft(base: CategorySchema, kept: WholeDraft, now: number): Draft {
  const { id, name, revision, categorySchema, baseVersion, moves, comment, vanishing } = kept
  return {
    categorySchema,
    baseVersion,
    origins: originsOf(base, { categorySchema }, moves),
    began: kept.created,
    saved: now,
    ...(comment !== null && { comment }),
    ...(vanishing !== null && { vanishing }),
    kept: { id, name, revision, saved: now },
  }
}

/** Origin of each category: its own, then those of categories that were merged into it. */
function originsOf(base: CategorySchema, after: CategorySchema, moves: readonly Move[]): readonly Origin[] {
  const paths = listCategories(after).map(({ path }) => path)
  return matchesOf(base, after, moves).map((match, position) => {
    const merged = moves.filter(({ from, to }) => to === paths[position] && from !== match?.path)
    return joinOrigins(match?.path ?? null, ...merged.map(({ from }) => from))
  })
}
