import { type AuditDetails, settledEntries, type WithAuditDetails, withChanges } from '../call/audit-details.ts'
import { type Call, requireCaller, requirePermission } from '../call/call.ts'
import type { Caller } from '../call/caller.ts'
import { type Parsed, unwrapParsed } from '../call/parsed.ts'
import type { GroupOutline } from '../directory/group.ts'
import { isOwnerOrManager, type MemberType } from '../directory/membership.ts'
import { canViewGroup } from '../directory/permissions.ts'
import type { DirectoryReaders } from '../directory/store.ts'
import type { User } from '../directory/user.ts'
import { requireUser } from '../directory/users/named-user.ts'
import { groupNotFound, itemNotFound, operationRefused } from '../errors.ts'
import { say } from '../sentences/say.ts'
import { attempt, changesOf, type ItemOutcome, type SettledItems, settle, type WithItemChanges } from './attempt.ts'
import { requireCategoryFor } from './categories/policy.ts'
import type { Item, ItemLevel } from './item.ts'
import { type NamedItem, requireItem, requireUserItem, requireVisibleItem } from './item-access.ts'
import { linksChanged, readLinks, recordChange } from './item-change.ts'
import {
  findSharingProblem,
  governsSharing,
  isLower,
  type LevelFlags,
  levelOf,
  mayPutLevel,
  mayShareWith,
  raised,
} from './sharing.ts'
import type { ItemOfMember, ItemReaders, ItemStores } from './store.ts'

/** Sharing that a client asks for. */
export interface SharingWish extends LevelFlags {
  /** Ids; undefined if the parameter is absent, empty if it is blank. */
  readonly groups: readonly string[] | undefined
  readonly confirmItemControl: boolean | undefined
}

/** Result for an item, and the groups that it was not shared with or not removed from, with the reason for each. */
export interface Sharing extends WithAuditDetails, WithItemChanges {
  readonly itemId: string
  /** Groups that the item was shared with or taken from. */
  readonly groupIds: readonly string[]
  readonly refusals: readonly GroupRefusal[]
}

export interface GroupRefusal {
  readonly groupId: string
  /** Whether there is such a group, and the caller sees it. */
  readonly isKnown: boolean
  readonly reason: string
}

type Shares = Parsed<SharingWish>

/** Sets the level and adds groups; blank groups with no level leave them all (documented). */
export async function shareUserItem(
  stores: ItemStores,
  call: Call,
  input: NamedItem & { readonly wish: Shares },
): Promise<Sharing> {
  const { found } = await requireUserItem(stores, call, input)
  return applySharing(stores, call, found, input.wish, { leavesGroups: true, lowers: true })
}

/** Shares one item, also by managers of groups; false flags change nothing, as a client sends them with every group (observed). */
export async function shareItem(
  stores: ItemStores,
  call: Call,
  input: { readonly itemId: string; readonly wish: Shares },
): Promise<Sharing> {
  const { found } = await requireItem(stores, call, input.itemId)
  return applySharing(stores, call, found, input.wish, { leavesGroups: false, lowers: false })
}

/** Shares several items of a user; blank groups change no group (observed). */
export async function shareItems(
  stores: ItemStores,
  call: Call,
  input: { readonly username: string; readonly items: Parsed<readonly string[]>; readonly wish: Shares },
): Promise<SettledItems<Sharing>> {
  const { caller, user } = await requireUser(stores, call, input.username)
  const wish = unwrapParsed(input.wish)
  return attemptShared(stores, call, { caller, user, itemIds: unwrapParsed(input.items) }, (found) =>
    applySharing(stores, call, found, { value: wish }, { leavesGroups: false, lowers: true }),
  )
}

interface SharedItems {
  readonly caller: Caller
  /** User in whose path it is called. */
  readonly user: User
  readonly itemIds: readonly string[]
}

/**
 * Items of the user, one after the other, in order; and those of others that the caller shares as an administrator, as if in the
 * path of their owner (chosen). The log has entries for each owner.
 */
