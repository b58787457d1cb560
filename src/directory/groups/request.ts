import type { MemberType } from '../membership.ts'

/** How a user and a group come together: either side asks, and the user enters when the other side agrees (documented). */

/** An open invitation of a user to a group; there is at most one for the two. */
export interface GroupInvitation {
  /** 32 lower-case hex characters. Never reused. */
  readonly invitationId: string
  readonly groupId: string
  /** Who is invited. */
  readonly userId: string
  readonly inviterId: string
  /** Member type that the user gets. */
  readonly memberType: InvitedType
  /** Epoch milliseconds. */
  readonly createdAt: number
  readonly expiresAt: number
}

export type InvitedType = Exclude<MemberType, 'owner'>

/** An invitation with the names of who sent it. */
export interface SentInvitation extends GroupInvitation {
  readonly inviterUsername: string
  readonly inviterFullName: string
}

/** An open request of a user to join a group; there is at most one for the two. */
export interface GroupApplication {
  readonly groupId: string
  readonly userId: string
  /** Epoch milliseconds. */
  readonly createdAt: number
}

/** A request with the names of who sent it. */
export interface SentApplication extends GroupApplication {
  readonly username: string
  readonly fullName: string
}

/** Events that users are notified of; the names are the public API's (documented). */
export const notificationTypes = [
  'group_join',
  'group_application_accepted',
  'group_application_declined',
  'user_invite',
  'user_invitation_accepted',
  'user_invitation_declined',
] as const
export type NotificationType = (typeof notificationTypes)[number]

export interface Notification {
  /** 32 lower-case hex characters. Never reused. */
  readonly notificationId: string
  /** Who is notified. */
  readonly userId: string
  readonly type: NotificationType
  /** The group with its title of that moment; it may be deleted by now. */
  readonly groupId: string
  readonly groupTitle: string
  /** Epoch milliseconds. */
  readonly createdAt: number
}

/** Minutes for which an invitation can be accepted: up to two weeks (documented); any number of them (chosen). */
export const invitationMinutes = { min: 1, usual: 7 * 1_440, max: 14 * 1_440 } as const

/** Before this time, requests to join have ended; with 0 days they never do. */
export function endOfApplications({ applicationDays }: { readonly applicationDays: number }, now: number): number {
  return applicationDays === 0 ? 0 : now - applicationDays * 86_400_000
}
