import type { WithAuditDetails } from '../call/audit-details.ts'
import type { Call } from '../call/call.ts'
import { type Parsed, unwrapParsed } from '../call/parsed.ts'
import { requireMayKeep } from '../directory/quotas.ts'
import { resourceNotFound } from '../errors.ts'
import type { PathMoves } from './carried-paths.ts'
import {
  type AcceptedAssign,
  type AssignInput,
  type AssignOptions,
  acceptAssign,
  acceptDeletion,
  type DeleteInput,
  readPresent,
} from './change/accept.ts'
import type { PathChange } from './change/accept-paths.ts'
import { type AcceptedRestore, acceptRestore, type RestoreInput } from './change/restore.ts'
import type { DiffSummary } from './diff/change.ts'
import { summarizeChange } from './diff/diff.ts'
import { emptySchema, hashOfDocument } from './history/document-hash.ts'
import type { ChangeStores, HistoryReaders } from './history/store.ts'
import type { VersionDraft } from './history/version.ts'
import { followMoves } from './moves.ts'
import { type EditableOwner, type OwnerInput, requireNoApproval, requireVisible } from './owners.ts'
import { measureSchema } from './schema.ts'
import type { OwnedSchema, SchemaOwner } from './store.ts'
import { putSchema } from './versions.ts'

/** The version that a change has made. */
export interface NewVersion extends WithAuditDetails {
  readonly version: number
}

/**
 * The log has the owner of a group, the comment and how many moves there were, where there are any, and the sums of what
 * has changed.
 */
function toNewVersion(
  version: number,
  { ownerId }: Pick<EditableOwner, 'ownerId'>,
  { comment, moves = [] }: Pick<AssignOptions, 'comment' | 'moves'>,
  summary?: DiffSummary,
): NewVersion {
  const data = {
    version,
    from: version - 1,
    ...(summary && { summary: { ...summary } }),
    ...(comment !== undefined && { comment }),
    ...(moves.length > 0 && { moves: moves.length }),
  }
  return { version, audit: { data, ...(ownerId !== undefined && { ownerId }) } }
}

/** A change as one person makes it, or as a draft that is published. */
export interface Publication<Accepted = EditableOwner> {
  /** Throws where a second person has to publish the change. */
  requireApproval(stores: ChangeStores, accepted: Accepted): Promise<void>
  readonly draft?: VersionDraft
}

/** Replaces the schema of an owner (description §4); items follow the moves. */
export function assignCategorySchema(stores: ChangeStores, call: Call, input: AssignInput): Promise<NewVersion> {
  return assign(stores, call, input, 'assign', { requireApproval: requireNoApproval })
}

/** An assign of a schema that was read from a file. */
export function importCategorySchema(stores: ChangeStores, call: Call, input: AssignInput): Promise<NewVersion> {
  return assign(stores, call, input, 'import', { requireApproval: requireNoApproval })
}

/** Makes an accepted change a version. */
export async function assign(
  stores: ChangeStores,
  call: Call,
  input: AssignInput,
  action: 'assign' | 'import',
  { requireApproval, draft }: Publication,
): Promise<NewVersion> {
  const accepted = await acceptAssign(stores, call, input)
  const { caller, owner, document, size, options, paths } = accepted
  const { comment, moves } = options
  // PostgreSQL answers both together.
  await Promise.all([
    requireApproval(stores, accepted),
    requireMayKeep(stores, call, caller, document, comment, moves && JSON.stringify(moves)),
  ])
  // A plain assign compares no documents.
  const isCompared = action === 'import' || input.options !== undefined
  const summary = isCompared ? await summarizeAssign(stores, accepted) : undefined
  const pathMoves = paths ? await changePaths(stores, owner, paths) : []
  const isPlain = action === 'assign' && comment === undefined && pathMoves.length === 0 && !draft
  const note = isPlain ? undefined : { action, comment, pathMoves, draft, ...(moves && { moves }) }
  const author = caller.username
  const version = await putSchema(stores, call, { owner, document, size, author, note })
  return toNewVersion(version, accepted, options, summary)
}

/** Summarizes the changes of the present schema. */
async function summarizeAssign(
  stores: ChangeStores,
  { owner, document, options, schemas }: AcceptedAssign,
): Promise<DiffSummary> {
  const { before, after } = schemas ?? { before: await readPresent(stores, owner), after: JSON.parse(document) }
  return summarizeChange(before, after, options.moves ?? [])
}

