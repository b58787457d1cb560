import type { Group } from '../../../directory/group.ts'
import {
  type InvitedType,
  type Notification,
  notificationTypes,
  type SentApplication,
  type SentInvitation,
} from '../../../directory/groups/request.ts'
import type { User } from '../../../directory/user.ts'
import { boolean, choice, component, constant, id, integer, list, object, text, time, type ValueOf } from '../shape.ts'
import { groupShape, groupToWire } from './group.ts'

export const invitedRoles = ['group_member', 'group_admin'] as const

const invitationMembers = {
  id: id(),
  targetType: constant('group'),
  targetId: id('The group.'),
  received: time('When the user was invited.'),
  accepted: boolean('Always false: an invitation that is accepted is deleted.'),
  mustApprove: boolean('Always false: who accepts is a member.'),
  email: text('E-mail address of the user.'),
  role: choice(invitedRoles, 'What the user becomes: a member or a manager.'),
  type: constant('user'),
  dateAccepted: integer('Always -1.', -1),
  expiration: time('Until when the invitation can be accepted.'),
  created: time('When the user was invited.'),
  username: text('Who is invited.'),
  fromUsername: object({ username: text('Who invited.'), fullname: text() }),
  groupId: id(),
}

const invitationShape = component('GroupInvitation', 'An invitation to a group.', object(invitationMembers))
export type WireGroupInvitation = ValueOf<typeof invitationShape>

export const invitationsShape = object({ userInvitations: list(invitationShape) })
export const invitationViewShape = object({ ...invitationMembers, group: groupShape })

export function invitationToWire(invitation: SentInvitation, user: User): WireGroupInvitation {
  const { invitationId, groupId, memberType, createdAt, expiresAt, inviterUsername, inviterFullName } = invitation
  return {
    id: invitationId,
    targetType: 'group',
    targetId: groupId,
    received: createdAt,
    accepted: false,
    mustApprove: false,
    email: user.email,
    role: roleOf(memberType),
    type: 'user',
    dateAccepted: -1,
    expiration: expiresAt,
    created: createdAt,
    username: user.username,
    fromUsername: { username: inviterUsername, fullname: inviterFullName },
    groupId,
  }
}

export function invitationViewToWire(
  invitation: SentInvitation,
  user: User,
  group: Group,
): ValueOf<typeof invitationViewShape> {
  return { ...invitationToWire(invitation, user), group: groupToWire(group, user.username, undefined) }
}

function roleOf(memberType: InvitedType): (typeof invitedRoles)[number] {
  return memberType === 'admin' ? 'group_admin' : 'group_member'
}

export const applicationShape = component(
  'GroupApplication',
  'A request to join a group.',
  object({ username: text('Who asks to join.'), fullname: text(), received: time('When the request was made.') }),
)
export type WireGroupApplication = ValueOf<typeof applicationShape>

export function applicationToWire({ username, fullName, createdAt }: SentApplication): WireGroupApplication {
  return { username, fullname: fullName, received: createdAt }
}

export const notificationShape = component(
  'Notification',
  'What became of an invitation, a request to join, or a draft of a category schema.',
  object({
    id: id(),
    type: choice(notificationTypes),
    target: text('Who is notified.'),
    targetType: constant('user'),
    received: time('When it happened.'),
    read: boolean('Whether the user said that it is read.'),
    data: object(
      {
        groupId: text('The group; empty where it is about no group.'),
        groupTitle: text('Title of the group at that time.'),
      },
      {
        draft: object({
          id: id('The draft; it is gone once it is published.'),
          name: text(),
          by: text('Username of who proposed it, sent it back or published it, or had set the time.'),
        }),
        invitation: object({
          id: id('The invitation to a collaboration.'),
          collaborationId: id(),
          collaborationName: text('Its name at that time.'),
          guestPortalUrl: text(),
          by: text('Username of who imported its response or invalidated it; empty where it soon ends.'),
        }),
      },
    ),
  }),
)
export type WireNotification = ValueOf<typeof notificationShape>

export function notificationToWire(notification: Notification, username: string): WireNotification {
  const { notificationId, type, groupId, groupTitle, createdAt, draft, invitation, readAt } = notification
  return {
    id: notificationId,
    type,
    target: username,
    targetType: 'user',
    received: createdAt,
    read: readAt !== undefined,
    data: { groupId, groupTitle, ...(draft && { draft }), ...(invitation && { invitation }) },
  }
}
