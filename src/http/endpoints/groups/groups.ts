import { mapParsed } from '../../../call/parsed.ts'
import { groupLimits } from '../../../directory/group.ts'
import { limitTable } from '../../../limits.ts'
import { exampleIds, generatedIds, groupAnswer, landCover } from '../../examples/examples.ts'
import { changedGroupShape, groupShape, groupToWire } from '../../shapes/directory/group.ts'
import { successShapeWith, successWith } from '../../shapes/success.ts'
import { type Endpoint, endpointsOf, runByIds } from '../endpoint.ts'
import { onlyGiven, optionalName, requiredName, requiredText } from '../parameter-types.ts'
import { changeOf, clearEmptyFields } from '../partial-update.ts'
import { groupApplicationRows } from './applications.ts'
import { groupParameters, groupPropertiesOf } from './group-parameters.ts'
import { groupSearchRows } from './group-searches.ts'
import { groupInvitationRows } from './invitations.ts'
import { memberRows } from './members.ts'
import { notificationRows } from './notifications.ts'

const endpoint = endpointsOf('directory')

const { groupId } = exampleIds

const titleRules = { maxLength: groupLimits.title }
const title = 'Title.'

/** Settings of a group that each need a privilege, in the words of the table. */
const givenByPrivilege =
  'access org takes portal:user:shareGroupToOrg, public portal:user:shareGroupToPublic; leavingDisallowed portal:admin:createLeavingDisallowedGroup; the capability updateitemcontrol portal:admin:createUpdateCapableGroup; membershipAccess other than org portal:user:addExternalMembersToGroup'

/** Groups; their members are in the rows of members.ts. */
export const groupRows: readonly Endpoint[] = [
  ...groupSearchRows,
  endpoint({
    id: 'createGroup',
    title: 'Create group',
    goals: ['Create a group'],
    path: '/community/createGroup',
    takesBack: groupShape,
    parameters: { title: requiredName(title, titleRules), ...groupParameters },
    who: `Users with portal:user:createGroup; ${givenByPrivilege}`,
    summary: 'Creates a group that the caller owns.',
    chosen: [
      'By default, access is private, isInvitationOnly is true, and membershipAccess is org.',
      `A user may own ${limitTable.groupsOwned.default} groups and belong to ${limitTable.memberships.default}, unless the operator sets other limits.`,
    ],
    answers: { json: successShapeWith({ group: groupShape }) },
    example: {
      parameters: { title: 'Water', tags: 'lakes,rivers', access: 'org' },
      answer: {
        success: true,
        group: groupAnswer({ groupId: generatedIds.id, title: 'Water', tags: ['lakes', 'rivers'] }, 'admin', 'owner'),
      },
    },
    async answer({ input, dependencies, run }) {
      const groupId = dependencies.random.id()
      const properties = mapParsed(input, ({ title, ...rest }) => ({ title, ...groupPropertiesOf(rest) }))
      const { group, memberType } = await run({ groupId, properties })
      return successWith({ group: groupToWire(group, group.ownerUsername, memberType) })
    },
  }),
  endpoint({
    id: 'readGroup',
    title: 'Group',
    path: '/community/groups/:groupId',
    can: { id: 'groupId' },
    token: 'optional',
    who: 'Members; if access is org, users of the organization with portal:user:viewOrgGroups; if it is public, anyone; administrators, and custom roles with portal:admin:viewGroups',
    summary: 'A group and the membership of the caller.',
    answers: { json: groupShape },
    example: { ids: { groupId }, answer: groupAnswer(landCover, 'admin', 'owner') },
    async answer({ ids, run }) {
      const { group, memberType, username } = await run({ groupId: ids.groupId })
      return { json: groupToWire(group, username, memberType) }
    },
  }),
  endpoint({
    id: 'updateGroup',
    title: 'Update group',
    path: '/community/groups/:groupId/update',
    takesBack: groupShape,
    parameters: { title: optionalName(title, titleRules), ...groupParameters, clearEmptyFields },
    who: `Owner and managers; administrators, and custom roles with portal:admin:updateGroups; ${givenByPrivilege}`,
    summary: 'Changes the given properties; the others are unchanged.',
    chosen: [
      'Other organizations are let in (membershipAccess) only if the group has no item of the organization that its owner, no member of the group, has not shared there.',
    ],
    answers: { json: changedGroupShape },
    example: { ids: { groupId }, parameters: { snippet: 'What covers the land' }, answer: { success: true, groupId } },
    async answer({ ids, input, run }) {
      const { groupId } = ids
      const change = mapParsed(changeOf(input, 'title', 'sortField'), ({ title, ...rest }) => ({
        ...onlyGiven({ title }),
        ...groupPropertiesOf(rest),
      }))
      await run({ groupId, change })
      return successWith({ groupId })
    },
  }),
  endpoint({
    id: 'deleteGroup',
    title: 'Delete group',
    path: '/community/groups/:groupId/delete',
    who: 'Owner; administrators, and custom roles with portal:admin:deleteGroups',
    summary: 'Deletes the group. Versions of its category schema are kept.',
    answers: { json: changedGroupShape },
    example: { ids: { groupId }, answer: { success: true, groupId } },
    async answer({ ids, run }) {
      await run({ groupId: ids.groupId })
      return successWith({ groupId: ids.groupId })
    },
  }),
  ...(['protect', 'unprotect'] as const).map((verb) =>
    endpoint({
      id: `${verb}Group`,
      title: `${verb === 'protect' ? 'Protect' : 'Unprotect'} group`,
      task: `${verb} group`,
      path: `/community/groups/:groupId/${verb}`,
      who: 'Owner; administrators, and custom roles with portal:admin:deleteGroups',
      summary: verb === 'protect' ? 'Protects the group from deletion.' : 'Ends the protection from deletion.',
      example: { ids: { groupId }, answer: { success: true } },
      answer: runByIds,
    }),
  ),
  endpoint({
    id: 'reassignGroup',
    title: 'Reassign group',
    goals: ['Give a group to another owner'],
    path: '/community/groups/:groupId/reassign',
    parameters: {
      targetUsername: requiredText(
        'Username of the new owner: a member of the group whose role has portal:user:createGroup or, with portal:admin:reassignGroups, any user of the organization.',
      ),
    },
    who: 'Owner; administrators, and custom roles with portal:admin:reassignGroups',
    summary: 'Transfers the group to a new owner; the previous owner becomes a manager.',
    chosen: [
      'An owner without the privilege transfers the group to one of its members, so that no user is given a group without belonging to it.',
    ],
    answers: { json: changedGroupShape },
    example: { ids: { groupId }, parameters: { targetUsername: 'anna' }, answer: { success: true, groupId } },
    async answer({ ids, input, run }) {
      await run({ groupId: ids.groupId, target: input })
      return successWith({ groupId: ids.groupId })
    },
  }),
  ...memberRows,
  ...groupInvitationRows,
  ...groupApplicationRows,
  ...notificationRows,
]
