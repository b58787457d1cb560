import type { WithAuditDetails } from '../../call/audit-details.ts'
import { type Call, requirePermission } from '../../call/call.ts'
import type { Caller } from '../../call/caller.ts'
import { type Parsed, unwrapParsed } from '../../call/parsed.ts'
import { limitReached, operationRefused, resourceNotFound } from '../../errors.ts'
import { say } from '../../sentences/say.ts'
import type { Group, GroupOutline } from '../group.ts'
import { requireGroup } from '../group-operations.ts'
import { auditOfMembers, type MemberOutcome } from '../member-operations.ts'
import { type LeftOut, leavingOut } from '../membership.ts'
import { canViewUser, holds, mayAddMembers, mayUpdateGroup } from '../permissions.ts'
import { mayBelongToMore } from '../quotas.ts'
import type { DirectoryReaders, DirectoryStores } from '../store.ts'
import type { User } from '../user.ts'
import { findNamedUser, requireUser } from '../users/named-user.ts'
import { enterGroup, hasApplied, isInvitationValid, notify, requireMayJoin, takesUsersOf } from './admission.ts'
import type { InvitedType, SentInvitation } from './request.ts'

/** Who is invited, by a username, and the ids that the invitation takes. */
interface Invitee {
  readonly username: string
  readonly invitationId: string
  readonly notificationId: string
}

/** Invitations that one call asks for. */
export interface InvitationWish {
  readonly invitees: readonly Invitee[]
  readonly memberType: InvitedType
  readonly minutes: number
}

/**
 * Invites users; returns the names that were not invited. Who belongs to the group already stays as they are, and who has
 * asked to join enters immediately, since both sides agree (chosen). A further invitation takes the place of an open one.
 */
export async function inviteToGroup(
  stores: DirectoryStores,
  call: Call,
  input: { groupId: string; wish: Parsed<InvitationWish> },
): Promise<WithAuditDetails & { readonly notInvited: readonly LeftOut[] }> {
  const { caller, group, memberType } = await requireGroup(stores, call, input.groupId)
  requirePermission(mayAddMembers(caller, group, memberType))
  const wish = unwrapParsed(input.wish)
  if (wish.memberType === 'admin') requirePermission(mayUpdateGroup(caller, group, memberType))
  const notInvited: LeftOut[] = []
  const outcomes: MemberOutcome[] = []
  for (const invitee of wish.invitees) {
    const { username } = invitee
    const user = await findNamedUser(stores, username)
    const reason = user ? await findHindrance(stores, caller, group, user) : leavingOut.notFound
    const isDone = reason === undefined && (await invite(stores, call, { group, user: user!, invitee, wish }))
    if (!isDone) notInvited.push({ username, reason: reason ?? leavingOut.isInvitedOften })
    outcomes.push({ username: user?.username ?? username, isDone })
  }
  return { notInvited, audit: await auditOfMembers(stores, group, outcomes) }
}

/** Why the user cannot be invited, whatever the limits. */
async function findHindrance(
  stores: DirectoryReaders,
  caller: Caller,
  group: GroupOutline,
  user: User,
): Promise<string | undefined> {
  const isSeen = holds(caller, user.portalId, 'portal:admin:assignToGroups') || canViewUser(caller, user)
  if (!isSeen) return leavingOut.notFound
  if (user.disabled) return leavingOut.disabled
  const isOurs = user.portalId === group.portalId
  if (!isOurs && !caller.privileges.has('portal:user:addExternalMembersToGroup')) {
    return leavingOut.mayNotComeIn
  }
  const isTaken = await takesUsersOf(stores, group, user.portalId)
  return isTaken ? undefined : leavingOut.isNotTaken
}

/** Whether the user is invited or has entered; false where a limit of the user is reached. */
async function invite(
  stores: DirectoryStores,
  call: Call,
  to: { readonly group: GroupOutline; readonly user: User; readonly invitee: Invitee; readonly wish: InvitationWish },
): Promise<boolean> {
  const { group, user, invitee, wish } = to
  const { directory } = stores
  const { memberType } = wish
  if (await directory.findMember(group.groupId, user.userId)) return true
  const { notificationId } = invitee
  if (await hasApplied(stores, call, group, user.userId)) {
    if (!(await mayBelongToMore(stores, call, user.userId, 'self'))) return false
    await enterGroup(stores, call, { group, user, memberType })
    await notify(stores, call, { notificationId, userId: user.userId, type: 'group_application_accepted', group })
    return true
  }
  const inviterId = call.caller?.userId ?? ''
  const of = { userId: user.userId, inviterId, groupId: group.groupId }
  const open = await directory.findGroupInvitationOf(group.groupId, user.userId)
  const isOpen = open !== undefined && open.expiresAt > call.now
  if (!isOpen && !(await mayBeInvited(stores, call, of))) return false
  const { invitationId } = invitee
  const expiresAt = call.now + wish.minutes * 60_000
  await directory.putGroupInvitation({ invitationId, ...of, memberType, createdAt: call.now, expiresAt })
  if (!isOpen) await notify(stores, call, { notificationId, userId: user.userId, type: 'user_invite', group })
  return true
}

