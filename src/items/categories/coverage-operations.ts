import { nothingDone, type WithAuditDetails } from '../../call/audit-details.ts'
import { type Call, requireCaller } from '../../call/call.ts'
import { type Parsed, unwrapParsed } from '../../call/parsed.ts'
import type { SchemaOwner } from '../../categories/store.ts'
import { requireVisibleGroup } from '../../directory/group-operations.ts'
import { isOwnerOrManager } from '../../directory/membership.ts'
import { holds } from '../../directory/permissions.ts'
import { allOf, negationOf } from '../../search/condition.ts'
import type { FacetCounts, ItemCondition, ItemFields } from '../search/item-search.ts'
import { viewerOf } from '../search/search-operations.ts'
import type { CategoryCount, CoverageDay, ItemReaders, ItemStores } from '../store.ts'
import { readKnownPaths } from './category-operations.ts'
import { searchFor } from './completeness-operations.ts'
import { type CoveredCategory, coverCategories, firstKeptDay, unrecognizedOf } from './coverage.ts'
import { ofPortal } from './policy.ts'

/** How items are spread over the categories of an organization or a group. */
export interface Coverage {
  readonly items: number
  readonly uncategorized: number
  readonly categories: readonly CoveredCategory[]
  readonly unrecognized: FacetCounts['values']
  readonly uncategorizedByOwner: FacetCounts['values']
  readonly uncategorizedByType: FacetCounts['values']
  readonly history: readonly CoverageDay[]
}

/** Counts what the caller sees. The history counts everything, and so is for those who see everything. */
export async function readCoverage(
  stores: ItemReaders,
  call: Call,
  input: { readonly groupId: string | undefined; readonly asked: Parsed<unknown> },
): Promise<Coverage> {
  const { owner, seesHistory } = await requireOwner(stores, call, input.groupId)
  unwrapParsed(input.asked)
  const groupId = owner.kind === 'group' ? owner.groupId : undefined
  const all: ItemCondition = owner.kind === 'group' ? { kind: 'all' } : ofPortal(owner.portalId)
  const categorized: ItemCondition = { kind: 'categorized', holder: owner.kind === 'group' ? owner : 'portal' }
  const without = allOf<ItemFields>([all, negationOf<ItemFields>(categorized)])
  const find = (condition: ItemCondition, fields: readonly FacetCounts['field'][], countSize?: number) =>
    stores.items.searchItems(viewerOf(call), searchFor(condition, groupId, fields, countSize), { start: 1, num: 0 })
  const found = await find(all, ['carried', 'categories'], Number.MAX_SAFE_INTEGER)
  const uncategorized = await find(without, ['owner', 'type'])
  const [byOwner, byType] = uncategorized.counts
  const paths = (await readKnownPaths(stores, owner)).all
  return {
    items: found.total,
    uncategorized: uncategorized.total,
    categories: coverCategories(paths, found.total, found.counts),
    unrecognized: unrecognizedOf(paths, found.counts),
    uncategorizedByOwner: byOwner?.values ?? [],
    uncategorizedByType: byType?.values ?? [],
    history: seesHistory ? await stores.items.listCoverageDays(owner) : [],
  }
}

/** The organization of the caller, or a group that the caller sees. */
async function requireOwner(
  stores: ItemReaders,
  call: Call,
  groupId: string | undefined,
): Promise<{ readonly owner: SchemaOwner; readonly seesHistory: boolean }> {
  const caller = requireCaller(call)
  const { portalId } = caller
  if (groupId === undefined) {
    return { owner: { kind: 'portal', portalId }, seesHistory: holds(caller, portalId, 'portal:admin:viewItems') }
  }
  const { group, memberType } = await requireVisibleGroup(stores, call, groupId)
  const seesHistory = isOwnerOrManager(memberType) || holds(caller, group.portalId, 'portal:admin:viewItems')
  return { owner: { kind: 'group', groupId: group.groupId }, seesHistory }
}

/** Counts for housekeeping: all items, visible to the caller or not. */
export async function countCoverage(
  { items }: Pick<ItemReaders, 'items'>,
  _call: Call,
  input: { readonly owner: SchemaOwner },
): Promise<readonly CategoryCount[]> {
  return items.countCoverage(input.owner)
}

/** Stores counts of a day. */
export async function putCoverage(
  { items }: Pick<ItemStores, 'items'>,
  _call: Call,
  input: { readonly owner: SchemaOwner; readonly day: string; readonly counts: readonly CategoryCount[] },
): Promise<WithAuditDetails> {
  await items.putCoverage(input.owner, input.day, input.counts)
  return { audit: nothingDone }
}

/** Counts that one write removes (chosen). */
const removedAtOnce = 1_000

/** Removes counts of days that are no longer kept: a bounded number; `isDone` when none was left. */
export async function removeOldCoverage(
  { items }: Pick<ItemStores, 'items'>,
  call: Call,
): Promise<WithAuditDetails & { readonly isDone: boolean }> {
  const removed = await items.removeCoverageBefore(firstKeptDay(call.now), removedAtOnce)
  return { isDone: removed < removedAtOnce, audit: nothingDone }
}
