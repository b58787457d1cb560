import { type Call, requireCaller, requirePermission } from '../../call/call.ts'
import type { RecordedChange } from '../../call/recorded-change.ts'
import { requireGroup } from '../../directory/group-operations.ts'
import { mayManageCategories } from '../../directory/permissions.ts'
import { requirePrivilege } from '../../directory/required-privilege.ts'
import { itemNotFound, operationRefused } from '../../errors.ts'
import { requirePaths } from '../categories/category-paths.ts'
import { readKnownPaths } from '../categories/known-paths.ts'
import { requireCategoryFor } from '../completeness/requirement.ts'
import {
  changeOf,
  groupChangeOf,
  type ItemChange,
  isUnkept,
  mergeRecorded,
  recordChange,
  undoneList,
} from '../history/item-change.ts'
import { linksChanged } from '../history/links.ts'
import type { ItemHistoryStore, StoredChange } from '../history/store.ts'
import type { Item } from '../item.ts'
import { requireVisibleItem } from '../item-access.ts'
import { updateItem } from '../item-operations.ts'
import { mayCategorizeItem } from '../item-permissions.ts'
import { give, type StoresOfOwners } from '../owner-operations.ts'
import { mayUnshare, share, unshare } from '../sharing/sharing-operations.ts'
import type { ItemOfMember } from '../store.ts'

export type StoresOfHistory = StoresOfOwners &
  Parameters<typeof updateItem>[0] & { readonly itemHistory: ItemHistoryStore }

/**
 * Undoes a change of one item, as the caller may make it today; answers the change that this is. Refused if what changed has
 * changed again since. Everything is decided before the first write.
 */
export async function revertChange(
  stores: StoresOfHistory,
  call: Call,
  stored: StoredChange,
): Promise<readonly RecordedChange[]> {
  const { change, revertedAt } = stored
  if (revertedAt !== undefined) throw operationRefused('This change has been undone already.')
  if (isUnkept(change)) throw operationRefused('This change is too long for the log to keep; it cannot be undone.')
  const found = await requireVisibleItem(stores, call, stored.itemId)
  const changes = await revertFound(stores, call, found, change)
  await stores.itemHistory.putReverted(stored, call.now)
  return changes
}

function revertFound(
  stores: StoresOfHistory,
  call: Call,
  found: ItemOfMember,
  change: ItemChange,
): Promise<readonly RecordedChange[]> {
  if (change.owner) return revertOwner(stores, call, found.item, change, change.owner)
  if (change.level || change.groups) return revertSharing(stores, call, found, change)
  if (change.tags) return revertTags(stores, call, found.item, change)
  if (change.categories) return revertCategories(stores, call, found, change.categories)
  return revertGroupCategories(stores, call, found.item, change)
}

function changedSince(noun: string) {
  return operationRefused(`Its ${noun} changed since.`)
}

/** Links that ended with the change are made again where the former owner is still a member of the group. */
async function revertOwner(
  stores: StoresOfHistory,
  call: Call,
  item: Item,
  change: ItemChange,
  { from, to }: NonNullable<ItemChange['owner']>,
): Promise<readonly RecordedChange[]> {
  requirePrivilege(requireCaller(call), item.portalId, 'portal:admin:reassignItems')
  if (item.ownerId !== to) throw changedSince('owner has')
  const former = await stores.directory.findUserById(from)
  if (!former || former.portalId !== item.portalId || former.disabled) {
    throw operationRefused('Its former owner is no enabled user of the organization any more.')
  }
  const ofFormer: string[] = []
  for (const groupId of change.groups?.removed ?? []) {
    if (await stores.directory.findMember(groupId, from)) ofFormer.push(groupId)
  }
  if (ofFormer.length > 0 && item.level === 'private') await requireCategoryFor(stores, item, 'shared')
  const changes = await give(stores, call, item, former)
  const present = (await stores.items.listItemLinks(item.itemId)).map(({ groupId }) => groupId)
  const again: string[] = []
  for (const groupId of ofFormer) {
    if (present.includes(groupId) || (await stores.items.isEnding(groupId, from))) continue
    await stores.items.putItemLink(item.itemId, { groupId, givesControl: false })
    again.push(groupId)
  }
  await putEndedCategories(stores, item, change, again)
  return mergeRecorded([...changes, ...recordChange(item, linksChanged(again, []))])
}

