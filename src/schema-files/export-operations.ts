import type { Call } from '../call/call.ts'
import { type Parsed, unwrapParsed } from '../call/parsed.ts'
import { requireVersion } from '../categories/history/operations.ts'
import type { HistoryReaders } from '../categories/history/store.ts'
import { type GroupIds, groupOwners, type OwnerKind, type PortalIds, portalOwners } from '../categories/owners.ts'
import type { SchemaOwner } from '../categories/store.ts'

export interface ExportInput {
  /** Undefined for the present schema. */
  readonly version: Parsed<number | undefined>
}

/** The stored document of a schema, undefined where none is set. */
export interface ExportedSchema {
  readonly owner: SchemaOwner
  readonly document: Uint8Array | undefined
}

/** The schema to be exported; for every caller who may read it. An earlier version is for those who may see the versions. */
async function findExported<Ids>(
  kind: OwnerKind<Ids>,
  stores: HistoryReaders,
  call: Call,
  input: Ids & ExportInput,
): Promise<ExportedSchema> {
  const { owner, present } = await kind.requireVisible(stores, call, input)
  if ('value' in input.version && input.version.value !== undefined) await kind.requireHistory(stores, call, input)
  const version = unwrapParsed(input.version)
  const found = version === undefined ? present : await requireVersion(stores.schemaHistory, owner, version)
  return { owner, document: found?.document }
}

export const exportGroupCategorySchema = (stores: HistoryReaders, call: Call, input: GroupIds & ExportInput) =>
  findExported(groupOwners, stores, call, input)
export const exportPortalCategorySchema = (stores: HistoryReaders, call: Call, input: PortalIds & ExportInput) =>
  findExported(portalOwners, stores, call, input)
