import { nothingDone, type WithAuditDetails } from '../call/audit-details.ts'
import type { Call } from '../call/call.ts'
import type { Limits } from '../limits.ts'
import type { Bounds, CategoryStores, Excess, Kept, KeptOfOwner, SchemaOwner } from './store.ts'
import { excessOf } from './versions.ts'

type Categories = Pick<CategoryStores, 'categories'>

const day = 86_400_000

/** Maximum number and age of versions, above which they are removed; a bound of 0 days is none. */
export function boundsAt(limits: Limits, now: number): Bounds {
  const before = (days: number) => (days > 0 ? now - days * day : undefined)
  return {
    moreVersionsThan: limits.schemaVersions,
    replacedBefore: before(limits.schemaVersionDays),
    deletedBefore: before(limits.deletedGroupDays),
  }
}

/** Versions of an owner above number and age, all of them for a group that was deleted long ago; or undefined. */
export function outdatedOf(
  { versions, bytes, deletedAt, replacedAt }: Omit<KeptOfOwner, 'owner' | 'portalId'>,
  limits: Limits,
  now: number,
): Excess | undefined {
  const { deletedBefore, replacedBefore } = boundsAt(limits, now)
  if (isBefore(deletedAt, deletedBefore)) return { versions, bytes }
  const excess = { versions: excessOf(versions, limits), bytes: 0 }
  if (isBefore(replacedAt, replacedBefore)) return { ...excess, replacedBefore }
  return excess.versions > 0 ? excess : undefined
}

function isBefore(at: number | undefined, bound: number | undefined): boolean {
  return at !== undefined && bound !== undefined && at < bound
}

/** Removes versions of an owner that are above number and age: a bounded number, 0 when there are no more. */
export async function removeOldSchemaVersions(
  { categories }: Categories,
  { now, limits }: Call,
  input: { owner: SchemaOwner },
): Promise<WithAuditDetails & Kept> {
  const kept = await categories.findKept(input.owner)
  const excess = kept && outdatedOf(kept, limits, now)
  const removed = excess ? await categories.removeOldVersions(input.owner, excess) : { versions: 0, bytes: 0 }
  return { ...removed, audit: nothingDone }
}

/** Most versions of an organization after which a removal ends (chosen): bounds the transaction, with the last owner's. */
const maxRemoved = 128

/**
 * Removes versions of an organization that is above its quota: the oldest of the owner that keeps most bytes, until it keeps
 * no more than the next one, then of that one, and so on. A present version is never removed. A bounded number, 0 when there
 * are no more.
 */
export async function removeExcessSchemaVersions(
  { categories }: Categories,
  { limits }: Call,
  { portalId }: { portalId: string },
): Promise<WithAuditDetails & Kept> {
  let excess = (await categories.findUsage(portalId)) - limits.schemaBytesOfPortal
  let removed = { versions: 0, bytes: 0 }
  while (excess > 0 && removed.versions < maxRemoved) {
    const [largest, next] = await categories.listRemovable(portalId)
    if (!largest) break
    const lead = Math.max(1, largest.bytes - (next?.bytes ?? 0))
    const { versions, bytes } = await categories.removeOldVersions(largest.owner, {
      versions: 0,
      bytes: Math.min(excess, lead),
    })
    if (versions === 0) break
    removed = { versions: removed.versions + versions, bytes: removed.bytes + bytes }
    excess -= bytes
  }
  return { ...removed, audit: nothingDone }
}

/** Sums up what organizations keep, where writes have counted apart. */
export async function sumUpSchemaUsage({ categories }: Categories): Promise<WithAuditDetails> {
  await categories.mergeUsage()
  return { audit: nothingDone }
}
