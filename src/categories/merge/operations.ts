import type { Call } from '../../call/call.ts'
import { parseDocument } from '../history/document-hash.ts'
import { movesBetween } from '../history/operations.ts'
import type { HistoryReaders } from '../history/store.ts'
import type { Move } from '../moves.ts'
import { type OwnerInput, requireHistory } from '../owners.ts'
import type { CategorySchema } from '../schema.ts'
import { listPaths } from '../schema-paths.ts'

/** What the present schema has changed of an earlier version. */
export interface PresentChanges {
  readonly base: CategorySchema
  readonly theirs: CategorySchema
  /** Moves declared between the two. */
  readonly theirMoves: readonly Move[]
}

/** The present schema beside an earlier version of it, 0 for what there was before the first; undefined if that is not kept. */
export async function findPresentChanges(
  stores: HistoryReaders,
  call: Call,
  input: OwnerInput & { readonly version: number },
): Promise<PresentChanges | undefined> {
  const owner = await requireHistory(stores, call, input)
  const { schemaHistory } = stores
  const head = await schemaHistory.findHead(owner)
  const before = input.version === 0 ? undefined : await schemaHistory.findVersion(owner, input.version)
  if (!head || (input.version !== 0 && !before)) return undefined
  const base = parseDocument(before?.document)
  const theirs = parseDocument((await schemaHistory.findVersion(owner, head.version))?.document)
  const from = { number: input.version, paths: listPaths(base) }
  const to = { number: head.version, paths: listPaths(theirs) }
  return { base, theirs, theirMoves: await movesBetween(schemaHistory, owner, from, to) }
}
