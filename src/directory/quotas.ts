import type { Call } from '../call/call.ts'
import { limitReached } from '../errors.ts'
import type { DirectoryReaders, ItemTotals, OwnedItems } from './store.ts'
import type { User } from './user.ts'

/** How many groups a user may own and belong to, and how many items own. Called in the transaction that adds one. */

type Named = Pick<User, 'userId' | 'username'>

/**
 * Who uses up a quota: the user or an administrator, or another user by adding to a group or by giving one. Others may use
 * half of it, so that they cannot keep a user from creating and joining groups (chosen).
 */
export type By = 'self' | 'others'

function allowed(max: number, by: By): number {
  return by === 'self' ? max : Math.floor(max / 2)
}

export async function requireMayOwnMore(
  { directory }: DirectoryReaders,
  call: Call,
  user: Named,
  by: By = 'self',
  more = 1,
): Promise<void> {
  const max = allowed(call.limits.groupsOwned, by)
  const owned = await directory.countGroupsOwnedBy(user.userId)
  if (owned + more <= max) return
  const giving = by === 'self' ? 'a user may own at most' : 'other users may give groups only to owners of fewer than'
  throw limitReached('groupsOwned', `${user.username} owns ${owned} groups; ${giving} ${max}.`)
}

export async function requireMayBelongToMore(
  { directory }: DirectoryReaders,
  call: Call,
  user: Named,
  more = 1,
): Promise<void> {
  const { memberships: max } = call.limits
  const present = await directory.countMemberships(user.userId)
  if (present + more <= max) return
  throw limitReached('memberships', `${user.username} belongs to ${present} groups; at most ${max} are allowed.`)
}

export async function mayBelongToMore(
  { directory }: DirectoryReaders,
  call: Call,
  userId: string,
  by: By,
): Promise<boolean> {
  return (await directory.countMemberships(userId)) < allowed(call.limits.memberships, by)
}

/** More than a user adds while counts are summed up once (chosen): only so near to a limit is it exact. */
const addedMeanwhile: ItemTotals = { items: 10_000, bytes: 256 * 1024 * 1024 }

/** Check for a new item, one that grows, and items that an administrator gives to the user. */
export async function requireMayOwnMoreItems(
  { items }: { readonly items: Pick<OwnedItems, 'countItemsOwnedBy' | 'findItemCount'> },
  call: Call,
  user: Named,
  more: ItemTotals,
): Promise<void> {
  const max: ItemTotals = { items: call.limits.itemsOwned, bytes: call.limits.itemBytesOwned }
  const summed = await items.findItemCount(user.userId)
  const isFar = (name: keyof ItemTotals) => summed[name] + more[name] <= max[name] - addedMeanwhile[name]
  if (isFar('items') && isFar('bytes')) return
  const owned = await items.countItemsOwnedBy(user.userId)
  if (more.items > 0 && owned.items + more.items > max.items) {
    throw limitReached('itemsOwned', `${user.username} owns ${owned.items} items; a user may own at most ${max.items}.`)
  }
  if (owned.bytes + more.bytes <= max.bytes) return
  const what = `items of ${user.username} have ${owned.bytes} bytes, and ${more.bytes} would be added`
  throw limitReached('itemBytesOwned', `The ${what}; those of a user may have at most ${max.bytes}.`)
}