async function attemptShared(
  stores: ItemReaders,
  call: Call,
  { caller, user, itemIds }: SharedItems,
  work: (found: ItemOfMember) => Promise<Sharing>,
): Promise<SettledItems<Sharing>> {
  const owners = new Map<string, string>()
  const outcomes: ItemOutcome<Sharing>[] = []
  for (const itemId of itemIds) {
    const outcome = await attempt(itemId, async () => {
      const found = await requireVisibleItem(stores, call, itemId)
      const { ownerId } = found.item
      if (ownerId !== user.userId && !governsSharing(caller, found.item)) throw itemNotFound()
      owners.set(itemId, ownerId)
      return work(found)
    })
    outcomes.push(outcome)
  }
  const audit: AuditDetails[] = []
  for (const [ownerId, of] of Map.groupBy(outcomes, ({ itemId }) => owners.get(itemId) ?? user.userId)) {
    audit.push(...withGroups(await settle(stores, caller, of, { ownerId, changes: changesOf(of) }), ownerId).audit)
  }
  return { outcomes, audit }
}

interface SharingForm {
  /** Whether blank groups with the lowest level end all links. */
  readonly leavesGroups: boolean
  /** Whether flags may lower the level. */
  readonly lowers: boolean
  /** Whether nothing is done where one of the groups is refused, or the level to who shares only into their groups. */
  readonly isWhole?: boolean
  /** Ids of the groups whose members had control by links that come back. By default, as the group gives it now. */
  readonly control?: readonly string[]
}

/** Shares the item as the wish says, by the rules of `form`; answers what was done. */
export async function applySharing(
  stores: ItemStores,
  call: Call,
  found: ItemOfMember,
  parsed: Shares,
  { leavesGroups, lowers, isWhole = false, control }: SharingForm,
): Promise<Sharing> {
  const caller = requireCaller(call)
  const { item } = found
  const { itemId } = item
  const governs = governsSharing(caller, item)
  const named = 'value' in parsed ? (parsed.value.groups ?? []) : []
  if (!governs) requirePermission(await managesAny(stores, caller, named))
  const wish = unwrapParsed(parsed)
  const flagged = levelOf(wish)
  if (isWhole && flagged !== undefined && flagged !== item.level) requirePermission(governs)
  const level = governs ? findLevel(item, flagged, lowers) : item.level
  if (level !== item.level) requirePermission(mayPutLevel(caller, item, level))
  const ends = leavesGroups && flagged === 'private' && wish.groups?.length === 0
  if (ends) requirePermission(item.ownerId === caller.userId || mayShareWith(caller, item, 'Group'))
  const { added, newIds, refusals } = await sortGroups(stores, call, found, wish, control)
  if (isWhole && refusals[0]) throw operationRefused(refusals[0].reason)
  const access = level === 'private' && added.length > 0 ? 'shared' : level
  if (!isLower(level, item.level)) await requireCategoryFor(stores, item, access)

  const before = isLower(level, item.level) || ends ? await readLinks(stores, itemId) : []
  if (level !== item.level) await stores.items.updateItem({ ...item, level })
  const ended = isLower(level, item.level) ? await endLinksOfOthers(stores, item, level) : []
  const left = ends ? await endLinks(stores, item) : []
  for (const link of added) await stores.items.putItemLink(itemId, link)
  const changesItem = level !== item.level || ends
  const addedIds = added.map(({ groupId }) => groupId)
  const groupIds = [...new Set([...addedIds, ...ended, ...left])]
  const removed = before.filter(({ groupId }) => [...ended, ...left].includes(groupId) && !addedIds.includes(groupId))
  const changes = recordChange(item, {
    ...(level !== item.level && { level: { from: item.level, to: level } }),
    ...linksChanged(newIds, removed),
  })
  const audit = withChanges(auditOf(item, { changesItem, groupIds, refusals }), changes)
  return { itemId, groupIds, refusals, changes, audit }
}

interface DoneToGroups {
  /** Whether something was done that names no group. */
  readonly changesItem: boolean
  readonly groupIds: readonly string[]
  readonly refusals: readonly GroupRefusal[]
}

/** An entry of what was done to an item, and one of the groups that were refused. */
function auditOf({ ownerId }: Item, { changesItem, groupIds, refusals }: DoneToGroups): readonly AuditDetails[] {
  const done = groupIds.map((target) => ({ target, code: undefined }))
  const itself = changesItem ? [{ target: undefined, code: undefined }] : []
  return settledEntries([...itself, ...done, ...refusedGroups(refusals)], (groups) => ({
    ownerId,
    ...(groups.length > 0 && { data: { groups } }),
  }))
}

