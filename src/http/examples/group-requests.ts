import { invitationMinutes } from '../../directory/groups/request.ts'
import type { WireGroupApplication, WireGroupInvitation, WireNotification } from '../shapes/directory/group-request.ts'
import { exampleIds, exampleTime, fieldTrips, seaLevels } from './examples.ts'

/** Pending requests between Anna and two groups: she is invited to one, and has asked to join the other. */
export const groupInvitationAnswer: WireGroupInvitation = {
  id: exampleIds.groupInvitationId,
  targetType: 'group',
  targetId: fieldTrips.groupId,
  received: exampleTime,
  accepted: false,
  mustApprove: false,
  email: 'anna@maps.example.com',
  role: 'group_member',
  type: 'user',
  dateAccepted: -1,
  expiration: exampleTime + invitationMinutes.usual * 60_000,
  created: exampleTime,
  username: exampleIds.username,
  fromUsername: { username: 'admin', fullname: 'admin' },
  groupId: fieldTrips.groupId,
}

export const groupApplicationAnswer: WireGroupApplication = {
  username: exampleIds.username,
  fullname: 'Anna Atlas',
  received: exampleTime,
}

const toAnna = { target: exampleIds.username, targetType: 'user', received: exampleTime, read: false } as const

export const invitedNotification: WireNotification = {
  id: exampleIds.notificationId,
  type: 'user_invite',
  ...toAnna,
  data: { groupId: fieldTrips.groupId, groupTitle: fieldTrips.title },
}

export const appliedNotification: WireNotification = {
  id: exampleIds.secondNotificationId,
  type: 'group_join',
  ...toAnna,
  data: { groupId: seaLevels.groupId, groupTitle: seaLevels.title },
}

const belongs = { thumbnail: null, joined: exampleTime, orgId: exampleIds.portalId }

/** The owner and the members of Land cover, managers left out. */
export const memberPageAnswer = {
  total: 1,
  start: 1,
  num: 25,
  nextStart: -1,
  owner: { username: 'admin', fullName: 'admin', memberType: 'owner', ...belongs },
  users: [{ username: 'anna', fullName: 'Anna Atlas', memberType: 'member', ...belongs }],
} as const
