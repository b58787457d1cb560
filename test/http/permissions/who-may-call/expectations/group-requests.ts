import { targets } from '../../../../support/portal/actors.ts'
import type { Case, Expectations } from './case.ts'
import { onEachGroup } from './groups.ts'
import { forbidden, insiders, notFound, ok, signedOut, userNotFound } from './outcomes.ts'

/** Owner, managers, and callers who may assign members. */
const addingMembers = {
  privilege: 'portal:admin:assignToGroups',
  onlookers: forbidden,
  governors: ok,
  owner: ok,
  manager: ok,
  member: forbidden,
} as const

/** Requests between the user called `user` and groups: for that user alone, even where others see the user. */
const ofTheUser: Case = {
  on: 'the user',
  ids: () => ({ username: 'user' }),
  privileges: ['portal:user:viewOrgUsers'],
  lacking: ['portal:user:viewOrgUsers', 'portal:admin:viewUsers'],
  expected: { ...signedOut, outsider: userNotFound, ...insiders(forbidden), user: ok, lacking: userNotFound },
}

const oneself = { on: 'oneself', ids: (_scene: unknown, username: string) => ({ username }), privileges: [] }

/** One's own lists, and those of the user. */
const lists: readonly Case[] = [{ ...oneself, expected: { ...signedOut, outsider: ok, ...insiders(ok) } }, ofTheUser]

/** The user's own invitation and notification, looked for among one's own, and with the user. */
const entries: readonly Case[] = [
  { ...oneself, expected: { ...signedOut, outsider: notFound, ...insiders(notFound), user: ok } },
  ofTheUser,
]

/** Invitations to groups, requests to join them, and notifications. */
export const groupRequestExpectations: Expectations = {
  inviteToGroup: onEachGroup({ ...addingMembers, parameters: () => ({ users: targets.public }) }),
  listGroupApplications: onEachGroup(addingMembers),
  readGroupApplication: onEachGroup(addingMembers),
  acceptGroupApplication: onEachGroup(addingMembers),
  declineGroupApplication: onEachGroup(addingMembers),
  listGroupInvitations: lists,
  readGroupInvitation: entries,
  acceptGroupInvitation: entries,
  declineGroupInvitation: entries,
  listNotifications: lists,
  readNotification: entries,
  markNotificationsRead: lists,
  deleteNotification: entries,
}
