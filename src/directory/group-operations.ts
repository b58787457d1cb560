import type { WithAuditDetails } from '../call/audit-details.ts'
import { type Call, requireCaller, requirePermission } from '../call/call.ts'
import type { Caller } from '../call/caller.ts'
import { type Parsed, unwrapParsed } from '../call/parsed.ts'
import { groupNotFound, operationRefused } from '../errors.ts'
import { say } from '../sentences/say.ts'
import { type Group, type GroupOutline, type GroupProperties, groupDefaults } from './group.ts'
import {
  canViewGroup,
  findPrivilegeToGive,
  holds,
  mayDeleteGroup,
  mayReassignGroup,
  mayUpdateGroup,
} from './permissions.ts'
import { requirePrivilege } from './portal-operations.ts'
import { requireMayBelongToMore, requireMayOwnMore } from './quotas.ts'
import type { Belonging, DirectoryReaders, DirectoryStores, ItemsOfGroups } from './store.ts'
import { listPrivilegesOf } from './users/governing.ts'

/** The whole group with the caller's membership. */
export interface GroupView extends Belonging {
  readonly group: Group
}

/** The group if the caller sees it; otherwise 499 for an anonymous caller, COM_0003 for any other. */
export async function requireVisibleGroup(
  { directory }: DirectoryReaders,
  call: Call,
  groupId: string,
): Promise<Belonging> {
  return requireSeen(call, await directory.findGroupFor(groupId, call.caller?.userId))
}

/** Returns what was found of a group, if the caller sees it; otherwise throws the same errors. */
export function requireSeen<Found extends Belonging>(call: Call, found: Found | undefined): Found {
  if (found && canViewGroup(call.caller, found.group, found.memberType)) return found
  requireCaller(call)
  throw groupNotFound()
}

/** The group to be changed: an anonymous caller gets 499 even if the group is public. */
export async function requireGroup(
  stores: DirectoryReaders,
  call: Call,
  groupId: string,
): Promise<Belonging & { readonly caller: Caller }> {
  const caller = requireCaller(call)
  return { caller, ...(await requireVisibleGroup(stores, call, groupId)) }
}

/** Requires a group as `requireGroup` does, and returns it whole. */
async function requireWholeGroup(stores: DirectoryReaders, call: Call, groupId: string) {
  const belonging = await requireGroup(stores, call, groupId)
  const group = await stores.directory.findGroup(groupId)
  if (!group) throw groupNotFound()
  return { ...belonging, group }
}

export async function readGroup(
  stores: DirectoryReaders,
  call: Call,
  input: { groupId: string },
): Promise<GroupView & { readonly username: string | undefined }> {
  return { ...(await viewGroup(stores, call, input.groupId)), username: call.caller?.username }
}

async function viewGroup(stores: DirectoryReaders, call: Call, groupId: string): Promise<GroupView> {
  const { memberType } = await requireVisibleGroup(stores, call, groupId)
  const group = await stores.directory.findGroup(groupId)
  if (!group) throw groupNotFound()
  return { group, memberType }
}

export async function createGroup(
  stores: DirectoryStores,
  call: Call,
  input: { groupId: string; properties: Parsed<Partial<GroupProperties> & { readonly title: string }> },
): Promise<GroupView & WithAuditDetails> {
  const caller = requireCaller(call)
  requirePrivilege(caller, caller.portalId, 'portal:user:createGroup')
  const properties: GroupProperties = { ...groupDefaults, ...unwrapParsed(input.properties) }
  requireMayGive(caller, groupDefaults, properties)
  requireConsistent(properties)
  await requireMayOwnMore(stores, call, caller)
  await requireMayBelongToMore(stores, call, caller)
  const { groupId } = input
  await stores.directory.addGroup({
    ...properties,
    groupId,
    portalId: caller.portalId,
    ownerId: caller.userId,
    isProtected: false,
    createdAt: call.now,
    modifiedAt: call.now,
  })
  await stores.directory.putMember(groupId, { userId: caller.userId, memberType: 'owner', joinedAt: call.now })
  return { ...(await viewGroup(stores, call, groupId)), audit: { target: `/community/groups/${groupId}` } }
}

function requireMayGive(...given: Parameters<typeof findPrivilegeToGive>): void {
  const missing = findPrivilegeToGive(...given)
  requirePermission(missing === undefined, missing)
}

/** Who came from another organization could not leave it again: clients offer one or the other (observed). */
function requireConsistent({ isLeavingDisallowed, membershipAccess }: GroupProperties): void {
  if (!isLeavingDisallowed || membershipAccess === 'org') return
  throw operationRefused(`leavingDisallowed: ${say('cannotBeLeftByAccess')}`)
}

