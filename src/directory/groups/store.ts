import type { Page, Slice } from '../../paging.ts'
import type { SortOrder } from '../group.ts'
import type { Member, MemberType } from '../membership.ts'
import type { GroupApplication, GroupInvitation, Notification, SentApplication, SentInvitation } from './request.ts'

/** A search among the members of a group; the owner is not one of those found. */
export interface MemberQuery {
  /** Part of the username, the full name, the first or the last name, whatever the case of its ASCII letters. */
  readonly name: string | undefined
  readonly memberType: Exclude<MemberType, 'owner'> | undefined
  /** Milliseconds, both included. */
  readonly joined: { readonly from: number; readonly to: number } | undefined
  readonly sortField: MemberSortField
  readonly sortOrder: SortOrder
}

export const memberSortFields = ['username', 'membertype', 'joined'] as const
export type MemberSortField = (typeof memberSortFields)[number]

/** A member with the names that are shown beside the username. */
export interface NamedMember extends Member {
  readonly fullName: string
  readonly portalId: string
}

/** Invitations to groups, requests to join, and notifications, as they are read. Lists are newest first. */
export interface GroupRequestReader {
  /** The owner. */
  findOwner(groupId: string): Promise<NamedMember | undefined>
  searchMembers(groupId: string, query: MemberQuery, page: Page): Promise<Slice<NamedMember>>
  /** Whether one of the two organizations hosts a collaboration in which both take part. */
  areCollaborating(portalId: string, otherPortalId: string): Promise<boolean>

  findGroupInvitation(invitationId: string): Promise<SentInvitation | undefined>
  findGroupInvitationOf(groupId: string, userId: string): Promise<GroupInvitation | undefined>
  /** Invitations of a user that have not expired. */
  listGroupInvitations(userId: string, now: number, max: number): Promise<readonly SentInvitation[]>
  /** Invitations that have not expired: those of a user, all and those of one inviter, and those to a group. */
  countGroupInvitations(
    of: { readonly userId: string; readonly inviterId: string; readonly groupId: string },
    now: number,
  ): Promise<{ readonly ofUser: number; readonly ofInviter: number; readonly toGroup: number }>

  findGroupApplication(groupId: string, userId: string): Promise<GroupApplication | undefined>
  /** Requests since a time, oldest first. */
  listGroupApplications(groupId: string, since: number, max: number): Promise<readonly SentApplication[]>
  countGroupApplications(
    of: { readonly userId: string; readonly groupId: string },
    since: number,
  ): Promise<{ readonly ofUser: number; readonly toGroup: number }>

  findNotification(notificationId: string): Promise<Notification | undefined>
  /** Notifications of a user that were created by a time. */
  listNotifications(userId: string, now: number, max: number): Promise<readonly Notification[]>
}

export interface GroupRequestStore extends GroupRequestReader {
  /** Replaces the open invitation of the same user to the same group, whose id stays. */
  putGroupInvitation(invitation: GroupInvitation): Promise<void>
  /** Replaces the open request of the same user to the same group. */
  putGroupApplication(application: GroupApplication): Promise<void>
  removeGroupInvitation(invitationId: string): Promise<void>
  removeGroupApplication(groupId: string, userId: string): Promise<void>
  /** Invitations that expired by a time and requests from before another, at most so many of each. */
  removeOldGroupRequests(before: { readonly expiry: number; readonly application: number }, max: number): Promise<void>
  /** Keeps the latest notifications of the user, at most so many. */
  addNotification(notification: Notification, max: number): Promise<void>
  removeNotification(notificationId: string): Promise<void>
  /** Notifications of the user up to a time are read from now on, unless they are already. */
  putNotificationsRead(userId: string, until: number, readAt: number): Promise<void>
}
