import type { Call } from '../../call/call.ts'
import { isRevisionOf } from '../history/conditions.ts'
import { parseDocument } from '../history/document-hash.ts'
import { movesBetween } from '../history/operations.ts'
import type { HistoryReaders } from '../history/store.ts'
import type { SchemaLimits } from '../limits.ts'
import type { Move } from '../moves.ts'
import { type OwnerInput, requireHistory } from '../owners.ts'
import { type CategorySchema, findProblems } from '../schema.ts'
import { listPaths } from '../schema-paths.ts'
import { mergeSchemas, type Question } from './merge.ts'
import { matchesOf } from './side.ts'

/** A change that was made from an earlier version. */
export interface MergeChangeInput extends OwnerInput {
  /** Base of it: a version, 0 for the schema before the first, or one with the revision that names it. */
  readonly version: number
  readonly revision: string | undefined
  readonly document: string
  readonly moves: readonly Move[]
  readonly limits: SchemaLimits
}

/** The present schema and a change of an earlier version, put together. */
export interface MergedChange {
  readonly base: CategorySchema
  readonly theirs: CategorySchema
  readonly merged: CategorySchema
  /** The moves of the change, from paths of `theirs` to paths of `merged`. */
  readonly moves: readonly Move[]
  readonly conflicts: readonly Question[]
  /** Sentences for why `merged` would be refused. */
  readonly problems: readonly string[]
}

/** Undefined if the version is not kept, or the revision is one of another owner. */
export async function mergeCategorySchema(
  stores: HistoryReaders,
  call: Call,
  input: MergeChangeInput,
): Promise<MergedChange | undefined> {
  const owner = await requireHistory(stores, call, input)
  if (input.revision !== undefined && !isRevisionOf(owner, input.revision)) return undefined
  const { schemaHistory } = stores
  const head = await schemaHistory.findHead(owner)
  const before = input.version === 0 ? undefined : await schemaHistory.findVersion(owner, input.version)
  if (!head || (input.version !== 0 && !before)) return undefined
  const base = parseDocument(before?.document)
  const theirs = parseDocument((await schemaHistory.findVersion(owner, head.version))?.document)
  const from = { number: input.version, paths: listPaths(base) }
  const to = { number: head.version, paths: listPaths(theirs) }
  const theirMoves = await movesBetween(schemaHistory, owner, from, to)
  const mine = JSON.parse(input.document) as CategorySchema
  const origins = matchesOf(base, mine, input.moves).map((match) => match?.path ?? null)
  const given = { base, theirs, theirMoves, mine, origins, moves: input.moves, choices: new Map() }
  const { schema: merged, moves, questions } = mergeSchemas(given)
  const problems = findProblems(merged.categorySchema, input.limits).map(({ sentence }) => sentence)
  return { base, theirs, merged, moves, conflicts: questions, problems }
}