/** Changes only the given properties. */
export async function updateGroup(
  stores: DirectoryStores & { readonly items: ItemsOfGroups },
  call: Call,
  input: { groupId: string; change: Parsed<Partial<GroupProperties>> },
): Promise<WithAuditDetails> {
  const { caller, group, memberType } = await requireWholeGroup(stores, call, input.groupId)
  requirePermission(mayUpdateGroup(caller, group, memberType))
  const change = unwrapParsed(input.change)
  requireMayGive(caller, group, change)
  requireConsistent({ ...group, ...change })
  if (opens(group, change)) await requireNoForeignItem(stores, group.groupId)
  await stores.directory.updateGroup({ ...group, ...change, modifiedAt: call.now })
  return ofOwner(group)
}

/** For the audit: who owns the group. */
function ofOwner({ ownerId }: GroupOutline): WithAuditDetails {
  return { audit: { ownerId } }
}

/** Whether users of other organizations may join from now on. */
function opens(group: Group, { membershipAccess = group.membershipAccess }: Partial<GroupProperties>): boolean {
  return group.membershipAccess === 'org' && membershipAccess !== 'org'
}

/** Items of the organization leave it only by their owner: a manager may have shared one while only members could join (chosen). */
async function requireNoForeignItem({ items }: { readonly items: ItemsOfGroups }, groupId: string): Promise<void> {
  const found = await items.findForeignItem(groupId, itemsLookedAt)
  if (found === undefined) return
  throw operationRefused(
    found === 'too many'
      ? `membershipAccess: the group has more than ${itemsLookedAt.toLocaleString('en')} items, too many to look for those of owners who are no members; unshare some first.`
      : `membershipAccess: ${say('foreignItems', { itemId: found.itemId })}`,
  )
}

/** Looking at as many takes a few tenths of a second, in which SQLite writes nothing else (chosen). */
const itemsLookedAt = 100_000

export async function deleteGroup(
  stores: DirectoryStores,
  call: Call,
  input: { groupId: string },
): Promise<WithAuditDetails> {
  const { caller, group, memberType } = await requireGroup(stores, call, input.groupId)
  requirePermission(mayDeleteGroup(caller, group, memberType))
  if (group.isProtected) throw operationRefused(say('groupProtected', { group: group.title }))
  const changes = await stores.directory.removeGroup(group.groupId, call.now)
  return { audit: { ownerId: group.ownerId, changes } }
}

export async function protectGroup(stores: DirectoryStores, call: Call, input: { groupId: string }): Promise<void> {
  await putProtection(stores, call, input.groupId, true)
}

export async function unprotectGroup(stores: DirectoryStores, call: Call, input: { groupId: string }): Promise<void> {
  await putProtection(stores, call, input.groupId, false)
}

/** A protected group cannot be deleted; permission to delete is permission to protect (documented). */
async function putProtection(
  stores: DirectoryStores,
  call: Call,
  groupId: string,
  isProtected: boolean,
): Promise<void> {
  const { caller, group, memberType } = await requireWholeGroup(stores, call, groupId)
  requirePermission(mayDeleteGroup(caller, group, memberType))
  await stores.directory.updateGroup({ ...group, isProtected, modifiedAt: call.now })
}

/**
 * Gives the group another owner of the same organization; the former owner becomes a manager (documented). An owner gives
 * it to a member of the group whose role may own groups, so that no user is given a group without belonging to it;
 * administrators to any user (chosen).
 */
export async function reassignGroup(
  stores: DirectoryStores,
  call: Call,
  input: { groupId: string; target: Parsed<{ readonly targetUsername: string }> },
): Promise<void> {
  const { caller, group, memberType } = await requireWholeGroup(stores, call, input.groupId)
  requirePermission(mayReassignGroup(caller, group, memberType))
  const { targetUsername } = unwrapParsed(input.target)
  const { directory } = stores
  const target = await directory.findUser(targetUsername)
  const member = target && (await directory.findMember(group.groupId, target.userId))
  const mayAdd = holds(caller, group.portalId, 'portal:admin:reassignGroups')
  if (!target || target.portalId !== group.portalId || target.disabled || !(member || mayAdd)) {
    const candidate = mayAdd ? 'an enabled user of the organization' : 'an enabled member of the group'
    throw operationRefused(`targetUsername: ${targetUsername} is not ${candidate}.`)
  }
  if (target.userId === group.ownerId) return
  if (!mayAdd && !(await listPrivilegesOf(stores, target)).includes('portal:user:createGroup')) {
    throw operationRefused(`targetUsername: ${say('mayNotOwnGroups', { username: targetUsername })}`)
  }
  await requireMayOwnMore(stores, call, target, mayAdd ? 'self' : 'others')
  if (!member) await requireMayBelongToMore(stores, call, target)
  await directory.updateGroup({ ...group, ownerId: target.userId, modifiedAt: call.now })
  await directory.putMember(group.groupId, { userId: group.ownerId, memberType: 'admin', joinedAt: group.createdAt })
  await directory.putMember(group.groupId, { userId: target.userId, memberType: 'owner', joinedAt: call.now })
}
