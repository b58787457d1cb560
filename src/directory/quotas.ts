import type { Call } from '../call/call.ts'
import { limitReached } from '../errors.ts'
import type { DirectoryReaders, OwnedItems } from './store.ts'
import type { User } from './user.ts'

/** How many groups a user may own and belong to, and how many items own. Called in the transaction that adds one. */

type Named = Pick<User, 'userId' | 'username'>

/**
 * Who uses up a quota: the user or an administrator, or another user by adding to a group or by giving one. Others may use
 * half of it, so that they cannot keep a user from creating and joining groups (chosen).
 */
export type By = 'self' | 'others'

function allowed(most: number, by: By): number {
  return by === 'self' ? most : Math.floor(most / 2)
}

export async function requireMayOwnMore(
  { directory }: DirectoryReaders,
  call: Call,
  user: Named,
  by: By = 'self',
  more = 1,
): Promise<void> {
  const most = allowed(call.limits.groupsOwned, by)
  const owned = await directory.countGroupsOwnedBy(user.userId)
  if (owned + more <= most) return
  const giving = by === 'self' ? 'a user may own at most' : 'other users may give groups only to owners of fewer than'
  throw limitReached('groupsOwned', `${user.username} owns ${owned} groups; ${giving} ${most}.`)
}

export async function requireMayBelongToMore(
  { directory }: DirectoryReaders,
  call: Call,
  user: Named,
  more = 1,
): Promise<void> {
  const { memberships: most } = call.limits
  const present = await directory.countMemberships(user.userId)
  if (present + more <= most) return
  throw limitReached('memberships', `${user.username} belongs to ${present} groups; at most ${most} are allowed.`)
}

export async function mayBelongToMore(
  { directory }: DirectoryReaders,
  call: Call,
  userId: string,
  by: By,
): Promise<boolean> {
  return (await directory.countMemberships(userId)) < allowed(call.limits.memberships, by)
}

/** More than a user adds while counts are summed up once (chosen): only so near to the limit is it exact. */
const addedMeanwhile = 10_000

/** For a new item, and for items that an administrator gives to the user. */
export async function requireMayOwnMoreItems(
  { items }: { readonly items: Pick<OwnedItems, 'countItemsOwnedBy' | 'findItemCount'> },
  call: Call,
  user: Named,
  more = 1,
): Promise<void> {
  const { itemsOwned: most } = call.limits
  const isFar = most > addedMeanwhile && (await items.findItemCount(user.userId)) + more <= most - addedMeanwhile
  if (isFar) return
  const owned = await items.countItemsOwnedBy(user.userId)
  if (owned + more <= most) return
  throw limitReached('itemsOwned', `${user.username} owns ${owned} items; a user may own at most ${most}.`)
}
