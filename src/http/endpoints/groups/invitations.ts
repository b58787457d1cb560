import { mapParsed, type Parsed } from '../../../call/parsed.ts'
import { groupLimits } from '../../../directory/group.ts'
import type { InvitationWish } from '../../../directory/groups/invitation-operations.ts'
import { invitationMinutes } from '../../../directory/groups/request.ts'
import { limitTable } from '../../../limits.ts'
import type { Dependencies } from '../../../operations/dependencies.ts'
import { exampleIds, fieldTrips, groupAnswer } from '../../examples/examples.ts'
import { groupInvitationAnswer } from '../../examples/group-requests.ts'
import {
  invitationsShape,
  invitationToWire,
  invitationViewShape,
  invitationViewToWire,
  invitedRoles,
} from '../../shapes/directory/group-request.ts'
import { inviteWarnings, leftOutReasons, leftOutToWire, warnIfNone } from '../../shapes/directory/left-out.ts'
import { id, list, text } from '../../shapes/shape.ts'
import { successShapeWith, successWith } from '../../shapes/success.ts'
import { type Endpoint, endpointsOf } from '../endpoint.ts'
import { optionalChoice, optionalInteger, requiredList } from '../parameter-types.ts'

const endpoint = endpointsOf('directory')

const { groupId, username, groupInvitationId } = exampleIds
const { min, usual, max } = invitationMinutes

interface InvitationInput {
  readonly users: readonly string[]
  readonly role: (typeof invitedRoles)[number] | undefined
  readonly expiration: number | undefined
}

function parseWish(input: Parsed<InvitationInput>, { random }: Pick<Dependencies, 'random'>): Parsed<InvitationWish> {
  return mapParsed(input, ({ users, role, expiration = usual }) => ({
    invitees: users.map((username) => ({ username, invitationId: random.id(), notificationId: random.id() })),
    memberType: role === 'group_admin' ? 'admin' : 'member',
    minutes: expiration,
  }))
}

const invitationPath = '/community/users/:username/invitations/:groupInvitationId'
const onlyTheUser = 'The user'

/** Invitations of users to groups. */
export const groupInvitationRows: readonly Endpoint[] = [
  endpoint({
    id: 'inviteToGroup',
    title: 'Invite to group',
    goals: ['Add people to a group'],
    path: '/community/groups/:groupId/invite',
    parameters: {
      users: requiredList(`Comma-separated usernames, at most ${groupLimits.namesInOneCall}.`, {
        max: groupLimits.namesInOneCall,
        maxLength: 128,
      }),
      role: optionalChoice('What the users become: group_member (default), or group_admin, a manager.', invitedRoles),
      expiration: optionalInteger(
        `Minutes for which the invitation can be accepted; default ${usual}, maximum ${max}.`,
        { minimum: min, maximum: max },
      ),
    },
    who: 'Owner and managers; administrators, and custom roles with portal:admin:assignToGroups (for managers portal:admin:updateGroups too); users of other organizations take portal:user:addExternalMembersToGroup',
    summary: 'Invites users to the group. They are notified, and become members when they accept.',
    chosen: [
      'notInvited lists the usernames that were not invited: unknown, disabled, of organizations that the group does not take, or with as many open invitations as is allowed.',
      'A user who has asked to join becomes a member immediately. Another invitation takes the place of an open one, with its role and expiration.',
      'Users of other organizations are invited if membershipAccess of the group allows it, by callers with portal:user:addExternalMembersToGroup who see the user.',
      `A user has at most ${limitTable.invitationsOfUser.default} open invitations, at most half of them of one inviter, and a group ${limitTable.invitationsToGroup.default}, unless the operator sets other limits.`,
    ],
    answers: {
      json: successShapeWith(
        { groupId: id(), notInvited: list(text(), 'Usernames that were not invited.') },
        { reasons: leftOutReasons, ...inviteWarnings },
      ),
    },
    example: {
      ids: { groupId },
      parameters: { users: 'carla', role: 'group_member', expiration: '1440' },
      answer: {
        success: true,
        groupId,
        notInvited: ['carla'],
        reasons: ['carla is not a user whom you can see.'],
        warnings: ['No user was invited.'],
      },
    },
    async answer({ ids, input, dependencies, run }) {
      const { notInvited } = await run({ groupId: ids.groupId, wish: parseWish(input, dependencies) })
      const { users, reasons } = leftOutToWire(notInvited)
      const named = 'value' in input ? input.value.users.length : 0
      const warnings = warnIfNone(named, users.length)
      return successWith({ groupId: ids.groupId, notInvited: users, ...reasons, ...warnings })
    },
  }),
  endpoint({
    id: 'listGroupInvitations',
    title: 'Invitations to groups',
    task: 'list invitations',
    path: '/community/users/:username/invitations',
    who: onlyTheUser,
    summary: 'The open invitations of a user to groups, newest first.',
    answers: { json: invitationsShape },
    example: { caller: 'anna', ids: { username }, answer: { userInvitations: [groupInvitationAnswer] } },
    async answer({ ids, run }) {
      const { user, invitations } = await run({ username: ids.username })
      return { json: { userInvitations: invitations.map((invitation) => invitationToWire(invitation, user)) } }
    },
  }),
  endpoint({
    id: 'readGroupInvitation',
    title: 'Invitation to a group',
    task: 'read invitation',
    path: invitationPath,
    who: onlyTheUser,
    summary: 'An open invitation, with the group, which the user may not see otherwise.',
    answers: { json: invitationViewShape },
    example: {
      caller: 'anna',
      ids: { username, groupInvitationId },
      answer: { ...groupInvitationAnswer, group: groupAnswer(fieldTrips, 'anna', undefined) },
    },
    async answer({ ids, run }) {
      const { invitation, user, group } = await run({
        username: ids.username,
        invitationId: ids.groupInvitationId,
      })
      return { json: invitationViewToWire(invitation, user, group) }
    },
  }),
  ...(['accept', 'decline'] as const).map((verb) =>
    endpoint({
      id: `${verb}GroupInvitation`,
      title: `${verb === 'accept' ? 'Accept' : 'Decline'} invitation`,
      task: `${verb} invitation`,
      path: `${invitationPath}/${verb}`,
      who:
        verb === 'accept'
          ? 'The user, with portal:user:joinGroup (portal:user:joinNonOrgGroup in other organizations)'
          : onlyTheUser,
      summary:
        verb === 'accept'
          ? 'Makes the user a member of the group, and deletes the invitation.'
          : 'Deletes the invitation.',
      ...(verb === 'accept'
        ? { chosen: ['An invitation whose inviter may not invite any more, or is disabled, is not accepted.'] }
        : {}),
      answers: { json: successShapeWith({ username: text(), groupId: id(), id: id('The invitation.') }) },
      example: {
        caller: 'anna',
        ids: { username, groupInvitationId },
        answer: { success: true, username, groupId: fieldTrips.groupId, id: groupInvitationId },
      },
      async answer({ ids, dependencies, run }) {
        const { groupInvitationId: invitationId } = ids
        const notificationId = dependencies.random.id()
        const { username, groupId } = await run({ username: ids.username, invitationId, notificationId })
        return successWith({ username, groupId, id: invitationId })
      },
    }),
  ),
]
