import type { Call } from '../call/call.ts'
import type { Limits } from '../limits.ts'
import type { HistoryStores } from './history/store.ts'
import type { VersionNote } from './history/version.ts'
import type { SchemaSize } from './limits.ts'
import type { SchemaOwner } from './store.ts'

/** Maximum of versions that are removed in addition to what the limit requires, so that few assigns have to remove any. */
const maxSpare = 63
/** Part of the limit. */
const spare = 1 / 16

/**
 * How many of an owner's versions have to be removed; 0 if they are within the limit. Once they are above, a sixteenth more
 * is removed than has to be.
 */
export function excessOf(versions: number, { schemaVersions: max }: Pick<Limits, 'schemaVersions'>): number {
  return versions <= max ? 0 : versions - max + Math.min(maxSpare, Math.floor(max * spare))
}

/** A document that becomes a version. */
interface NewSchema {
  readonly owner: SchemaOwner
  readonly document: string
  readonly size: SchemaSize
  /** Username. */
  readonly author: string
  readonly note?: VersionNote | undefined
}

/** Makes the document the owner's schema, within the number of versions. Resolves with the number of the version. */
export async function putSchema(
  { categories, schemaHistory }: HistoryStores,
  { now, limits }: Call,
  { owner, document, size, author, note }: NewSchema,
): Promise<number> {
  const { version, versions } = await categories.putDocument(owner, document, author, now, size)
  if (note) await schemaHistory.noteVersion(owner, version, note)
  const excess = excessOf(versions, limits)
  if (excess > 0) await categories.removeOldVersions(owner, { versions: excess })
  return version
}