/** Items follow the moves, and lose what is cleared. */
async function changePaths({ items }: ChangeStores, owner: SchemaOwner, { before, moves, cleared }: PathChange) {
  const pathMoves: PathMoves[] = []
  if (moves.length > 0) pathMoves.push(await items.movePaths(owner, moves, before))
  if (cleared.length > 0) pathMoves.push(await items.clearPaths(owner, cleared.map(followMoves(moves))))
  return pathMoves
}

/** Removes the schema of an owner (documented; for organizations description §4.3); 404 if none is set. */
export function deleteCategorySchema(stores: ChangeStores, call: Call, input: DeleteInput): Promise<NewVersion> {
  return removeSchema(stores, call, input, {
    requireApproval: (_, accepted) => requireNoApproval(stores, accepted, ' with action=delete'),
  })
}

/** Makes an accepted deletion a version. */
export async function removeSchema(
  stores: ChangeStores,
  call: Call,
  input: DeleteInput,
  { requireApproval, draft }: Publication,
): Promise<NewVersion> {
  const accepted = await acceptDeletion(stores, call, input)
  await requireApproval(stores, accepted)
  const { caller, owner, options } = accepted
  const summary = summarizeChange(await readPresent(stores, owner), emptySchema, [])
  const version = await stores.categories.removeDocument(owner, caller.username, call.now)
  if (version === undefined) throw resourceNotFound()
  const { comment } = options
  const isNoted = comment !== undefined || draft !== undefined
  if (isNoted) await stores.schemaHistory.noteVersion(owner, version, { action: 'delete', comment, draft })
  return toNewVersion(version, accepted, options, summary)
}

/** Makes the document of an earlier version the schema again, as a new version; items go back to where they were. */
export function restoreSchemaVersion(stores: ChangeStores, call: Call, input: RestoreInput): Promise<NewVersion> {
  return restore(stores, call, input, {
    requireApproval: (_, accepted) =>
      requireNoApproval(stores, accepted, ` with action=restore&restoredFrom=${accepted.restored}`),
  })
}

/** Makes an accepted restore a version. */
export async function restore(
  stores: ChangeStores,
  call: Call,
  input: RestoreInput,
  { requireApproval, draft }: Publication<AcceptedRestore>,
): Promise<NewVersion> {
  const accepted = await acceptRestore(stores, call, input)
  await requireApproval(stores, accepted)
  const { caller, owner, document, restored, options, moves, undone } = accepted
  await requireMayKeep(stores, call, caller, document, options.comment)
  const schema = JSON.parse(document)
  const summary = summarizeChange(await readPresent(stores, owner), schema, moves)
  const pathMoves = undone.length > 0 ? [await stores.items.undoMoves(owner, undone)] : []
  const note = { action: 'restore', restoredFrom: restored, comment: options.comment, moves, pathMoves, draft } as const
  const author = caller.username
  const size = measureSchema(schema)
  const version = await putSchema(stores, call, { owner, document, size, author, note })
  return toNewVersion(version, accepted, note, summary)
}

interface ReadInput extends OwnerInput {
  readonly withVersion: Parsed<boolean>
}

/** The schema, and what is asked of its version. */
export interface ReadSchema extends OwnedSchema {
  readonly latest?: LatestVersion
}

export interface LatestVersion {
  /** 0 if there never was a schema; otherwise there may have been a deletion. */
  readonly version: number
  readonly hash: string
  /** Epoch milliseconds; undefined if there never was a schema. */
  readonly modifiedAt: number | undefined
  /** Undefined for callers who may not see the versions. */
  readonly change: { readonly author: string | undefined; readonly comment: string | undefined } | undefined
}

/** The schema of an owner; for every caller who sees the group, or the organization (chosen). */
export async function readCategorySchema(stores: HistoryReaders, call: Call, input: ReadInput): Promise<ReadSchema> {
  const { owner, present, canViewHistory } = await requireVisible(stores, call, input)
  const isVersionAsked = unwrapParsed(input.withVersion)
  if (!isVersionAsked) return { owner, present }
  const head = await stores.schemaHistory.findHead(owner)
  const latest = {
    version: head?.version ?? 0,
    hash: hashOfDocument(present?.document),
    modifiedAt: head?.modifiedAt,
    change: canViewHistory ? { author: head?.author, comment: head?.comment } : undefined,
  }
  return { owner, present, latest }
}
