import type { Call } from '../call/call.ts'
import { type Parsed, unwrapParsed } from '../call/parsed.ts'
import { requireVersion } from '../categories/history/operations.ts'
import type { HistoryReaders } from '../categories/history/store.ts'
import { type OwnerInput, requireHistory, requireVisible } from '../categories/owners.ts'
import type { SchemaOwner } from '../categories/store.ts'

interface ExportInput extends OwnerInput {
  /** Undefined for the present schema. */
  readonly version: Parsed<number | undefined>
}

/** The stored document of a schema, undefined where none is set. */
export interface ExportedSchema {
  readonly owner: SchemaOwner
  readonly document: Uint8Array | undefined
  /** Undefined without a document. */
  readonly number: number | undefined
}

/** The schema to be exported; for every caller who may read it. An earlier version is for those who may see the versions. */
export async function exportCategorySchema(
  stores: HistoryReaders,
  call: Call,
  input: ExportInput,
): Promise<ExportedSchema> {
  const { owner, present } = await requireVisible(stores, call, input)
  if ('value' in input.version && input.version.value !== undefined) await requireHistory(stores, call, input)
  const version = unwrapParsed(input.version)
  const found = version === undefined ? present : await requireVersion(stores.schemaHistory, owner, version)
  return { owner, document: found?.document, number: found?.version }
}