function refusedGroups(refusals: readonly GroupRefusal[]) {
  return refusals.map(({ groupId, isKnown }) => ({ target: isKnown ? groupId : undefined, code: 400 }))
}

/** The entries of a call for several items, with the groups of those that it was done to, and one of refused groups. */
function withGroups(settled: SettledItems<Sharing>, ownerId: string): SettledItems<Sharing> {
  const shared = settled.outcomes.flatMap((outcome) => (outcome.failure ? [] : outcome))
  const groups = [...new Set(shared.flatMap(({ groupIds }) => groupIds))]
  const audit = settled.audit.map((entry) =>
    entry.outcome === 200 && groups.length > 0 ? { ...entry, data: { ...entry.data, groups } } : entry,
  )
  const withRefusals = shared.filter(({ refusals }) => refusals.some(({ isKnown }) => isKnown))
  if (withRefusals.length === 0) return { ...settled, audit }
  const refused = withRefusals.flatMap(({ refusals }) => refusals.flatMap((one) => (one.isKnown ? one.groupId : [])))
  const targets = [...new Set(withRefusals.map(({ itemId }) => itemId))]
  const entry = { ownerId, outcome: 400, data: { targets, groups: [...new Set(refused)] } }
  return { ...settled, audit: [...audit, entry] }
}

/** Ends all links of an item; answers the ids of the groups. */
async function endLinks({ items }: ItemStores, { itemId }: Item): Promise<readonly string[]> {
  const groupIds = (await items.listItemLinks(itemId)).map(({ groupId }) => groupId)
  for (const groupId of groupIds) await items.removeItemLink(itemId, groupId)
  return groupIds
}

/**
 * Ends the links that the higher level allowed others to make, to groups of which the owner is no member: what an owner
 * takes back stays nowhere that the owner does not see (chosen). Answers the ids of the groups.
 */
async function endLinksOfOthers(stores: ItemStores, item: Item, level: ItemLevel): Promise<readonly string[]> {
  const ended: string[] = []
  for (const { groupId } of await stores.items.listItemLinks(item.itemId)) {
    const found = await stores.directory.findGroupFor(groupId, item.ownerId)
    if (!found || found.memberType !== undefined) continue
    if (level === 'org' && (await isWithinOrganization(stores, item, found.group))) continue
    await stores.items.removeItemLink(item.itemId, groupId)
    ended.push(groupId)
  }
  return ended
}

/** Whether all members that the group has and may have are of the item's organization. */
async function isWithinOrganization(
  { directory }: DirectoryReaders,
  item: Item,
  group: GroupOutline,
): Promise<boolean> {
  if (group.portalId !== item.portalId || group.membershipAccess !== 'org') return false
  // Who joined while the group was open is still a member.
  return !(await directory.hasForeignMember(group.groupId))
}

function findLevel(item: Item, flagged: ItemLevel | undefined, lowers: boolean): ItemLevel {
  return lowers ? (flagged ?? item.level) : raised(item.level, flagged)
}

/** Whether the caller owns or manages one of the groups. */
async function managesAny({ directory }: ItemReaders, caller: Caller, groupIds: readonly string[]): Promise<boolean> {
  for (const groupId of groupIds) {
    const found = await directory.findGroupFor(groupId, caller.userId)
    if (isOwnerOrManager(found?.memberType)) return true
  }
  return false
}

/** A former member has joined again before all links of their items were removed (chosen). */
const isStillEnding = say('sharingBeingRemoved')

