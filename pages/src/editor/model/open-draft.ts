import type { Category } from '../../../../src/categories/schema.ts'
import { listPaths } from '../../../../src/categories/schema-paths.ts'
import type { Draft } from '../../drafts/draft-store.ts'
import { areEqual, type KeyMaker, listNodes, readNodes, readPublished, type Trees, toCategories } from './node.ts'

/** The schema that is published, and its version. */
export interface Published {
  readonly categorySchema: readonly Category[]
  /** 0 if there never was a schema. */
  readonly version: number
}

/** The published schema, with what is known of its version. */
export interface LoadedSchema extends Published {
  /** Milliseconds since 1970; undefined if there never was a schema. */
  readonly modified: number | undefined
  /** Undefined for those who do not see versions. */
  readonly modifiedBy: string | undefined
}

/** What the editor begins with. */
export interface Opened {
  readonly schema: LoadedSchema
  /** Title of the group, or name of the organization. */
  readonly ownerName: string
  /** Why the person may not assign it, in the words of the server; undefined if they may. */
  readonly refusal: string | undefined
}

/** What is edited: the draft if there is one, else what is published. */
export function openTrees(published: Published, draft: Draft | undefined, makeKey: KeyMaker): Trees {
  return draft
    ? readNodes(draft.categorySchema, makeKey, draft.origins)
    : readPublished(published.categorySchema, makeKey)
}

/**
 * The draft after an edit; undefined if nothing differs from what it began with any more. What the person has entered for
 * publishing stays, but for moves to paths that are gone.
 */
export function draftAfter(
  trees: Trees,
  published: Published,
  before: Draft | undefined,
  now: number,
): Draft | undefined {
  const categorySchema = toCategories(trees)
  const baseVersion = before?.baseVersion ?? published.version
  // What another version began with is not known here: only that of the present one can be told to be the same.
  if (baseVersion === published.version && areEqual(categorySchema, published.categorySchema)) return undefined
  const paths = new Set(listPaths({ categorySchema }))
  return {
    ...before,
    categorySchema,
    baseVersion,
    origins: listNodes(trees).map(({ origin }) => origin),
    began: before?.began ?? now,
    saved: now,
    ...(before?.moves && { moves: before.moves.filter(({ to }) => paths.has(to)) }),
  }
}
