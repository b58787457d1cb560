import { requireVersion } from '../categories/history/operations.ts'
import type { HistoryReaders } from '../categories/history/store.ts'
import { type GroupIds, groupOwners, type OwnerKind, type PortalIds, portalOwners } from '../categories/owners.ts'
import type { Call } from '../operations/call.ts'
import { type Parsed, unwrapParsed } from '../parsed.ts'

export interface ExportInput {
  /** Undefined for the present schema. */
  readonly version: Parsed<number | undefined>
}

/**
 * The stored document of a schema to be exported, undefined where none is set; for every caller who may read it. An earlier
 * version is for those who may see the versions.
 */
async function findExported<Ids>(
  kind: OwnerKind<Ids>,
  stores: HistoryReaders,
  call: Call,
  input: Ids & ExportInput,
): Promise<Uint8Array | undefined> {
  const { owner } = await kind.requireVisible(stores, call, input)
  if ('value' in input.version && input.version.value !== undefined) await kind.requireHistory(stores, call, input)
  const version = unwrapParsed(input.version)
  if (version === undefined) return (await stores.categories.findDocument(owner))?.document
  return (await requireVersion(stores.schemaHistory, owner, version)).document
}

export const exportGroupCategorySchema = (stores: HistoryReaders, call: Call, input: GroupIds & ExportInput) =>
  findExported(groupOwners, stores, call, input)
export const exportPortalCategorySchema = (stores: HistoryReaders, call: Call, input: PortalIds & ExportInput) =>
  findExported(portalOwners, stores, call, input)
