import type { Caller } from '../call/caller.ts'
import { holds } from '../directory/permissions.ts'
import type { ItemOfMember } from './store.ts'

/** Permissions on items, as pure functions of the caller and the item. */

/** Control of a caller over an item: everything, or changing it (documented). */
export type ItemControl = 'admin' | 'update'

/** Public items are seen by anyone, also where the organization is private (chosen). */
export function canViewItem(caller: Caller | undefined, { item, isShared }: ItemOfMember): boolean {
  if (item.level === 'public') return true
  if (!caller) return false
  if (item.ownerId === caller.userId || isShared) return true
  if (item.level === 'org' && holds(caller, item.portalId, 'portal:user:viewOrgItems')) return true
  return holds(caller, item.portalId, 'portal:admin:viewItems')
}

/** The owner and who may update any item have it all; members of a group that gives control may change the item. */
export function controlOf(caller: Caller, { item, hasControl }: ItemOfMember): ItemControl | undefined {
  if (item.ownerId === caller.userId || holds(caller, item.portalId, 'portal:admin:updateItems')) return 'admin'
  return hasControl ? 'update' : undefined
}

export function mayUpdateItem(caller: Caller, found: ItemOfMember): boolean {
  return controlOf(caller, found) !== undefined
}

/** Users who may update the item, and holders of the privilege to categorize any. */
export function mayCategorizeItem(caller: Caller, found: ItemOfMember): boolean {
  return mayUpdateItem(caller, found) || holds(caller, found.item.portalId, 'portal:admin:categorizeItems')
}

/** Control given by a group is not enough. */
export function mayProtectItem(caller: Caller, found: ItemOfMember): boolean {
  return controlOf(caller, found) === 'admin'
}

export function mayDeleteItem(caller: Caller, { item }: ItemOfMember): boolean {
  return item.ownerId === caller.userId || holds(caller, item.portalId, 'portal:admin:deleteItems')
}