/** The links that are to be made, and the groups that the item is not shared with. */
async function sortGroups(
  stores: ItemReaders,
  call: Call,
  found: ItemOfMember,
  wish: SharingWish,
  control: readonly string[] | undefined,
) {
  const caller = requireCaller(call)
  const { groups = [], confirmItemControl: confirms = false } = wish
  const { itemId, ownerId } = found.item
  const isAnywhere = found.item.level !== 'org' || mayShareWith(caller, found.item, 'Group')
  const present = new Map((await stores.items.listItemLinks(itemId)).map((link) => [link.groupId, link]))
  const added: { readonly groupId: string; readonly givesControl: boolean }[] = []
  const refusals: GroupRefusal[] = []
  for (const groupId of groups) {
    const seen = await stores.directory.findGroupFor(groupId, caller.userId)
    if (!seen || !canViewGroup(caller, seen.group, seen.memberType)) {
      refusals.push({ groupId, isKnown: false, reason: groupNotFound().message })
      continue
    }
    const ownerType = await findMemberType(stores, groupId, ownerId)
    const { memberType: callerType } = seen
    const group = control ? withControl(seen.group, control) : seen.group
    const isWithin = isAnywhere || (await isWithinOrganization(stores, found.item, group))
    const problem = findSharingProblem(caller, found, { group, callerType, ownerType, isWithin, confirms })
    const isThere = present.has(groupId)
    if (problem !== undefined) {
      if (!isThere) refusals.push({ groupId, isKnown: true, reason: problem })
      continue
    }
    if (await stores.items.isEnding(groupId, ownerId)) refusals.push({ groupId, isKnown: true, reason: isStillEnding })
    else added.push({ groupId, givesControl: group.givesItemControl })
  }
  const newIds = added.flatMap(({ groupId }) => (present.has(groupId) ? [] : groupId))
  return { added, newIds, refusals }
}

/** The group, which gives control of an item that comes back to it only as far as it did before. */
export function withControl(group: GroupOutline, control: readonly string[]): GroupOutline {
  return { ...group, givesItemControl: group.givesItemControl && control.includes(group.groupId) }
}

async function findMemberType(
  { directory }: ItemReaders,
  groupId: string,
  userId: string,
): Promise<MemberType | undefined> {
  return (await directory.findMember(groupId, userId))?.memberType
}

type Groups = Parsed<readonly string[]>

export async function unshareUserItem(
  stores: ItemStores,
  call: Call,
  input: NamedItem & { readonly groups: Groups },
): Promise<Sharing> {
  const { caller, found } = await requireUserItem(stores, call, input)
  return endSharing(stores, caller, found, input.groups)
}

export async function unshareItem(
  stores: ItemStores,
  call: Call,
  input: { readonly itemId: string; readonly groups: Groups },
): Promise<Sharing> {
  const { caller, found } = await requireItem(stores, call, input.itemId)
  return endSharing(stores, caller, found, input.groups)
}

export async function unshareItems(
  stores: ItemStores,
  call: Call,
  input: { readonly username: string; readonly items: Parsed<readonly string[]>; readonly groups: Groups },
): Promise<SettledItems<Sharing>> {
  const { caller, user } = await requireUser(stores, call, input.username)
  const groups = unwrapParsed(input.groups)
  return attemptShared(stores, call, { caller, user, itemIds: unwrapParsed(input.items) }, (found) =>
    endSharing(stores, caller, found, { value: groups }),
  )
}

/** Whether the caller may end the links of the item to all of the groups. */
export async function mayUnshare(
  stores: ItemReaders,
  caller: Caller,
  item: Item,
  groupIds: readonly string[],
): Promise<boolean> {
  if (item.ownerId === caller.userId || mayShareWith(caller, item, 'Group')) return true
  for (const groupId of groupIds) if (!(await managesAny(stores, caller, [groupId]))) return false
  return true
}

/** Ends links, with the groups' categories; a group that does not have the item is no refusal (chosen). */
export async function endSharing(
  stores: ItemStores,
  caller: Caller,
  found: ItemOfMember,
  parsed: Groups,
): Promise<Sharing> {
  const { item } = found
  const { itemId } = item
  const governs = item.ownerId === caller.userId || mayShareWith(caller, item, 'Group')
  const named = 'value' in parsed ? parsed.value : []
  if (!governs) requirePermission(await managesAny(stores, caller, named))
  const links = new Map((await readLinks(stores, itemId)).map((link) => [link.groupId, link]))
  const refusals: GroupRefusal[] = []
  const groupIds: string[] = []
  for (const groupId of unwrapParsed(parsed)) {
    if (!links.has(groupId)) continue
    if (governs || (await managesAny(stores, caller, [groupId]))) {
      await stores.items.removeItemLink(itemId, groupId)
      groupIds.push(groupId)
    } else refusals.push({ groupId, isKnown: true, reason: say('doesNotManage') })
  }
  const removed = groupIds.map((groupId) => links.get(groupId)!)
  const changes = recordChange(item, linksChanged([], removed))
  const audit = withChanges(auditOf(item, { changesItem: false, groupIds, refusals }), changes)
  return { itemId, groupIds, refusals, changes, audit }
}
