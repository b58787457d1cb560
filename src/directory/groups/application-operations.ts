import { nothingDone, type WithAuditDetails } from '../../call/audit-details.ts'
import { type Call, requirePermission } from '../../call/call.ts'
import { sha256Of } from '../../digest.ts'
import { limitReached, operationRefused, userNotFound } from '../../errors.ts'
import { say } from '../../sentences/say.ts'
import type { GroupOutline } from '../group.ts'
import { requireGroup } from '../group-operations.ts'
import { mayAddMembers } from '../permissions.ts'
import type { DirectoryReaders, DirectoryStores } from '../store.ts'
import type { User } from '../user.ts'
import { findNamedUser } from '../users/named-user.ts'
import {
  callerOf,
  enterGroup,
  hasApplied,
  isInvitationValid,
  mayJoin,
  notify,
  requireMayJoin,
  takesUsersOf,
} from './admission.ts'
import { endOfApplications, type SentApplication } from './request.ts'

/**
 * Makes the caller a member of a group that is not by invitation only, or that has invited the caller. Any other gets a
 * request to join, which waits for its owner or a manager.
 */
export async function joinGroup(
  stores: DirectoryStores,
  call: Call,
  input: { groupId: string; notificationId: string },
): Promise<{ readonly isMember: boolean }> {
  const { caller, group, memberType } = await requireGroup(stores, call, input.groupId)
  requireMayJoin(caller, group)
  requirePermission(await takesUsersOf(stores, group, caller.portalId))
  if (memberType) throw operationRefused(say('inGroupAlready', { group: group.title }))
  const invitation = await stores.directory.findGroupInvitationOf(group.groupId, caller.userId)
  const isInvited =
    invitation !== undefined && invitation.expiresAt > call.now && (await isInvitationValid(stores, group, invitation))
  const { notificationId } = input
  const about = { notificationId, userId: caller.userId, group }
  if (isInvited || !group.isInvitationOnly) {
    await enterGroup(stores, call, { group, user: caller, memberType: isInvited ? invitation.memberType : 'member' })
    if (isInvited) await notify(stores, call, { ...about, type: 'user_invitation_accepted' })
    return { isMember: true }
  }
  if (!(await hasApplied(stores, call, group, caller.userId))) {
    await requireMayApply(stores, call, { userId: caller.userId, groupId: group.groupId })
    await stores.directory.putGroupApplication({
      groupId: group.groupId,
      userId: caller.userId,
      createdAt: call.now,
    })
    await notify(stores, call, { ...about, type: 'group_join' })
    await notifyManagers(stores, call, group)
  }
  return { isMember: false }
}

/** Members who are notified of a request, at most (chosen): the owner and managers, who are listed first. */
const notifiedManagers = 20

/** Notifies owner and managers of a request. Each has one notification of a group's requests: the latest one takes its place (chosen). */
async function notifyManagers(stores: DirectoryStores, call: Call, group: GroupOutline): Promise<void> {
  const { entries } = await stores.directory.listMembers(group.groupId, notifiedManagers)
  for (const { userId, memberType } of entries) {
    if (memberType === 'member') continue
    const notificationId = sha256Of(`${group.groupId} ${userId}`).slice(0, 32)
    await stores.directory.removeNotification(notificationId)
    await notify(stores, call, { notificationId, userId, type: 'group_application', group })
  }
}

async function requireMayApply(
  { directory }: DirectoryReaders,
  { limits, now }: Call,
  of: { readonly userId: string; readonly groupId: string },
): Promise<void> {
  const { ofUser, toGroup } = await directory.countGroupApplications(of, endOfApplications(limits, now))
  if (ofUser >= limits.applicationsOfUser) {
    throw limitReached('applicationsOfUser', say('requestsOfUser', { count: ofUser }))
  }
  if (toGroup >= limits.applicationsToGroup) {
    throw limitReached('applicationsToGroup', say('requestsToGroup', { count: toGroup }))
  }
}

/** Owner, managers, and administrators of the organization see and answer requests (documented). */
async function requireAddsMembers(stores: DirectoryReaders, call: Call, groupId: string): Promise<GroupOutline> {
  const { caller, group, memberType } = await requireGroup(stores, call, groupId)
  requirePermission(mayAddMembers(caller, group, memberType))
  return group
}

export async function listGroupApplications(
  stores: DirectoryReaders,
  call: Call,
  input: { groupId: string },
): Promise<readonly SentApplication[]> {
  const { groupId } = await requireAddsMembers(stores, call, input.groupId)
  const { limits, now } = call
  return stores.directory.listGroupApplications(groupId, endOfApplications(limits, now), limits.applicationsToGroup)
}

export async function readGroupApplication(
  stores: DirectoryReaders,
  call: Call,
  input: { groupId: string; username: string },
): Promise<SentApplication> {
  const group = await requireAddsMembers(stores, call, input.groupId)
  const { application } = await requireApplication(stores, call, group, input.username)
  return application
}

async function requireApplication(
  stores: DirectoryReaders,
  call: Call,
  group: GroupOutline,
  username: string,
): Promise<{ readonly user: User; readonly application: SentApplication }> {
  const user = await findNamedUser(stores, username)
  const application = user && (await stores.directory.findGroupApplication(group.groupId, user.userId))
  if (!application || application.createdAt < endOfApplications(call.limits, call.now)) throw userNotFound()
  return { user, application: { ...application, username: user.username, fullName: user.fullName } }
}

interface Answered {
  readonly username: string
}

/** The user becomes a member; the request is deleted (documented). */
export async function acceptGroupApplication(
  stores: DirectoryStores,
  call: Call,
  input: { groupId: string; username: string; notificationId: string },
): Promise<Answered> {
  const group = await requireAddsMembers(stores, call, input.groupId)
  const { user } = await requireApplication(stores, call, group, input.username)
  const applicant = await callerOf(stores, user)
  if (user.disabled || !mayJoin(applicant, group) || !(await takesUsersOf(stores, group, user.portalId))) {
    throw operationRefused(say('mayNotJoin', { username: user.username, group: group.title }))
  }
  await enterGroup(stores, call, { group, user, memberType: 'member' })
  const { notificationId } = input
  await notify(stores, call, { notificationId, userId: user.userId, type: 'group_application_accepted', group })
  return { username: user.username }
}

/** The request is deleted (documented). An invitation stays open. */
export async function declineGroupApplication(
  stores: DirectoryStores,
  call: Call,
  input: { groupId: string; username: string; notificationId: string },
): Promise<Answered> {
  const group = await requireAddsMembers(stores, call, input.groupId)
  const { user } = await requireApplication(stores, call, group, input.username)
  await stores.directory.removeGroupApplication(group.groupId, user.userId)
  const { notificationId } = input
  await notify(stores, call, { notificationId, userId: user.userId, type: 'group_application_declined', group })
  return { username: user.username }
}

/** Maximum number of rows of a kind that one write removes (chosen). */
const removedAtOnce = 1_000

/** Removes invitations and requests to join that have ended: at most a thousand of each. */
export async function removeOldGroupRequests({ directory }: DirectoryStores, call: Call): Promise<WithAuditDetails> {
  const before = { expiry: call.now, application: endOfApplications(call.limits, call.now) }
  await directory.removeOldGroupRequests(before, removedAtOnce)
  return { audit: nothingDone }
}
