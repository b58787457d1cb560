import { field, type Named, type RecordOf } from '../../record.ts'
import type { MemberType } from '../membership.ts'

/** How a user and a group come together: either side asks, and the user enters when the other side agrees (documented). */

export const groupInvitationFields = {
  invitationId: field.id(),
  groupId: field.id(),
  /** Who is invited. */
  userId: field.id(),
  inviterId: field.id(),
  /** Member type that the user gets. */
  memberType: field.text<InvitedType>(),
  createdAt: field.time(),
  expiresAt: field.time(),
}

/** An open invitation of a user to a group; there is at most one for the two. */
export interface GroupInvitation extends RecordOf<typeof groupInvitationFields>, Named {}

export type InvitedType = Exclude<MemberType, 'owner'>

/** An invitation with the names of who sent it. */
export interface SentInvitation extends GroupInvitation {
  readonly inviterUsername: string
  readonly inviterFullName: string
}

export const groupApplicationFields = { groupId: field.id(), userId: field.id(), createdAt: field.time() }

/** An open request of a user to join a group; there is at most one for the two. */
export interface GroupApplication extends RecordOf<typeof groupApplicationFields>, Named {}

/** A request with the names of who sent it. */
export interface SentApplication extends GroupApplication {
  readonly username: string
  readonly fullName: string
}

/** Events of drafts of schemas that their persons are notified of (chosen). */
export const draftNotificationTypes = ['draft_proposed', 'draft_returned', 'draft_published', 'draft_failed'] as const
export type DraftNotificationType = (typeof draftNotificationTypes)[number]

/** Events of invitations to collaborations that who sent them is notified of (chosen). */
export const invitationNotificationTypes = [
  'invitation_expiring',
  'invitation_accepted',
  'invitation_invalidated',
] as const
export type InvitationNotificationType = (typeof invitationNotificationTypes)[number]

/** Events that users are notified of; the names of the others are the public API's (documented). */
export const notificationTypes = [
  ...draftNotificationTypes,
  ...invitationNotificationTypes,
  /** A request to join, for those who answer it (chosen). */
  'group_application',
  'group_join',
  'group_application_accepted',
  'group_application_declined',
  'user_invite',
  'user_invitation_accepted',
  'user_invitation_declined',
] as const
export type NotificationType = (typeof notificationTypes)[number]

export const notificationFields = {
  notificationId: field.id(),
  /** Who is notified. */
  userId: field.id(),
  type: field.choice(notificationTypes),
  /** The group with its title of that moment; it may be deleted by now. Empty where it is about no group. */
  groupId: field.id(),
  groupTitle: field.text(),
  /** Milliseconds; a notification of a later time is not there before. */
  createdAt: field.time(),
  /** The draft that it is about: its id, of no draft once it is published, its name, and the username of who acted. */
  draft: field.json<{ readonly id: string; readonly name: string; readonly by: string }>().optional(),
  /** The invitation to a collaboration that it is about, with names of that moment; `by` is empty where its time ends it. */
  invitation: field
    .json<{
      readonly id: string
      readonly collaborationId: string
      readonly collaborationName: string
      readonly guestPortalUrl: string
      readonly by: string
    }>()
    .optional(),
  /** When the user said that it is read. */
  readAt: field.time().optional(),
}

export interface Notification extends RecordOf<typeof notificationFields>, Named {}

/** Minutes for which an invitation can be accepted: up to two weeks (documented); any number of them (chosen). */
export const invitationMinutes = { min: 1, usual: 7 * 1_440, max: 14 * 1_440 } as const

/** Before this time, requests to join have ended; with 0 days they never do. */
export function endOfApplications({ applicationDays }: { readonly applicationDays: number }, now: number): number {
  return applicationDays === 0 ? 0 : now - applicationDays * 86_400_000
}
