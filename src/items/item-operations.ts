import type { WithAuditDetails } from '../call/audit-details.ts'
import { type Call, requirePermission } from '../call/call.ts'
import { type DiskReader, requireSpace } from '../call/disk.ts'
import { type Parsed, unwrapParsed } from '../call/parsed.ts'
import type { GroupView } from '../directory/group-operations.ts'
import { canViewGroup, isDefaultAdministrator } from '../directory/permissions.ts'
import { requirePrivilege } from '../directory/portal-operations.ts'
import { requireMayKeepMore } from '../directory/quotas.ts'
import { requireUser } from '../directory/users/named-user.ts'
import { limitReached, operationRefused } from '../errors.ts'
import { findEntriesProblem } from '../plain-text.ts'
import { say } from '../sentences/say.ts'
import { readKnownPaths } from './categories/category-operations.ts'
import { choosePaths, tooManyCategories, unknownCategory } from './categories/category-paths.ts'
import { findAddressProblem, type ItemProperties, itemDefaults, itemLimits, tagRules } from './item.ts'
import { type ItemView, type NamedItem, requireUserItem, requireVisibleItem, viewItem } from './item-access.ts'
import { changeOf, recordChange } from './item-change.ts'
import { mayProtectItem, mayUpdateItem } from './item-permissions.ts'
import { countedBytes, requireMayHaveTags } from './item-quotas.ts'
import { findTitleProblem } from './reserved-title.ts'
import type { AppsOfItems, ItemReaders, ItemStores } from './store.ts'

/** Given parts of an item: its properties, its data and paths of categories. */
export interface GivenItem<Properties> {
  readonly properties: Properties
  readonly text: string | undefined
  readonly categories: readonly string[] | undefined
}

export interface NewItemInput {
  readonly username: string
  readonly itemId: string
  readonly given: Parsed<
    GivenItem<Partial<ItemProperties> & Pick<ItemProperties, 'title' | 'type'>> & {
      /** The id that an administrator gives the item. */
      readonly itemIdToCreate: string | undefined
    }
  >
}

/** Adds an item that the caller owns, private at first (documented). Unknown categories are left off and returned (chosen). */
export async function addItem(
  stores: ItemStores,
  call: Call,
  input: NewItemInput,
): Promise<WithAuditDetails & { readonly itemId: string; readonly unrecognizedCategories: readonly string[] }> {
  const { caller, user } = await requireUser(stores, call, input.username)
  requirePermission(user.userId === caller.userId)
  requirePrivilege(caller, caller.portalId, 'portal:user:createItem')
  const { properties, text, categories = [], itemIdToCreate } = unwrapParsed(input.given)
  if (itemIdToCreate !== undefined) requirePermission(isDefaultAdministrator(caller, caller.portalId))
  requireTextFits(call, text)
  requireAddress(properties.url)
  requireTags(properties)
  await requireMayHaveTags(stores, call, user, properties.tags)
  const itemId = itemIdToCreate ?? input.itemId
  if (itemIdToCreate !== undefined && (await stores.items.hasItemId(itemId))) {
    throw operationRefused('itemIdToCreate: is or was the id of an item.')
  }
  const portal = { kind: 'portal', portalId: caller.portalId } as const
  const { paths, unknown } = choosePaths(categories, await readKnownPaths(stores, portal), [])
  requireFewCategories(paths)
  const described = { ...itemDefaults, ...properties, size: sizeOf(text) }
  const bytes = countedBytes(described)
  await requireMayKeepMore(stores, call, user, { items: 1, bytes })
  const item = {
    ...described,
    bytes,
    itemId,
    portalId: caller.portalId,
    ownerId: caller.userId,
    level: 'private',
    isProtected: false,
    categories: paths,
    createdAt: call.now,
    modifiedAt: call.now,
  } as const
  await stores.items.addItem(item, text)
  return { itemId, unrecognizedCategories: unknown, audit: { target: `/content/items/${itemId}` } }
}

function requireFewCategories(paths: readonly string[]): void {
  if (paths.length > itemLimits.categories) throw operationRefused(`categories: ${tooManyCategories}`)
}

function requireTextFits({ limits }: Call, text: string | undefined): void {
  const size = sizeOf(text)
  const { itemText: max } = limits
  if (size > max) throw limitReached('itemText', `text: ${say('textTooLong', { bytes: size, max })}`)
}

function sizeOf(text: string | undefined): number {
  return text === undefined ? 0 : Buffer.byteLength(text)
}

type StoresOfUpdates = ItemStores & { readonly disk: DiskReader; readonly oauth: AppsOfItems }

