import { nothingDone, type WithAuditDetails } from '../call/audit-details.ts'
import type { Call } from '../call/call.ts'
import { requireMayOwnMoreItems } from '../directory/quotas.ts'
import type { ItemTotals } from '../directory/store.ts'
import type { User } from '../directory/user.ts'
import { limitReached } from '../errors.ts'
import type { ItemReaders, ItemStores } from './store.ts'

/** How many items users and organizations may have, and how many bytes. Called in the transaction that adds some. */

type Readers = Pick<ItemReaders, 'items'>
type Owner = Pick<User, 'userId' | 'username' | 'portalId'>

/**
 * For a new item, or one that grows. The organization has what was counted last: what was added since does not count (chosen).
 */
export async function requireMayHaveMoreItems(
  stores: Readers,
  call: Call,
  owner: Owner,
  more: ItemTotals,
): Promise<void> {
  await requireMayOwnMoreItems(stores, call, owner, more)
  const { itemsOfPortal: max, itemBytesOfPortal: maxBytes } = call.limits
  const { items, bytes } = await stores.items.countItemsOfPortal(owner.portalId)
  if (more.items > 0 && items >= max) {
    throw limitReached('itemsOfPortal', `The organization has ${items} items; at most ${max} are allowed.`)
  }
  if (bytes + more.bytes <= maxBytes) return
  const what = `items of the organization have ${bytes} bytes, and ${more.bytes} would be added`
  throw limitReached('itemBytesOfPortal', `The ${what}; at most ${maxBytes} are allowed.`)
}

/** Check of the tags that an item of the user gets. Tags that others of the user's items have are free, however many there are. */
export async function requireMayHaveTags(
  { items }: Readers,
  { limits }: Call,
  owner: Owner,
  tags: readonly string[] = [],
): Promise<void> {
  if (tags.length === 0) return
  for (const { limit, ownerId, whose } of [
    { limit: 'tagsOfUser', ownerId: owner.userId, whose: owner.username },
    { limit: 'tagsOfPortal', ownerId: owner.portalId, whose: 'the organization' },
  ] as const) {
    const { present, added } = await items.countTags(ownerId, tags)
    if (added === 0) return
    if (present + added <= limits[limit]) continue
    const max = `at most ${limits[limit]} are allowed, and ${added} of these would be new: use some that there are`
    throw limitReached(limit, `tags: items of ${whose} have ${present} different tags; ${max}.`)
  }
}

/** Stores what organizations have, as counted; new items compare it with the limits. */
export async function putItemCounts(
  { items }: Pick<ItemStores, 'items'>,
  _call: Call,
  input: { readonly counts: readonly ({ readonly portalId: string } & ItemTotals)[] },
): Promise<WithAuditDetails> {
  for (const { portalId, ...counted } of input.counts) await items.putItemCount(portalId, counted)
  return { audit: nothingDone }
}

/** Sums up what users own, before what organizations have is counted from that; `isDone` when nothing was left. */
export async function sumUpItemCounts({
  items,
}: Pick<ItemStores, 'items'>): Promise<WithAuditDetails & { readonly isDone: boolean }> {
  return { isDone: !(await items.mergeItemCounts()), audit: nothingDone }
}
