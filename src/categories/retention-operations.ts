import { nothingDone, type WithAuditDetails } from '../call/audit-details.ts'
import type { Call } from '../call/call.ts'
import type { Limits } from '../limits.ts'
import type { CategoryStores, Excess, Kept, KeptOfOwner, SchemaOwner } from './store.ts'
import { excessOf } from './versions.ts'

const day = 86_400_000

/** What has to be removed of the versions of an owner, all of them for a group that was deleted long ago; or undefined. */
export function outdatedOf(
  kept: Kept & Pick<KeptOfOwner, 'deletedAt' | 'replacedAt'>,
  limits: Limits,
  now: number,
): Excess | undefined {
  const { deletedAt, replacedAt, versions, bytes } = kept
  const days = limits.deletedGroupDays
  if (deletedAt !== undefined && days > 0 && deletedAt < now - days * day) return { versions, bytes }
  const excess = excessOf(kept, limits)
  const replacedBefore = now - limits.schemaVersionDays * day
  if (!hasAge(limits) || replacedAt === undefined || replacedAt >= replacedBefore) return excess
  return { versions: 0, bytes: 0, ...excess, replacedBefore }
}

/** Whether versions have an age beyond which they are removed. */
export function hasAge({ schemaVersionDays }: Limits): boolean {
  return schemaVersionDays > 0
}

/** Removes versions of an owner that are beyond the limits: a bounded number, 0 when there are no more. */
export async function removeOldSchemaVersions(
  { categories }: Pick<CategoryStores, 'categories'>,
  { now, limits }: Call,
  input: { owner: SchemaOwner },
): Promise<WithAuditDetails & Kept> {
  const kept = await categories.findKept(input.owner, hasAge(limits))
  const excess = kept && outdatedOf(kept, limits, now)
  const removed = excess ? await categories.removeOldVersions(input.owner, excess) : { versions: 0, bytes: 0 }
  return { ...removed, audit: nothingDone }
}

/**
 * Removes versions of the deleted groups that a user owned, the group first that was deleted first, if they keep more together
 * than all his groups may (chosen): a bounded number, 0 when there are no more.
 */
export async function removeFormerSchemaVersions(
  { categories }: Pick<CategoryStores, 'categories'>,
  { limits }: Call,
  input: { userId: string },
): Promise<WithAuditDetails & Kept> {
  const { bytes, oldest } = await categories.findFormer(input.userId)
  const excess = bytes - limits.schemaBytesOfUser
  const removed =
    oldest && excess > 0
      ? await categories.removeOldVersions(oldest.owner, { versions: 0, bytes: excess })
      : { versions: 0, bytes: 0 }
  return { ...removed, audit: nothingDone }
}

/** Stores what organizations keep, as counted; assigns compare it with the limit. */
export async function putSchemaUsage(
  { categories }: Pick<CategoryStores, 'categories'>,
  _call: Call,
  input: { usage: readonly (Kept & { readonly portalId: string })[] },
): Promise<WithAuditDetails> {
  for (const { portalId, versions, bytes } of input.usage) await categories.putUsage(portalId, { versions, bytes })
  return { audit: nothingDone }
}
