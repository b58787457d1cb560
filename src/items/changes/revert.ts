import type { AuditDetails, RecordedChange } from '../../call/audit-details.ts'
import { type Call, requireCaller, requirePermission } from '../../call/call.ts'
import type { Caller } from '../../call/caller.ts'
import { callerOf } from '../../directory/groups/admission.ts'
import { canViewGroup, mayManageCategories } from '../../directory/permissions.ts'
import { requirePrivilege } from '../../directory/portal-operations.ts'
import type { DirectoryReaders } from '../../directory/store.ts'
import type { User } from '../../directory/user.ts'
import { operationRefused, refusedWith } from '../../errors.ts'
import { say } from '../../sentences/say.ts'
import { readKnownPaths } from '../categories/category-operations.ts'
import { requirePaths } from '../categories/category-paths.ts'
import { requireCategoryFor } from '../categories/policy.ts'
import type { ItemHistoryStore, StoredChange } from '../history-store.ts'
import type { Item } from '../item.ts'
import { requireVisibleItem } from '../item-access.ts'
import {
  changeOf,
  type GroupCategoriesChange,
  groupChangeOf,
  type ItemChange,
  isUnkept,
  linksChanged,
  mergeRecorded,
  partsOf,
  recordChange,
  type UnkeptChange,
  undoneList,
} from '../item-change.ts'
import { updateItem } from '../item-operations.ts'
import { mayCategorizeItem, mayUpdateItem } from '../item-permissions.ts'
import { reassignTo, type StoresOfOwners } from '../owner-operations.ts'
import { findSharingProblem, governsSharing, mayPutLevel } from '../sharing.ts'
import { applySharing, endSharing, mayUnshare, withControl } from '../sharing-operations.ts'
import type { ItemLink, ItemOfMember } from '../store.ts'

export type StoresOfHistory = StoresOfOwners &
  Parameters<typeof updateItem>[0] & { readonly itemHistory: ItemHistoryStore }

/** A change that is to be undone, and who undoes it. */
interface Reverting {
  readonly stores: StoresOfHistory
  readonly call: Call
  readonly caller: Caller
  readonly found: ItemOfMember
  /** Number of the entry that the change is beside. */
  readonly entry: number
}

/**
 * Undoes a change of one item, as the caller may make it today; answers the change that this is. Permission is judged before
 * any state: a refusal says nothing of it to others. Refused if what changed has changed again since: each path, tag and group
 * for itself. Everything is decided before the first write.
 */
export async function revertChange(
  stores: StoresOfHistory,
  call: Call,
  stored: StoredChange,
): Promise<readonly RecordedChange[]> {
  const { change, revertedAt, entry } = stored
  const found = await requireVisibleItem(stores, call, stored.itemId)
  const undoing = { stores, call, caller: requireCaller(call), found, entry }
  await requireMayRevert(undoing, change)
  if (revertedAt !== undefined) throw operationRefused(say('undoneAlready'))
  if (isUnkept(change)) {
    throw operationRefused(say('changeTooLong'))
  }
  const changes = await revertKept(undoing, change)
  await stores.itemHistory.putReverted(stored, call.now)
  return changes
}

function revertKept(undoing: Reverting, change: ItemChange): Promise<readonly RecordedChange[]> {
  if (change.owner) return revertOwner(undoing, change, change.owner)
  return change.level || change.groups ? revertSharing(undoing, change) : revertLists(undoing, change)
}

async function requireMayRevert(
  { stores, caller, found }: Reverting,
  change: ItemChange | UnkeptChange,
): Promise<void> {
  const { item } = found
  if (isUnkept(change)) return requirePermission(mayCategorizeItem(caller, found))
  const { owner, level, groups, tags, categories, groupCategories = [] } = change
  if (owner) return requirePrivilege(caller, item.portalId, 'portal:admin:reassignItems')
  if (level) requirePermission(governsSharing(caller, item) && mayPutLevel(caller, item, level.from))
  if (level || groups) {
    const { added, removed } = await linksToRevert(stores, caller, item, change)
    const named = [...added, ...removed]
    requirePermission(named.length > 0 ? await mayUnshare(stores, caller, item, named) : governsSharing(caller, item))
    return
  }
  if (tags) requirePermission(mayUpdateItem(caller, found))
  if (categories) requirePermission(mayCategorizeItem(caller, found))
  for (const { groupId } of groupCategories) {
    const member = await stores.directory.findMember(groupId, caller.userId)
    requirePermission(mayManageCategories(member?.memberType))
  }
}

