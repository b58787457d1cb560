import { nothingDone, type WithAuditDetails } from '../call/audit-details.ts'
import type { Call } from '../call/call.ts'
import { requireMayOwnMoreItems } from '../directory/quotas.ts'
import type { User } from '../directory/user.ts'
import { limitReached } from '../errors.ts'
import type { ItemReaders, ItemStores } from './store.ts'

/** How many items users, organizations and groups may have. Called in the transaction that adds one. */

type Readers = Pick<ItemReaders, 'items'>
type Owner = Pick<User, 'userId' | 'username' | 'portalId'>

/** For a new item. The organization has as many as were counted last: what was added since does not count (chosen). */
export async function requireMayHaveMoreItems(stores: Readers, call: Call, owner: Owner): Promise<void> {
  await requireMayOwnMoreItems(stores, call, owner)
  const { itemsOfPortal: most } = call.limits
  const present = await stores.items.countItemsOfPortal(owner.portalId)
  if (present < most) return
  throw limitReached('itemsOfPortal', `The organization has ${present} items; at most ${most} are allowed.`)
}

/** For tags that an item of the user gets. Those that others of the user's items have are free, however many there are. */
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
    const most = `at most ${limits[limit]} are allowed, and ${added} of these would be new: use some that there are`
    throw limitReached(limit, `tags: items of ${whose} have ${present} different tags; ${most}.`)
  }
}

/** Stores how many items organizations have, as counted; new items compare it with the limit. */
export async function putItemCounts(
  { items }: Pick<ItemStores, 'items'>,
  _call: Call,
  input: { readonly counts: readonly { readonly portalId: string; readonly items: number }[] },
): Promise<WithAuditDetails> {
  for (const { portalId, items: counted } of input.counts) await items.putItemCount(portalId, counted)
  return { audit: nothingDone }
}

/** Sums up how many items users own, before what organizations have is counted from that. */
export async function sumUpItemCounts({ items }: Pick<ItemStores, 'items'>): Promise<WithAuditDetails> {
  await items.mergeItemCounts()
  return { audit: nothingDone }
}
