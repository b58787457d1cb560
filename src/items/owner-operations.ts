import type { RecordedChange, WithAuditDetails } from '../call/audit-details.ts'
import { type Call, requireCaller, requirePermission } from '../call/call.ts'
import { type Parsed, unwrapParsed } from '../call/parsed.ts'
import { holds } from '../directory/permissions.ts'
import { requirePrivilege } from '../directory/portal-operations.ts'
import { requireMayOwnMoreItems } from '../directory/quotas.ts'
import type { User } from '../directory/user.ts'
import { requireUser } from '../directory/users/named-user.ts'
import { itemNotFound, itemProtected, operationRefused, type PortalError } from '../errors.ts'
import type { Page, Slice } from '../paging.ts'
import { say } from '../sentences/say.ts'
import { attemptEach, type SettledItems } from './attempt.ts'
import type { Item } from './item.ts'
import { type ItemView, type NamedItem, requireUserItem, requireVisibleItem, viewItem } from './item-access.ts'
import { mayDeleteItem, mayProtectItem } from './item-permissions.ts'
import type { AppsOfItems, ItemLink, ItemOfMember, ItemOrder, ItemReaders, ItemStores } from './store.ts'

/** Operations of owners and administrators on the items of a user. */

/** Includes the apps that are registered for items: they end with them (chosen). */
export type StoresOfOwners = ItemStores & { readonly oauth: AppsOfItems }

export async function deleteItem(stores: StoresOfOwners, call: Call, input: NamedItem): Promise<WithAuditDetails> {
  const { found } = await requireUserItem(stores, call, input)
  await deleteChecked(stores, call, found)
  return { audit: { ownerId: found.item.ownerId } }
}

/** Deletes an item that the caller may delete, and that is not protected. */
export async function deleteChecked({ items, oauth }: StoresOfOwners, call: Call, found: ItemOfMember): Promise<void> {
  requirePermission(mayDeleteItem(requireCaller(call), found))
  if (found.item.isProtected) throw itemProtected()
  const app = await oauth.findAppOfItem(found.item.itemId)
  if (app) await oauth.removeApp(app.clientId)
  await items.removeItem(found.item.itemId)
}

/** Deletes those that it may (documented). */
export async function deleteItems(
  stores: StoresOfOwners,
  call: Call,
  input: { readonly username: string; readonly items: Parsed<readonly string[]> },
): Promise<SettledItems> {
  const { caller, user } = await requireUser(stores, call, input.username)
  return attemptEach(stores, caller, user.userId, unwrapParsed(input.items), async (itemId) => {
    const found = await requireVisibleItem(stores, call, itemId)
    if (found.item.ownerId !== user.userId) throw itemNotFound()
    await deleteChecked(stores, call, found)
    return {}
  })
}

/** Why the item cannot be deleted although the caller may do so; undefined if it can. */
export async function canDeleteItem(
  stores: ItemReaders,
  call: Call,
  input: NamedItem,
): Promise<PortalError | undefined> {
  const { caller, found } = await requireUserItem(stores, call, input)
  requirePermission(mayDeleteItem(caller, found))
  return found.item.isProtected ? itemProtected() : undefined
}

/**
 * Gives the item to another user of the organization (documented). Links to groups of which that user is no member end
 * (chosen): no member would have shared it there. An app loses its secret, its tokens and what users
 * allowed it, which the former owner has (chosen).
 */
export async function reassignItem(
  stores: StoresOfOwners,
  call: Call,
  input: NamedItem & {
    readonly target: Parsed<{ readonly targetUsername: string; readonly targetFolderName: string | undefined }>
  },
): Promise<WithAuditDetails> {
  const { caller, found } = await requireUserItem(stores, call, input)
  const { item } = found
  requirePrivilege(caller, item.portalId, 'portal:admin:reassignItems')
  const { targetUsername, targetFolderName = '/' } = unwrapParsed(input.target)
  if (!isRoot(targetFolderName)) throw operationRefused('targetFolderName: there are no folders here.')
  const target = await stores.directory.findUser(targetUsername)
  if (!target || target.portalId !== item.portalId || target.disabled) {
    throw operationRefused(`targetUsername: ${say('notEnabledUser', { username: targetUsername })}`)
  }
  return { audit: { changes: target.userId === item.ownerId ? [] : await reassignTo(stores, call, item, target) } }
}

/** Gives the item to a user who may own one more; answers what changed. */
export async function reassignTo(
  stores: StoresOfOwners,
  call: Call,
  { itemId, bytes }: Pick<Item, 'itemId' | 'bytes'>,
  target: User,
): Promise<readonly RecordedChange[]> {
  await requireMayOwnMoreItems(stores, call, target, { items: 1, bytes })
  const changes = await stores.items.giveItem(itemId, target.userId)
  const app = await stores.oauth.findAppOfItem(itemId)
  if (app) await stores.oauth.disownApp(app.clientId, call.now)
  return changes
}

/** Every item is where folders begin, and stays there (chosen). */
export async function moveItem(
  stores: ItemStores,
  call: Call,
  input: NamedItem & { readonly folder: Parsed<string> },
): Promise<{ readonly owner: string }> {
  const { caller, found } = await requireUserItem(stores, call, input)
  requirePermission(mayProtectItem(caller, found))
  if (!isRoot(unwrapParsed(input.folder))) throw operationRefused('There are no folders here.')
  return { owner: found.item.ownerUsername }
}

function isRoot(folder: string): boolean {
  return ['', '/'].includes(folder.trim())
}

/** An item with the groups that it is shared with, for its owner and who may view any item (documented). */
export async function readUserItem(
  stores: ItemReaders,
  call: Call,
  input: NamedItem,
): Promise<ItemView & { readonly links: readonly ItemLink[] }> {
  const { caller, found } = await requireUserItem(stores, call, input)
  const { item } = found
  requirePermission(item.ownerId === caller.userId || holds(caller, item.portalId, 'portal:admin:viewItems'))
  return { ...viewItem(caller, found), links: await stores.items.listItemLinks(item.itemId) }
}

/** The items of a user, for that user and who may view any item. */
export async function listUserItems(
  stores: ItemReaders,
  call: Call,
  input: { readonly username: string; readonly page: Parsed<Page>; readonly order: Parsed<ItemOrder> },
): Promise<Slice<ItemView> & { readonly page: Page; readonly username: string }> {
  const { caller, user } = await requireUser(stores, call, input.username)
  requirePermission(user.userId === caller.userId || holds(caller, user.portalId, 'portal:admin:viewItems'))
  const page = unwrapParsed(input.page)
  const { total, entries } = await stores.items.listItemsOf(user.userId, caller.userId, unwrapParsed(input.order), page)
  return { total, entries: entries.map((found) => viewItem(caller, found)), page, username: user.username }
}
