import { limitReached } from '../errors.ts'
import type { Call } from '../operations/call.ts'
import type { DirectoryReaders } from './store.ts'
import type { User } from './user.ts'

/** How many groups a user may own and belong to. Called in the transaction that adds one. */

type Named = Pick<User, 'userId' | 'username'>

export async function requireMayOwnMore({ directory }: DirectoryReaders, call: Call, user: Named): Promise<void> {
  const { groupsOwned: most } = call.limits
  const owned = await directory.countGroupsOwnedBy(user.userId)
  if (owned >= most) {
    throw limitReached('groupsOwned', `${user.username} owns ${owned} groups; a user may own at most ${most}.`)
  }
}

export async function requireMayBelongToMore(stores: DirectoryReaders, call: Call, user: Named): Promise<void> {
  const { memberships: most } = call.limits
  if (await mayBelongToMore(stores, call, user.userId)) return
  throw limitReached('memberships', `${user.username} belongs to ${most} groups or more, the most that is allowed.`)
}

export async function mayBelongToMore({ directory }: DirectoryReaders, call: Call, userId: string): Promise<boolean> {
  return (await directory.countMemberships(userId)) < call.limits.memberships
}
