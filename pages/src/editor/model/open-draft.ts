import type { Category } from '../../../../src/categories/schema.ts'
import { listPaths } from '../../../../src/categories/schema-paths.ts'
import type { Draft } from '../../drafts/draft-store.ts'
import { areEqual, type KeyMaker, listNodes, readNodes, readPublished, type Trees, toCategories } from './node.ts'

/** Published schema and its version. */
export interface Published {
  readonly categorySchema: readonly Category[]
  /** 0 if there never was a schema. */
  readonly version: number
}

/** Published schema, with data of its version. */
export interface LoadedSchema extends Published {
  /** Milliseconds since 1970; undefined if there never was a schema. */
  readonly modified: number | undefined
  /** Undefined for those who do not see versions. */
  readonly modifiedBy: string | undefined
}

/** Initial state of the editor. */
export interface Opened {
  readonly schema: LoadedSchema
  /** Title of the group, or name of the organization. */
  readonly ownerName: string
  /** Reason why the person may not assign it, as the server gives it; undefined if they may. */
  readonly refusal: string | undefined
}

/** Trees to edit: those of the draft if there is one, otherwise the published ones. */
export function openTrees(published: Published, draft: Draft | undefined, makeKey: KeyMaker): Trees {
  return draft
    ? readNodes(draft.categorySchema, makeKey, draft.origins)
    : readPublished(published.categorySchema, makeKey)
}

/**
 * Draft after an edit; undefined if it is equal to the published schema that it is based on. The input of the person for
 * publishing stays, except for moves to paths that no longer exist.
 */
export function draftAfter(
  trees: Trees,
  published: Published,
  before: Draft | undefined,
  now: number,
): Draft | undefined {
  const categorySchema = toCategories(trees)
  const baseVersion = before?.baseVersion ?? published.version
  // Only a draft of the present version can be compared: the schema of an earlier one is not known here.
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
