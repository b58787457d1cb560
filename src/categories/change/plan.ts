import type { PathMoves } from '../carried-paths.ts'
import type { DiffSummary } from '../diff/change.ts'
import { diffSchemas } from '../diff/diff.ts'
import { hashOf } from '../history/document-hash.ts'
import type { Move } from '../moves.ts'
import type { CategorySchema } from '../schema.ts'
import { listPaths } from '../schema-paths.ts'
import { findTwins } from '../schema-warnings.ts'
import type { SchemaOwner } from '../store.ts'
import { type CountedDiff, countItems, type ItemCounter } from './impact.ts'

/** Effect that a change would have. */
export interface SchemaPlan extends CountedDiff {
  /** The present version; 0 if there never was a schema. */
  readonly version: number
  readonly hash: string
  /** Hash of the schema after the change. */
  readonly resultHash: string
  readonly summary: DiffSummary
  readonly warnings: readonly string[]
}

/** A change that was accepted. */
export interface PlannedChange {
  readonly owner: SchemaOwner
  readonly after: CategorySchema
  readonly moves: readonly Move[]
  /** Whether items lose what vanishes. */
  readonly isCleared: boolean
  /** Moves that a restore undoes, the newest first. */
  readonly undone?: readonly PathMoves[]
}

/** The effect on a schema of this version, whichever way items are counted. */
export async function planFrom(
  { before, version }: { readonly before: CategorySchema; readonly version: number },
  items: ItemCounter,
  { owner, after, moves, isCleared, undone }: PlannedChange,
): Promise<SchemaPlan> {
  // `findTwins` needs each as often as categories have it.
  const afterPaths = listPaths(after)
  const paths = { before: new Set(listPaths(before)), after: new Set(afterPaths), moves, isCleared, undone }
  const diff = diffSchemas(before, after, moves)
  return {
    version,
    hash: hashOf(before),
    resultHash: hashOf(after),
    summary: diff.summary,
    ...(await countItems(items, owner, paths, diff)),
    warnings: findTwins(afterPaths),
  }
}
