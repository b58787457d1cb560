import { categorySchemaRejected, resourceNotFound } from '../errors.ts'
import type { WithAuditDetails } from '../operations/audit-details.ts'
import type { Call } from '../operations/call.ts'
import { type Parsed, unwrapParsed } from '../parsed.ts'
import { type Conditions, requireConditions } from './history/conditions.ts'
import { hashOfDocument } from './history/document-hash.ts'
import type { HistoryReaders, HistoryStores } from './history/store.ts'
import { type GroupIds, groupOwners, type OwnerKind, type PortalIds, portalOwners } from './owners.ts'
import type { SchemaVerdict } from './schema.ts'
import type { OwnedSchema } from './store.ts'
import { putSchema } from './versions.ts'

/** What an assign may be given besides the schema (chosen). */
export interface AssignOptions extends Pick<Conditions, 'ifVersion' | 'ifHash'> {
  readonly comment?: string | undefined
}

export interface AssignInput extends Pick<Conditions, 'ifMatch'> {
  readonly schema: Parsed<SchemaVerdict>
  /** Undefined for a plain assign. */
  readonly options?: AssignOptions | undefined
}

/** The version that a change has made. */
export interface MadeVersion extends WithAuditDetails {
  readonly version: number
}

function made(version: number): MadeVersion {
  return { version, audit: { data: { version, from: version - 1 } } }
}

/** Replaces the schema of an owner of this kind (description §4). */
async function assign<Ids>(
  kind: OwnerKind<Ids>,
  stores: HistoryStores,
  call: Call,
  input: Ids & AssignInput,
): Promise<MadeVersion> {
  const { caller, portalId, owner } = await kind.requireAssignable(stores, call, input)
  const { ifMatch, options } = input
  const { document, size } = acceptSchema(input.schema)
  await requireConditions(stores, owner, { ...options, ifMatch }, 'assign')
  const comment = options?.comment
  const note = comment === undefined ? undefined : ({ action: 'assign', comment } as const)
  return made(await putSchema(stores, call, { owner, portalId, document, size, author: caller.username, note }))
}

export const assignGroupCategorySchema = (stores: HistoryStores, call: Call, input: GroupIds & AssignInput) =>
  assign(groupOwners, stores, call, input)
export const assignPortalCategorySchema = (stores: HistoryStores, call: Call, input: PortalIds & AssignInput) =>
  assign(portalOwners, stores, call, input)

interface DeleteInput extends Pick<Conditions, 'ifMatch'> {
  readonly options?: Parsed<DeleteOptions>
}

/** What a deletion may be given (chosen). */
export interface DeleteOptions extends Pick<Conditions, 'ifVersion'> {
  readonly comment?: string | undefined
}

/** Removes the schema of an owner of this kind (documented; for organizations description §4.3); 404 if none is set. */
async function remove<Ids>(
  kind: OwnerKind<Ids>,
  stores: HistoryStores,
  call: Call,
  input: Ids & DeleteInput,
): Promise<MadeVersion> {
  const { caller, owner } = await kind.requireDeletable(stores, call, input)
  const { comment, ifVersion } = input.options ? unwrapParsed(input.options) : {}
  await requireConditions(stores, owner, { ifMatch: input.ifMatch, ifVersion }, 'delete')
  const version = await stores.categories.removeDocument(owner, caller.username, call.now)
  if (version === undefined) throw resourceNotFound()
  if (comment !== undefined) await stores.schemaHistory.noteVersion(owner, version, { action: 'delete', comment })
  return made(version)
}

export const deleteGroupCategorySchema = (stores: HistoryStores, call: Call, input: GroupIds & DeleteInput) =>
  remove(groupOwners, stores, call, input)
export const deletePortalCategorySchema = (stores: HistoryStores, call: Call, input: PortalIds & DeleteInput) =>
  remove(portalOwners, stores, call, input)

interface ReadInput {
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

/** The schema of an owner of this kind; for every caller who sees the group, or the organization (chosen). */
async function read<Ids>(
  kind: OwnerKind<Ids>,
  stores: HistoryReaders,
  call: Call,
  input: Ids & ReadInput,
): Promise<ReadSchema> {
  const { owner, seesHistory } = await kind.requireVisible(stores, call, input)
  const isVersionAsked = unwrapParsed(input.withVersion)
  const present = await stores.categories.findDocument(owner)
  if (!isVersionAsked) return { owner, present }
  const head = await stores.schemaHistory.findHead(owner)
  const latest = {
    version: head?.version ?? 0,
    hash: hashOfDocument(present?.document),
    modifiedAt: head?.modifiedAt,
    change: seesHistory ? { author: head?.author, comment: head?.comment } : undefined,
  }
  return { owner, present, latest }
}

export const readGroupCategorySchema = (stores: HistoryReaders, call: Call, input: GroupIds & ReadInput) =>
  read(groupOwners, stores, call, input)
export const readPortalCategorySchema = (stores: HistoryReaders, call: Call, input: PortalIds & ReadInput) =>
  read(portalOwners, stores, call, input)

function acceptSchema(judged: Parsed<SchemaVerdict>) {
  const verdict = unwrapParsed(judged)
  if ('violations' in verdict) throw categorySchemaRejected(verdict.violations, verdict.reasons)
  return verdict
}
