import { type Call, requireCaller } from '../../call/call.ts'
import { type Parsed, unwrapParsed } from '../../call/parsed.ts'
import type { CategoryPolicy } from '../../directory/category-policy.ts'
import { requireVisibleGroup } from '../../directory/group-operations.ts'
import { resourceNotFound } from '../../errors.ts'
import type { Page, Slice } from '../../paging.ts'
import { allOf } from '../../search/condition.ts'
import type { Item } from '../item.ts'
import type { FacetCounts, ItemCondition, ItemFields, ItemSearch } from '../search/item-search.ts'
import { searchWindow, viewerOf } from '../search/search-operations.ts'
import type { ItemReaders } from '../store.ts'
import { keyOf, subjectTo, withoutCategory } from './policy.ts'

/** Values of a field with their counts, the largest first. */
type Counts = FacetCounts['values']

/** Maximum number of owners and types that are listed (chosen). */
export const maxListed = 100

/** Items that the policy of the organization asks a category for, and those that have none. */
export interface Completeness extends Slice<Item> {
  readonly policy: CategoryPolicy
  /** Items that are subject to the policy. */
  readonly items: number
  readonly byOwner: Counts
  readonly byType: Counts
  readonly page: Page
}

interface CompletenessWish extends Page {
  readonly owner: string | undefined
  readonly type: string | undefined
}

/** Judges the items that the caller sees. The policy is applied even while it requires nothing, so that it can be tried (chosen). */
export async function readCompleteness(
  stores: ItemReaders,
  call: Call,
  input: { readonly groupId: string | undefined; readonly wish: Parsed<CompletenessWish> },
): Promise<Completeness> {
  const { portalId } = requireCaller(call)
  const { groupId } = input
  if (groupId !== undefined) await requireVisibleGroup(stores, call, groupId)
  const { owner, type, start, num } = unwrapParsed(input.wish)
  const portal = await stores.directory.findPortal(portalId)
  if (!portal) throw resourceNotFound()
  const { categoryPolicy: policy } = portal
  const subject = allOf<ItemFields>([
    subjectTo(policy, portalId),
    ...(owner === undefined ? [] : [keyOf('owner', owner)]),
    ...(type === undefined ? [] : [keyOf('type', type)]),
  ])
  const viewer = viewerOf(call)
  const { total: items } = await stores.items.searchItems(viewer, searchFor(subject, groupId), { start: 1, num: 0 })
  const missing = searchFor(allOf<ItemFields>([subject, withoutCategory(policy)]), groupId, ['owner', 'type'])
  const isInside = start <= searchWindow
  const inside = isInside ? { start, num: Math.min(num, searchWindow - start + 1) } : { start: 1, num: 0 }
  const { total, entries, counts } = await stores.items.searchItems(viewer, missing, inside)
  const valuesOf = (field: FacetCounts['field']) => counts.find((one) => one.field === field)?.values ?? []
  return {
    policy,
    items,
    byOwner: valuesOf('owner'),
    byType: valuesOf('type'),
    total,
    entries: entries.map(({ item }) => item),
    page: { start, num },
  }
}

/** A search whose last modified items come first. */
export function searchFor(
  condition: ItemCondition,
  groupId: string | undefined,
  countFields: ItemSearch['countFields'] = [],
  countSize = maxListed,
): ItemSearch {
  const sort = [{ field: 'modified', order: 'desc' }] as const
  return { condition, inTitle: undefined, bbox: undefined, sort, groupId, countFields, countSize }
}