/** Changes only what is given. A category that the item does not carry has to be one of the organization's schema (chosen). */
export async function updateItem(
  stores: StoresOfUpdates,
  call: Call,
  input: NamedItem & { readonly given: Parsed<GivenItem<Partial<ItemProperties>>> },
): Promise<WithAuditDetails> {
  const { caller, found } = await requireUserItem(stores, call, input)
  requirePermission(mayUpdateItem(caller, found))
  const { properties, text, categories } = unwrapParsed(input.given)
  requireTextFits(call, text)
  const { item } = found
  await requireAppTitle(stores, item, properties.title)
  requireAddress(properties.url, item.url)
  requireTags(properties)
  const described = { ...item, ...properties, ...(text === undefined ? {} : { size: sizeOf(text) }) }
  const bytes = countedBytes(described)
  const grownBy = bytes - item.bytes
  if (grownBy > 0) await requireMayGrow(stores, call, item, grownBy)
  const owner = { userId: item.ownerId, username: item.ownerUsername, portalId: item.portalId }
  await requireMayHaveTags(stores, call, owner, properties.tags)
  const change = {
    ...described,
    bytes,
    categories: categories ? await requireKnown(stores, item, categories) : item.categories,
    modifiedAt: call.now,
  }
  await stores.items.updateItem(change, text, grownBy)
  const changes = recordChange(item, {
    ...changeOf('categories', item.categories, change.categories),
    ...changeOf('tags', item.tags, change.tags),
  })
  return { audit: { ownerId: item.ownerId, changes } }
}

/** Refuses an update that needs more bytes than the item's owner, or the disk, has left. */
async function requireMayGrow(
  stores: StoresOfUpdates,
  call: Call,
  { ownerId: userId, ownerUsername: username, portalId }: ItemView['item'],
  bytes: number,
): Promise<void> {
  await requireMayKeepMore(stores, call, { userId, username, portalId }, { items: 0, bytes })
  await requireSpace(stores, call)
}

/** The title of an app's item is the app's, which users are asked to trust. */
async function requireAppTitle(
  { directory, oauth }: ItemReaders & { readonly oauth: AppsOfItems },
  { itemId, portalId, type, title }: ItemView['item'],
  given: string | undefined,
): Promise<void> {
  if (type !== 'Application' || given === undefined || given === title) return
  const portal = (await oauth.findAppOfItem(itemId)) && (await directory.findPortal(portalId))
  const problem = portal && findTitleProblem(given, portal)
  if (problem) throw operationRefused(`title: ${problem}`)
}

/** Clients send a whole item back: the address that it has is not judged again (chosen). */
function requireAddress(given: string | undefined, present?: string): void {
  const problem = given === undefined || given === present ? undefined : findAddressProblem(given)
  if (problem) throw operationRefused(`url: ${problem}`)
}

/** Judged here for every way to an item: its own update, a change of many, and what undoes one. */
function requireTags({ tags = [] }: Partial<ItemProperties>): void {
  const problem = findEntriesProblem(tags, tagRules)
  if (problem) throw operationRefused(`tags: ${problem}`)
}

async function requireKnown(
  stores: ItemReaders,
  { portalId, categories: carried }: ItemView['item'],
  given: readonly string[],
): Promise<readonly string[]> {
  const known = await readKnownPaths(stores, { kind: 'portal', portalId })
  const { paths, unknown } = choosePaths(given, known, carried)
  if (unknown.length > 0)
    throw operationRefused(...unknown.map((path) => `categories: ${unknownCategory(path, known)}`))
  requireFewCategories(paths)
  return paths
}

export async function readItem(stores: ItemReaders, call: Call, input: { itemId: string }): Promise<ItemView> {
  return viewItem(call.caller, await requireVisibleItem(stores, call, input.itemId))
}

/** The data of an item; undefined without data. */
export async function readItemData(
  stores: ItemReaders,
  call: Call,
  input: { itemId: string },
): Promise<string | undefined> {
  const { item } = await requireVisibleItem(stores, call, input.itemId)
  return stores.items.findItemText(item.itemId)
}

export async function protectItem(stores: ItemStores, call: Call, input: NamedItem): Promise<void> {
  await putProtection(stores, call, input, true)
}

export async function unprotectItem(stores: ItemStores, call: Call, input: NamedItem): Promise<void> {
  await putProtection(stores, call, input, false)
}

/** A protected item cannot be deleted (documented). */
async function putProtection(stores: ItemStores, call: Call, input: NamedItem, isProtected: boolean): Promise<void> {
  const { caller, found } = await requireUserItem(stores, call, input)
  requirePermission(mayProtectItem(caller, found))
  await stores.items.updateItem({ ...found.item, isProtected })
}

/** Nothing is kept beside an item: neither files nor related items. */
export async function listItemResources(stores: ItemReaders, call: Call, input: { itemId: string }): Promise<void> {
  await requireVisibleItem(stores, call, input.itemId)
}

export async function listRelatedItems(stores: ItemReaders, call: Call, input: { itemId: string }): Promise<void> {
  await requireVisibleItem(stores, call, input.itemId)
}

/** The groups that the item is shared with, and that the caller sees (documented). */
export async function listItemGroups(
  stores: ItemReaders,
  call: Call,
  input: { itemId: string },
): Promise<{ readonly groups: readonly GroupView[]; readonly username: string | undefined }> {
  const { item } = await requireVisibleItem(stores, call, input.itemId)
  const groups: GroupView[] = []
  for (const { groupId } of await stores.items.listItemLinks(item.itemId)) {
    const seen = await stores.directory.findGroupFor(groupId, call.caller?.userId)
    if (!seen || !canViewGroup(call.caller, seen.group, seen.memberType)) continue
    const group = await stores.directory.findGroup(groupId)
    if (group) groups.push({ group, memberType: seen.memberType })
  }
  return { groups, username: call.caller?.username }
}
