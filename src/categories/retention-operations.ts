import { nothingDone, type WithAuditDetails } from '../call/audit-details.ts'
import type { Call } from '../call/call.ts'
import type { Limits } from '../limits.ts'
import type { Bounds, CategoryStores, Excess, KeptOfOwner, SchemaOwner } from './store.ts'
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
  { versions, deletedAt, replacedAt }: Omit<KeptOfOwner, 'owner'>,
  limits: Limits,
  now: number,
): Excess | undefined {
  const { deletedBefore, replacedBefore } = boundsAt(limits, now)
  if (isBefore(deletedAt, deletedBefore)) return { versions }
  const excess = { versions: excessOf(versions, limits) }
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
): Promise<WithAuditDetails & { readonly versions: number }> {
  const kept = await categories.findKept(input.owner)
  const excess = kept && outdatedOf(kept, limits, now)
  const versions = excess ? await categories.removeOldVersions(input.owner, excess) : 0
  return { versions, audit: nothingDone }
}
