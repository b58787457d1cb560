import {
  type AuditDetails,
  type RecordedChange,
  settledEntries,
  type WithAuditDetails,
  withChanges,
} from '../call/audit-details.ts'
import { type Call, requirePermission } from '../call/call.ts'
import { type Parsed, unwrapParsed } from '../call/parsed.ts'
import { operationRefused } from '../errors.ts'
import type { Slice } from '../paging.ts'
import { say } from '../sentences/say.ts'
import { type GroupOutline, groupLimits } from './group.ts'
import { requireGroup } from './group-operations.ts'
import { type LeftOut, leavingOut, type Member, type MemberType } from './membership.ts'
import { canViewMembers, canViewUser, holds, mayAddMembers, mayUpdateGroup } from './permissions.ts'
import { mayBelongToMore } from './quotas.ts'
import type { DirectoryReaders, DirectoryStores, ItemsOfUsers } from './store.ts'
import type { User } from './user.ts'

export async function listGroupUsers(
  stores: DirectoryReaders,
  call: Call,
  input: { groupId: string },
): Promise<Slice<Member>> {
  const { caller, group, memberType } = await requireGroup(stores, call, input.groupId)
  requirePermission(canViewMembers(caller, group, memberType))
  return stores.directory.listMembers(group.groupId, groupLimits.listedMembers)
}

interface NamedMembers {
  readonly users: readonly string[]
  readonly admins: readonly string[]
}

/**
 * Adds users of the organization; returns the names that were not added, and whether any of them belongs to as many groups
 * as is allowed. Existing members keep their member type.
 */
export async function addGroupUsers(
  stores: DirectoryStores,
  call: Call,
  input: { groupId: string; names: Parsed<NamedMembers> },
): Promise<WithAuditDetails & { readonly notAdded: readonly LeftOut[]; readonly isAnyFull: boolean }> {
  const { caller, group, memberType } = await requireGroup(stores, call, input.groupId)
  requirePermission(mayAddMembers(caller, group, memberType))
  const { users, admins } = unwrapParsed(input.names)
  if (admins.length > 0) requirePermission(mayUpdateGroup(caller, group, memberType))
  const assigns = holds(caller, group.portalId, 'portal:admin:assignToGroups')
  const isWithinReach = (user: User) => canViewUser(caller, user) || (assigns && user.portalId === group.portalId)
  const notAdded: LeftOut[] = []
  let isAnyFull = false
  /** The reason why the user is not added; undefined if that is done. */
  const tryToAdd = async (username: string, memberType: MemberType): Promise<string | undefined> => {
    const user = await stores.directory.findUser(username)
    if (!user || !isWithinReach(user)) return leavingOut.notFound
    if (user.portalId !== group.portalId) return leavingOut.isElsewhere
    if (user.disabled) return leavingOut.disabled
    if (await stores.directory.findMember(group.groupId, user.userId)) return leavingOut.isMember
    if (!(await mayBelongToMore(stores, call, user.userId, assigns ? 'self' : 'others'))) {
      isAnyFull = true
      return leavingOut.inManyGroups
    }
    await stores.directory.putMember(group.groupId, { userId: user.userId, memberType, joinedAt: call.now })
    return undefined
  }
  const add = async (username: string, memberType: MemberType): Promise<void> => {
    const reason = await tryToAdd(username, memberType)
    if (reason !== undefined) notAdded.push({ username, reason })
    outcomes.push({ username, isDone: reason === undefined })
  }
  const outcomes: MemberOutcome[] = []
  for (const username of admins) await add(username, 'admin')
  for (const username of users) await add(username, 'member')
  return { notAdded, isAnyFull, audit: await auditOfMembers(stores, group, outcomes) }
}

/** Outcome for one user of several. */
export interface MemberOutcome {
  readonly username: string
  readonly isDone: boolean
}

