import type { Call } from '../call/call.ts'
import { limitReached } from '../errors.ts'
import type { Limits } from '../limits.ts'
import type { HistoryReaders, HistoryStores } from './history/store.ts'
import type { VersionNote } from './history/version.ts'
import type { SchemaSize } from './limits.ts'
import type { Move } from './moves.ts'
import type { Kept, SchemaOwner } from './store.ts'

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

/** The bytes that are left of those allowed when versions have to be removed: room for some assigns that remove none. */
function withSpare(allowed: number): number {
  return allowed - Math.min(stepBytes / 2, Math.floor(allowed * spare))
}

/** Whose schema it is. */
interface Place {
  readonly owner: SchemaOwner
  readonly portalId: string
}

/** What an owner is given to keep, in bytes of UTF-8: the document unless it equals the present one, comment and moves. */
interface Addition {
  /** What the owner keeps before. */
  readonly kept: number
  readonly added: number
  /** What is left when every version is removed that can be. */
  findLeft(): Promise<number>
}

/**
 * How many bytes the owner may keep; undefined if its organization and the user who owns the group are within their limits,
 * or are not looked at. Refuses what would be more even without the earlier versions. What is kept of paths that items carry is never a reason: an assign and
 * its plan are judged by what they are given.
 */
async function requireRoom(
  stores: Pick<HistoryReaders, 'categories'>,
  limits: Limits,
  place: Place,
  { kept, added, findLeft }: Addition,
): Promise<number | undefined> {
  if (Math.floor((kept + added) / stepBytes) === Math.floor(kept / stepBytes)) return undefined
  const reached = await findReached(stores, limits, place, kept + added)
  if (!reached) return undefined
  // The owner may not keep more than before: its own old versions make room.
  const allowed = Math.max(kept, stepBytes)
  if ((await findLeft()) > allowed) throw reached
  return allowed
}

/** Names the limit that the organization, or the user who owns the group, would be beyond with so many bytes of this owner. */
async function findReached(
  { categories }: Pick<HistoryReaders, 'categories'>,
  { schemaBytesOfPortal, schemaBytesOfUser }: Limits,
  { owner, portalId }: Place,
  bytes: number,
): Promise<Error | undefined> {
  const usage = await categories.findUsage(portalId)
  if (usage.bytes > schemaBytesOfPortal) {
    const all = 'The category schemas of the organization and its groups'
    return limitReached('schemaBytesOfPortal', beyond(all, schemaBytesOfPortal))
  }
  if (owner.kind === 'portal') return undefined
  if ((await categories.sumBytesBeside(owner.groupId)) + bytes <= schemaBytesOfUser) return undefined
  const all = 'The category schemas of all groups of the owner of this group'
  return limitReached('schemaBytesOfUser', beyond(all, schemaBytesOfUser))
}

function beyond(all: string, bytes: number): string {
  return `${all}, with earlier versions, have more than ${bytes.toLocaleString('en')} bytes.`
}

/** What a version is given besides its document, in bytes. */
function bytesGiven({ comment = '', moves = [] }: GivenNote): number {
  return Buffer.byteLength(comment) + (moves.length > 0 ? Buffer.byteLength(JSON.stringify(moves)) : 0)
}
interface GivenNote {
  readonly comment?: string | undefined
  readonly moves?: readonly Move[] | undefined
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

/** The same, with what is known of it before it is written. */
export interface PlannedSchema extends Pick<NewSchema, 'owner' | 'portalId' | 'document'> {
  readonly note: GivenNote
}

/** Refuses what `putSchema` would refuse. */
export async function requireRoomFor(
  stores: Pick<HistoryReaders, 'categories'>,
  { limits }: Call,
  { owner, portalId, document, note }: PlannedSchema,
): Promise<void> {
  const { categories } = stores
  const present = await categories.findDocument(owner)
  const isNew = !present || !Buffer.from(document).equals(present.document)
  const [bytes, given] = [Buffer.byteLength(document), bytesGiven(note)]
  await requireRoom(
    stores,
    limits,
    { owner, portalId },
    {
      kept: (await categories.findKept(owner))?.bytes ?? 0,
      added: (isNew ? bytes : 0) + given,
      findLeft: async () => (isNew ? bytes : await categories.findPresentBytes(owner)) + given,
    },
  )
}

/**
 * Makes the document the owner's schema, within the limits of the owner, of the user who owns the group, and of the
 * organization. Resolves with the number of the version.
 */
export async function putSchema(stores: HistoryStores, { now, limits }: Call, schema: NewSchema): Promise<number> {
  const { categories, schemaHistory } = stores
  const { owner, portalId, document, size, author, note } = schema
  const put = await categories.putDocument(owner, document, author, now, size)
  const given = note ? bytesGiven(note) : 0
  const allowed = await requireRoom(
    stores,
    limits,
    { owner, portalId },
    {
      kept: put.bytes - put.addedBytes,
      added: put.addedBytes + given,
      findLeft: async () => (await categories.findPresentBytes(owner)) + given,
    },
  )
  const noted = note ? await schemaHistory.noteVersion(owner, put.version, note) : 0
  const kept = { versions: put.versions, bytes: put.bytes + noted }
  const excess = excessOf(kept, limits)
  const removed = excess && (await categories.removeOldVersions(owner, excess))
  let toRemove = allowed === undefined ? 0 : kept.bytes - (removed?.bytes ?? 0) - withSpare(allowed)
  while (toRemove > 0) {
    const { versions, bytes } = await categories.removeOldVersions(owner, { versions: 0, bytes: toRemove })
    if (versions === 0) break
    toRemove -= bytes
  }
  return put.version
}
