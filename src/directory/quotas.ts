import type { Call } from '../call/call.ts'
import { limitReached } from '../errors.ts'
import { say } from '../sentences/say.ts'
import type { DirectoryReaders, ItemTotals, KeptBytes } from './store.ts'
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
  const counts = { username: user.username, count: owned, max }
  throw limitReached('groupsOwned', say(by === 'self' ? 'groupsOwned' : 'groupsGiven', counts))
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
  throw limitReached('memberships', say('memberships', { username: user.username, count: present, max }))
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

type Accounts = { readonly items: KeptBytes }

/** Check for a new item, one that grows, and items that an administrator gives to the user. */
export async function requireMayOwnMoreItems(
  { items }: Accounts,
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
    throw limitReached('itemsOwned', say('itemsOwned', { username: user.username, count: owned.items, max: max.items }))
  }
  if (owned.bytes + more.bytes <= max.bytes) return
  const counts = { username: user.username, bytes: owned.bytes, more: more.bytes, max: max.bytes }
  throw limitReached('itemBytesOwned', say('bytesOwned', counts))
}

/**
 * Check for what adds bytes: items, versions and drafts of category schemas, jobs. They count for the person who makes them, those of
 * an app for its organization alone. That has what was counted last: what was added since does not count (chosen).
 */
export async function requireMayKeepMore(
  stores: Accounts,
  call: Call,
  person: Named & Pick<User, 'portalId'>,
  more: ItemTotals,
): Promise<void> {
  const [{ items, bytes }] = await Promise.all([
    stores.items.countItemsOfPortal(person.portalId),
    requireMayOwnMoreItems(stores, call, person, more),
  ])
  const { itemsOfPortal: max, itemBytesOfPortal: maxBytes } = call.limits
  if (more.items > 0 && items >= max) {
    throw limitReached('itemsOfPortal', say('itemsOfOrganization', { count: items, max }))
  }
  if (bytes + more.bytes <= maxBytes) return
  throw limitReached('itemBytesOfPortal', say('bytesOfOrganization', { bytes, more: more.bytes, max: maxBytes }))
}

/** `requireMayKeepMore` for texts alone. */
export function requireMayKeep(
  stores: Accounts,
  call: Call,
  person: Named & Pick<User, 'portalId'>,
  ...texts: readonly (string | undefined)[]
): Promise<void> {
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text ?? ''), 0)
  return requireMayKeepMore(stores, call, person, { items: 0, bytes })
}