/**
 * Links that a change made, and those that it ended to groups that the caller sees. With a level, links that others had made may
 * have ended: of groups to which neither the caller nor the owner belongs.
 */
async function linksToRevert(stores: StoresOfHistory, caller: Caller, item: Item, { level, groups }: ItemChange) {
  const removed: string[] = []
  for (const groupId of await keepSeen(stores, caller, groups?.removed ?? [], (id) => id)) {
    const isMember = async (userId: string) => (await stores.directory.findMember(groupId, userId)) !== undefined
    if (!level || (await isMember(caller.userId)) || (await isMember(item.ownerId))) removed.push(groupId)
  }
  return { added: groups?.added ?? [], removed }
}

/** Names who has changed it since to those who may read the history of the item. */
async function changedSince({ stores, caller, found, entry }: Reverting, part: Part, judged: ItemChange) {
  const parts = new Set(partsOf(judged, true))
  const { entries } = mayUpdateItem(caller, found)
    ? await stores.itemHistory.listItemChanges(found.item.itemId, { start: 1, num: laterChanges })
    : { entries: [] }
  const later = entries.find(
    ({ entry: one, change }) => one > entry && !isUnkept(change) && partsOf(change).some((part) => parts.has(part)),
  )
  const by = later?.username
  if (by === undefined) return operationRefused(say(`${part}Changed`))
  return refusedWith({ members: { changedBy: by } }, [say(`${part}ChangedBy`, { username: by })])
}

/** A part of an item that a change may have changed. */
type Part = 'categories' | 'owner' | 'sharing' | 'tags'

/** Changes among which the one that came since is looked for, the last ones first (chosen). */
const laterChanges = 100

/** Links that ended with the change are made again where the former owner may make them today. */
async function revertOwner(
  undoing: Reverting,
  change: ItemChange,
  { from, to }: NonNullable<ItemChange['owner']>,
): Promise<readonly RecordedChange[]> {
  const { stores, call, found } = undoing
  const { item } = found
  if (item.ownerId !== to) throw await changedSince(undoing, 'owner', { owner: { from, to } })
  const former = await stores.directory.findUserById(from)
  if (!former || former.portalId !== item.portalId || former.disabled) {
    throw operationRefused(say('formerOwnerGone'))
  }
  const links = await linksOfFormer(stores, former, found, change)
  if (links.length > 0 && item.level === 'private') await requireCategoryFor(stores, item, 'shared')
  const changes = await reassignTo(stores, call, item, former)
  for (const link of links) await stores.items.putItemLink(item.itemId, link)
  const again = links.map(({ groupId }) => groupId)
  await putEndedCategories(stores, item, change, again)
  return mergeRecorded([...changes, ...recordChange(item, linksChanged(again, []))])
}

/** Links that ended with the change, by the rules of sharing for the former owner, and with the control that they gave. */
async function linksOfFormer(
  stores: StoresOfHistory,
  former: User,
  found: ItemOfMember,
  { groups }: ItemChange,
): Promise<readonly ItemLink[]> {
  const { itemId } = found.item
  const owned = { ...found, item: { ...found.item, ownerId: former.userId } }
  const caller = await callerOf(stores, former)
  const present = (await stores.items.listItemLinks(itemId)).map(({ groupId }) => groupId)
  const links: ItemLink[] = []
  for (const groupId of groups?.removed ?? []) {
    const seen = await stores.directory.findGroupFor(groupId, former.userId)
    if (!seen || present.includes(groupId) || (await stores.items.isEnding(groupId, former.userId))) continue
    const { memberType } = seen
    const group = withControl(seen.group, groups?.control ?? [])
    const target = { group, callerType: memberType, ownerType: memberType, isWithin: true, confirms: true }
    if (findSharingProblem(caller, owned, target) !== undefined) continue
    links.push({ groupId, givesControl: group.givesItemControl })
  }
  return links
}

