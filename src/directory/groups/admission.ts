import { type Call, requirePermission } from '../../call/call.ts'
import type { Caller } from '../../call/caller.ts'
import { isBuiltInRole, type Privilege } from '../../call/privilege.ts'
import type { GroupOutline } from '../group.ts'
import type { MemberType } from '../membership.ts'
import { mayAddMembers, mayUpdateGroup } from '../permissions.ts'
import { requireMayBelongToMore } from '../quotas.ts'
import { privilegesOf } from '../role.ts'
import type { DirectoryReaders, DirectoryStores } from '../store.ts'
import type { User } from '../user.ts'
import { endOfApplications, type GroupInvitation, type NotificationType } from './request.ts'

/** Who may come into a group. Each rule is applied when the one side asks, and again when the other side agrees. */

/** Whether the group takes users of this organization. */
export async function takesUsersOf(
  { directory }: DirectoryReaders,
  group: GroupOutline,
  portalId: string,
): Promise<boolean> {
  if (portalId === group.portalId || group.membershipAccess === 'none') return true
  return group.membershipAccess === 'collaboration' && directory.areCollaborating(group.portalId, portalId)
}

/** Groups of other organizations take a privilege of their own (documented). */
function privilegeToJoin({ portalId }: Caller, group: GroupOutline): Privilege {
  return portalId === group.portalId ? 'portal:user:joinGroup' : 'portal:user:joinNonOrgGroup'
}

export function mayJoin(caller: Caller, group: GroupOutline): boolean {
  return caller.privileges.has(privilegeToJoin(caller, group))
}

export function requireMayJoin(caller: Caller, group: GroupOutline): void {
  requirePermission(mayJoin(caller, group), privilegeToJoin(caller, group))
}

/** The user as a caller, with the present privileges of the role. */
export async function callerOf({ directory }: DirectoryReaders, user: User): Promise<Caller> {
  const custom = isBuiltInRole(user.role) ? undefined : await directory.findRole(user.role)
  const privileges: ReadonlySet<Privilege> = new Set(privilegesOf(user.role, custom))
  const { userId, username, portalId, role } = user
  return { userId, username, portalId, role, privileges }
}

/** Owner, managers and those who may assign members; who makes managers may update the group. */
export function mayInvite(
  caller: Caller,
  group: GroupOutline,
  memberType: MemberType | undefined,
  invitedAs: GroupInvitation['memberType'],
): boolean {
  return (
    mayAddMembers(caller, group, memberType) && (invitedAs === 'member' || mayUpdateGroup(caller, group, memberType))
  )
}

/** Whether the inviter might send the invitation still: it is worth no more than its inviter (chosen). */
export async function isInvitationValid(
  stores: DirectoryReaders,
  group: GroupOutline,
  { inviterId, memberType }: GroupInvitation,
): Promise<boolean> {
  const inviter = await stores.directory.findUserById(inviterId)
  if (!inviter || inviter.disabled) return false
  const member = await stores.directory.findMember(group.groupId, inviterId)
  return mayInvite(await callerOf(stores, inviter), group, member?.memberType, memberType)
}

/** Makes the user a member, who agrees: it counts towards the user's own part of the quota. */
export async function enterGroup(
  stores: DirectoryStores,
  call: Call,
  entry: {
    readonly group: GroupOutline
    readonly user: Pick<User, 'userId' | 'username'>
    readonly memberType: MemberType
  },
): Promise<void> {
  const { group, user, memberType } = entry
  await requireMayBelongToMore(stores, call, user)
  await stores.directory.putMember(group.groupId, { userId: user.userId, memberType, joinedAt: call.now })
}

/** Notifies a user of what became of an invitation or a request. */
export async function notify(
  { directory }: DirectoryStores,
  call: Call,
  about: {
    readonly notificationId: string
    readonly userId: string
    readonly type: NotificationType
    readonly group: GroupOutline
  },
): Promise<void> {
  const { notificationId, userId, type, group } = about
  const { groupId, title: groupTitle } = group
  const notification = {
    notificationId,
    userId,
    type,
    groupId,
    groupTitle,
    createdAt: call.now,
    draft: undefined,
    invitation: undefined,
    readAt: undefined,
  }
  await directory.addNotification(notification, call.limits.notifications)
}

/** Whether a request of the user to join is open. */
export async function hasApplied(
  { directory }: DirectoryReaders,
  call: Call,
  group: GroupOutline,
  userId: string,
): Promise<boolean> {
  const application = await directory.findGroupApplication(group.groupId, userId)
  return application !== undefined && application.createdAt >= endOfApplications(call.limits, call.now)
}
