import { limitReached } from '../errors.ts'
import type { Limits } from '../limits.ts'
import type { Call } from '../operations/call.ts'
import type { HistoryStores } from './history/store.ts'
import type { VersionNote } from './history/version.ts'
import type { SchemaSize } from './limits.ts'
import type { Kept, PutSchema, SchemaOwner } from './store.ts'

/** Most versions that are removed beyond what the limit requires, so that few assigns have to remove any. */
const mostSpare = 63
/** As a part of a limit. */
const spare = 1 / 16

/**
 * What has to be removed of an owner's versions; undefined if they are within the limits. Once they are beyond, a sixteenth
 * more is removed than has to be.
 */
export function excessOf({ versions, bytes }: Kept, limits: Limits): Kept | undefined {
  const { schemaVersions, schemaBytesOfOwner } = limits
  if (versions <= schemaVersions && bytes <= schemaBytesOfOwner) return undefined
  const spareVersions = Math.min(mostSpare, Math.floor(schemaVersions * spare))
  return {
    versions: versions > schemaVersions ? versions - schemaVersions + spareVersions : 0,
    bytes: bytes > schemaBytesOfOwner ? bytes - Math.floor(schemaBytesOfOwner * (1 - spare)) : 0,
  }
}

/**
 * Bytes of an owner between two looks at what its organization keeps (chosen): few assigns pay for one, and an owner of
 * fewer bytes is never refused.
 */
const stepBytes = 256 * 1024

function reachesStep({ bytes, addedBytes }: PutSchema): boolean {
  return Math.floor(bytes / stepBytes) > Math.floor((bytes - addedBytes) / stepBytes)
}

/** A document that becomes a version. */
interface NewSchema {
  readonly owner: SchemaOwner
  readonly portalId: string
  readonly document: string
  readonly size: SchemaSize
  /** Username. */
  readonly author: string
  readonly note?: VersionNote | undefined
}

/**
 * Makes the document the owner's schema, within the limits of the owner and of its organization. Resolves with the number of
 * the version.
 */
export async function putSchema(stores: HistoryStores, { now, limits }: Call, schema: NewSchema): Promise<number> {
  const { categories } = stores
  const { owner, portalId } = schema
  const put = await putVersion(stores, now, schema)
  const excess = excessOf(put, limits)
  const removed = excess && (await categories.removeOldVersions(owner, excess))
  if (!reachesStep(put)) return put.version
  const usage = await categories.findUsage(portalId)
  if (usage.bytes <= limits.schemaBytesOfPortal) return put.version
  // The owner may not keep more than before: its own old versions make room.
  const allowed = Math.max(put.bytes - put.addedBytes, stepBytes)
  let toRemove = put.bytes - (removed?.bytes ?? 0) - allowed
  while (toRemove > 0) {
    const { versions, bytes } = await categories.removeOldVersions(owner, { versions: 0, bytes: toRemove })
    if (versions === 0) throw organizationFull(limits)
    toRemove -= bytes
  }
  return put.version
}

async function putVersion(
  { categories, schemaHistory }: HistoryStores,
  now: number,
  { owner, document, size, author, note }: NewSchema,
): Promise<PutSchema> {
  const put = await categories.putDocument(owner, document, author, now, size)
  if (!note) return put
  const noted = await schemaHistory.noteVersion(owner, put.version, note)
  return { ...put, bytes: put.bytes + noted, addedBytes: put.addedBytes + noted }
}

function organizationFull({ schemaBytesOfPortal }: Limits) {
  return limitReached(
    'schemaBytesOfPortal',
    `The category schemas of the organization and its groups, with earlier versions, have more than ${schemaBytesOfPortal.toLocaleString('en')} bytes.`,
  )
}