async function revertSharing(undoing: Reverting, change: ItemChange): Promise<readonly RecordedChange[]> {
  const { stores, call, caller, found } = undoing
  const { item } = found
  const { level } = change
  const { added: made, removed } = await linksToRevert(stores, caller, item, change)
  const seen = await keepSeen(stores, caller, made, (id) => id)
  const present = (await stores.items.listItemLinks(item.itemId)).map(({ groupId }) => groupId)
  const added = made.filter((groupId) => seen.includes(groupId) || present.includes(groupId))
  const isAsThen =
    (!level || item.level === level.to) &&
    added.every((groupId) => present.includes(groupId)) &&
    !removed.some((groupId) => present.includes(groupId))
  if (!isAsThen) {
    throw await changedSince(undoing, 'sharing', { ...(level && { level }), groups: { added: seen, removed } })
  }
  if (!level && added.length + removed.length === 0) {
    throw operationRefused(say('formerGroupsGone'))
  }
  const changes: RecordedChange[] = []
  if (level || removed.length > 0) {
    const flags = level ? { everyone: level.from === 'public', org: level.from === 'org' } : undefined
    const absent = { everyone: undefined, org: undefined, account: undefined }
    const wish = { ...absent, ...flags, groups: removed, confirmItemControl: true }
    const form = { leavesGroups: false, lowers: true, isWhole: true, control: change.groups?.control ?? [] }
    changes.push(...((await applySharing(stores, call, found, { value: wish }, form)).changes ?? []))
  }
  if (added.length > 0) changes.push(...((await endSharing(stores, caller, found, { value: added })).changes ?? []))
  await putEndedCategories(stores, item, change, removed)
  return mergeRecorded(changes)
}

/** Puts back the categories of groups that ended with their links, as far as the groups still have them. */
async function putEndedCategories(
  stores: StoresOfHistory,
  { itemId }: Item,
  { groupCategories = [] }: ItemChange,
  groupIds: readonly string[],
): Promise<void> {
  for (const { groupId, from } of groupCategories) {
    if (!groupIds.includes(groupId)) continue
    const known = await readKnownPaths(stores, { kind: 'group', groupId })
    await stores.items.putGroupCategories(groupId, [{ itemId, paths: from.filter((path) => known.has(path)) }])
  }
}

/** Tags and categories: all of them are decided before one is written. */
async function revertLists(
  undoing: Reverting,
  { tags, categories, groupCategories = [] }: ItemChange,
): Promise<readonly RecordedChange[]> {
  const { stores, call, found } = undoing
  const { item } = found
  const formerTags = tags && undoneList(item.tags, tags)
  if (tags && !formerTags) throw await changedSince(undoing, 'tags', { tags })
  const formerCategories = categories && undoneList(item.categories, categories)
  if (categories && !formerCategories) throw await changedSince(undoing, 'categories', { categories })
  const known = await readKnownPaths(stores, { kind: 'portal', portalId: item.portalId })
  const paths = formerCategories ? requirePaths(formerCategories, known, item.categories) : item.categories
  const ofGroups: GroupCategoriesChange[] = []
  for (const change of groupCategories) ofGroups.push(await undoGroupCategories(undoing, change))

  const changes: RecordedChange[] = []
  if (formerTags) {
    const given = { properties: { tags: formerTags }, text: undefined, categories: categories && paths }
    const named = { username: item.ownerUsername, itemId: item.itemId }
    const { audit } = await updateItem(stores, call, { ...named, given: { value: given } })
    changes.push(...((audit as AuditDetails).changes ?? []))
  } else if (categories) {
    await stores.items.putCategories([{ itemId: item.itemId, paths }], call.now)
    changes.push(...recordChange(item, changeOf('categories', item.categories, paths)))
  }
  for (const { groupId, from, to } of ofGroups) {
    await stores.items.putGroupCategories(groupId, [{ itemId: item.itemId, paths: to }])
    changes.push(...recordChange(item, groupChangeOf(groupId, from, to)))
  }
  return mergeRecorded(changes)
}

/** The change that undoes one of the categories of a group. */
async function undoGroupCategories(undoing: Reverting, change: GroupCategoriesChange): Promise<GroupCategoriesChange> {
  const { stores, found } = undoing
  const { groupId } = change
  const { itemId } = found.item
  const from = (await stores.items.listGroupCategories(groupId, [itemId])).get(itemId)
  if (!from) throw operationRefused(say('notSharedAnyMore'))
  const former = undoneList(from, change)
  if (!former) throw await changedSince(undoing, 'categories', { groupCategories: [change] })
  return { groupId, from, to: requirePaths(former, await readKnownPaths(stores, { kind: 'group', groupId }), from) }
}

/** Values whose group the caller sees; a deleted one is seen by no user. */
export async function keepSeen<Value>(
  { directory }: DirectoryReaders,
  caller: Caller,
  values: readonly Value[],
  groupOf: (value: Value) => string,
): Promise<readonly Value[]> {
  const kept: Value[] = []
  for (const value of values) {
    const found = await directory.findGroupFor(groupOf(value), caller.userId)
    if (found && canViewGroup(caller, found.group, found.memberType)) kept.push(value)
  }
  return kept
}