/** One inviter may use up half of what a user may have open, so that others can invite as well (chosen). */
async function mayBeInvited(
  { directory }: DirectoryReaders,
  { limits, now }: Call,
  of: { readonly userId: string; readonly inviterId: string; readonly groupId: string },
): Promise<boolean> {
  const { ofUser, ofInviter, toGroup } = await directory.countGroupInvitations(of, now)
  if (toGroup >= limits.invitationsToGroup) {
    throw limitReached('invitationsToGroup', say('invitationsToGroup', { count: toGroup }))
  }
  const { invitationsOfUser: max } = limits
  return ofUser < max && ofInviter < Math.max(1, Math.floor(max / 2))
}

export async function listGroupInvitations(
  stores: DirectoryReaders,
  call: Call,
  input: { username: string },
): Promise<{ readonly user: User; readonly invitations: readonly SentInvitation[] }> {
  const user = await requireOneself(stores, call, input.username)
  const { invitationsOfUser: max } = call.limits
  return { user, invitations: await stores.directory.listGroupInvitations(user.userId, call.now, max) }
}

/** An invitation with its user, who may not see the group otherwise. */
interface InvitationOf {
  readonly user: User
  readonly invitation: SentInvitation
}

export async function readGroupInvitation(
  stores: DirectoryReaders,
  call: Call,
  input: { username: string; invitationId: string },
): Promise<InvitationOf & { readonly group: Group }> {
  const found = await requireInvitation(stores, call, input)
  const group = await stores.directory.findGroup(found.invitation.groupId)
  if (!group) throw resourceNotFound()
  return { ...found, group }
}

/** The caller, who is the user of the path: invitations and notifications are visible only to the user that they were sent to (documented). */
export async function requireOneself(stores: DirectoryReaders, call: Call, username: string): Promise<User> {
  const { caller, user } = await requireUser(stores, call, username)
  requirePermission(caller.userId === user.userId)
  return user
}

async function requireInvitation(
  stores: DirectoryReaders,
  call: Call,
  input: { username: string; invitationId: string },
): Promise<InvitationOf> {
  const user = await requireOneself(stores, call, input.username)
  const invitation = await stores.directory.findGroupInvitation(input.invitationId)
  if (invitation?.userId !== user.userId || invitation.expiresAt <= call.now) throw resourceNotFound()
  return { user, invitation }
}

interface Answered {
  readonly username: string
  readonly groupId: string
}

/** The user becomes a member; the invitation is deleted (documented). */
export async function acceptGroupInvitation(
  stores: DirectoryStores,
  call: Call,
  input: { username: string; invitationId: string; notificationId: string },
): Promise<Answered> {
  const { user, invitation } = await requireInvitation(stores, call, input)
  const { caller, group } = await requireInvitedGroup(stores, call, invitation)
  requireMayJoin(caller, group)
  if (!(await takesUsersOf(stores, group, user.portalId))) {
    throw operationRefused(say('takesNoUsers', { group: group.title }))
  }
  if (!(await isInvitationValid(stores, group, invitation))) {
    throw operationRefused(say('mayNotInvite', { username: invitation.inviterUsername, group: group.title }))
  }
  await enterGroup(stores, call, { group, user, memberType: invitation.memberType })
  const { notificationId } = input
  await notify(stores, call, { notificationId, userId: user.userId, type: 'user_invitation_accepted', group })
  return { username: user.username, groupId: group.groupId }
}

/** The invitation is deleted (documented). A request to join stays open. */
export async function declineGroupInvitation(
  stores: DirectoryStores,
  call: Call,
  input: { username: string; invitationId: string; notificationId: string },
): Promise<Answered> {
  const { user, invitation } = await requireInvitation(stores, call, input)
  const { group } = await requireInvitedGroup(stores, call, invitation)
  await stores.directory.removeGroupInvitation(invitation.invitationId)
  const { notificationId } = input
  await notify(stores, call, { notificationId, userId: user.userId, type: 'user_invitation_declined', group })
  return { username: user.username, groupId: group.groupId }
}

/** The group of an invitation: the invited user need not see it otherwise. */
async function requireInvitedGroup(
  { directory }: DirectoryReaders,
  { caller }: Call,
  { groupId }: SentInvitation,
): Promise<{ readonly caller: Caller; readonly group: GroupOutline }> {
  const found = await directory.findGroupFor(groupId, undefined)
  if (!caller || !found) throw resourceNotFound()
  return { caller, group: found.group }
}