async function revertSharing(
  stores: StoresOfHistory,
  call: Call,
  found: ItemOfMember,
  change: ItemChange,
): Promise<readonly RecordedChange[]> {
  const { item } = found
  const caller = requireCaller(call)
  const { level, groups: { added, removed } = { added: [], removed: [] } } = change
  const present = (await stores.items.listItemLinks(item.itemId)).map(({ groupId }) => groupId)
  const isAsThen =
    (!level || item.level === level.to) &&
    added.every((groupId) => present.includes(groupId)) &&
    !removed.some((groupId) => present.includes(groupId))
  if (!isAsThen) throw changedSince('sharing has')
  requirePermission(await mayUnshare(stores, caller, item, added))
  const changes: RecordedChange[] = []
  if (level || removed.length > 0) {
    const flags = level ? { everyone: level.from === 'public', org: level.from === 'org' } : undefined
    const wish = {
      everyone: flags?.everyone,
      org: flags?.org,
      account: undefined,
      groups: removed,
      confirmItemControl: true,
    }
    const form = { leavesGroups: false, lowers: true, isWhole: true }
    changes.push(...((await share(stores, call, found, { value: wish }, form)).changes ?? []))
  }
  if (added.length > 0) changes.push(...((await unshare(stores, caller, found, { value: added })).changes ?? []))
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

/** Tags, and the categories that changed with them. */
async function revertTags(
  stores: StoresOfHistory,
  call: Call,
  item: Item,
  { tags, categories }: ItemChange,
): Promise<readonly RecordedChange[]> {
  const formerTags = tags && undoneList(item.tags, tags)
  const formerCategories = categories && undoneList(item.categories, categories)
  if (!formerTags) throw changedSince('tags have')
  if (categories && !formerCategories) throw changedSince('categories have')
  const given = { properties: { tags: formerTags }, text: undefined, categories: formerCategories }
  await updateItem(stores, call, { username: item.ownerUsername, itemId: item.itemId, given: { value: given } })
  return recordChange(item, {
    ...changeOf('tags', item.tags, formerTags),
    ...changeOf('categories', item.categories, formerCategories ?? item.categories),
  })
}

async function revertCategories(
  stores: StoresOfHistory,
  call: Call,
  found: ItemOfMember,
  change: NonNullable<ItemChange['categories']>,
): Promise<readonly RecordedChange[]> {
  const { item } = found
  requirePermission(mayCategorizeItem(requireCaller(call), found))
  const former = undoneList(item.categories, change)
  if (!former) throw changedSince('categories have')
  const paths = requirePaths(
    former,
    await readKnownPaths(stores, { kind: 'portal', portalId: item.portalId }),
    item.categories,
  )
  await stores.items.putCategories([{ itemId: item.itemId, paths }], call.now)
  return recordChange(item, changeOf('categories', item.categories, paths))
}

async function revertGroupCategories(
  stores: StoresOfHistory,
  call: Call,
  item: Item,
  { groupCategories = [] }: ItemChange,
): Promise<readonly RecordedChange[]> {
  const changes: RecordedChange[] = []
  for (const change of groupCategories) {
    const { groupId } = change
    const { memberType } = await requireGroup(stores, call, groupId)
    requirePermission(mayManageCategories(memberType))
    const present = (await stores.items.listGroupCategories(groupId, [item.itemId])).get(item.itemId)
    if (!present) throw itemNotFound()
    const former = undoneList(present, change)
    if (!former) throw changedSince('categories have')
    const paths = requirePaths(former, await readKnownPaths(stores, { kind: 'group', groupId }), present)
    await stores.items.putGroupCategories(groupId, [{ itemId: item.itemId, paths }])
    changes.push(...recordChange(item, groupChangeOf(groupId, present, paths)))
  }
  return mergeRecorded(changes)
}
