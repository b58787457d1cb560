import { type Call, requireCaller } from '../call/call.ts'
import type { Caller } from '../call/caller.ts'
import { usernameKey } from '../directory/user.ts'
import { requireUser } from '../directory/users/named-user.ts'
import { itemNotFound } from '../errors.ts'
import type { Item } from './item.ts'
import { canViewItem, controlOf, type ItemControl } from './item-permissions.ts'
import type { ItemOfMember, ItemReaders } from './store.ts'

/** An item as a caller sees it. */
export interface ItemView {
  readonly item: Item
  /** Whether it belongs to the caller's organization. */
  readonly isOrgItem: boolean
  /** The caller's control of the item, null for none; undefined for an anonymous caller. */
  readonly control: ItemControl | null | undefined
}

export function viewItem(caller: Caller | undefined, found: ItemOfMember): ItemView {
  return {
    item: found.item,
    isOrgItem: found.item.portalId === caller?.portalId,
    control: caller && (controlOf(caller, found) ?? null),
  }
}

/** The item if the caller sees it; otherwise 499 for an anonymous caller, CONT_0001 for any other. */
export async function requireVisibleItem({ items }: ItemReaders, call: Call, itemId: string): Promise<ItemOfMember> {
  const found = await items.findItemFor(itemId, call.caller?.userId)
  if (found && canViewItem(call.caller, found)) return found
  requireCaller(call)
  throw itemNotFound()
}

/** The item to be changed: an anonymous caller gets 499 even if it is public. */
export async function requireItem(
  stores: ItemReaders,
  call: Call,
  itemId: string,
): Promise<{ readonly caller: Caller; readonly found: ItemOfMember }> {
  const caller = requireCaller(call)
  return { caller, found: await requireVisibleItem(stores, call, itemId) }
}

/** An item in the path of its owner. */
export interface NamedItem {
  readonly username: string
  readonly itemId: string
}

/** Requires an item through the path of its owner: through any other user's it does not exist (chosen). */
export async function requireUserItem(
  stores: ItemReaders,
  call: Call,
  { username, itemId }: NamedItem,
): Promise<{ readonly caller: Caller; readonly found: ItemOfMember }> {
  const caller = requireCaller(call)
  const found = await stores.items.findItemFor(itemId, caller.userId)
  // Every viewer of an item sees who owns it, even where the profile of that user is private.
  if (found && canViewItem(caller, found) && isNamed(found.item, username)) return { caller, found }
  await requireUser(stores, call, username)
  throw itemNotFound()
}

/** Whether the owner of the item is named, by username or by id. */
export function isNamed({ ownerId, ownerUsername }: Item, named: string): boolean {
  const key = usernameKey(named)
  return key === usernameKey(ownerUsername) || key === ownerId
}