/** Entries that name the users whom it was done to, and those who were refused, where the organization of the group has them. */
export async function auditOfMembers(
  { directory }: DirectoryReaders,
  { portalId }: GroupOutline,
  outcomes: readonly MemberOutcome[],
): Promise<readonly AuditDetails[]> {
  const named: { target: string | undefined; code: number | undefined }[] = []
  for (const { username, isDone } of outcomes) {
    const user = await directory.findUser(username)
    const isNamed = isDone || user?.portalId === portalId
    named.push({ target: isNamed ? user?.username : undefined, code: isDone ? undefined : 400 })
  }
  return settledEntries(named, (users) => ({ data: { users } }))
}

/** Removes members; the owner cannot be removed, only reassigned (documented). */
export async function removeGroupUsers(
  stores: StoresOfMembers,
  call: Call,
  input: { groupId: string; names: Parsed<{ readonly users: readonly string[] }> },
): Promise<WithAuditDetails & { readonly notRemoved: readonly string[] }> {
  const { caller, group, memberType } = await requireGroup(stores, call, input.groupId)
  requirePermission(mayUpdateGroup(caller, group, memberType))
  const notRemoved: string[] = []
  const changes: RecordedChange[] = []
  const outcomes: MemberOutcome[] = []
  for (const username of unwrapParsed(input.names).users) {
    const member = await findMember(stores, group.groupId, username)
    const isDone = member !== undefined && member.memberType !== 'owner'
    if (isDone) changes.push(...(await endMembership(stores, group.groupId, member.userId)))
    else notRemoved.push(username)
    outcomes.push({ username, isDone })
  }
  return { notRemoved, audit: withChanges(await auditOfMembers(stores, group, outcomes), changes) }
}

/** Gives members another member type: `users` become members, `admins` managers (documented). */
export async function updateGroupUsers(
  stores: DirectoryStores,
  call: Call,
  input: { groupId: string; names: Parsed<NamedMembers> },
): Promise<
  WithAuditDetails & { readonly results: readonly { readonly username: string; readonly success: boolean }[] }
> {
  const { caller, group, memberType } = await requireGroup(stores, call, input.groupId)
  requirePermission(mayUpdateGroup(caller, group, memberType))
  const { users, admins } = unwrapParsed(input.names)
  const results: { username: string; success: boolean }[] = []
  const change = async (username: string, type: MemberType): Promise<void> => {
    const member = await findMember(stores, group.groupId, username)
    const success = member !== undefined && member.memberType !== 'owner'
    if (success) await stores.directory.putMember(group.groupId, { ...member, memberType: type })
    results.push({ username, success })
  }
  for (const username of users) await change(username, 'member')
  for (const username of admins) await change(username, 'admin')
  const outcomes = results.map(({ username, success }) => ({ username, isDone: success }))
  return { results, audit: await auditOfMembers(stores, group, outcomes) }
}

async function findMember(
  { directory }: DirectoryReaders,
  groupId: string,
  username: string,
): Promise<Member | undefined> {
  const user = await directory.findUser(username)
  return user && directory.findMember(groupId, user.userId)
}

/** The owner cannot leave, only reassign (documented). */
export async function leaveGroup(
  stores: StoresOfMembers,
  call: Call,
  input: { groupId: string },
): Promise<WithAuditDetails> {
  const { caller, group, memberType } = await requireGroup(stores, call, input.groupId)
  if (!memberType) throw operationRefused(say('notInGroup', { group: group.title }))
  if (memberType === 'owner') throw operationRefused(say('ownerStays'))
  if (group.isLeavingDisallowed) throw operationRefused(say('cannotLeave', { group: group.title }))
  return { audit: { changes: await endMembership(stores, group.groupId, caller.userId) } }
}

type StoresOfMembers = DirectoryStores & { readonly items: ItemsOfUsers }

/** The items of a former member are not shared with the group any more, those of others stay (chosen). Answers what changed of items. */
async function endMembership({ directory, items }: StoresOfMembers, groupId: string, userId: string) {
  await directory.removeMember(groupId, userId)
  return items.removeItemLinksOf(userId, groupId)
}
