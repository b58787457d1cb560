import { mapParsed, type Parsed } from '../../../call/parsed.ts'
import { groupLimits, sortOrders } from '../../../directory/group.ts'
import { type MemberQuery, memberSortFields } from '../../../directory/groups/store.ts'
import { exampleIds } from '../../examples/examples.ts'
import { memberPageAnswer } from '../../examples/group-requests.ts'
import { changedGroupShape, groupUsersShape, groupUsersToWire, joinedGroupShape } from '../../shapes/directory/group.ts'
import { leftOutReasons, leftOutToWire } from '../../shapes/directory/left-out.ts'
import { memberPageShape, memberPageToWire } from '../../shapes/directory/member.ts'
import { boolean, list, object, text } from '../../shapes/shape.ts'
import { successWith } from '../../shapes/success.ts'
import { type Endpoint, endpointsOf } from '../endpoint.ts'
import { pagesOf } from '../page-parameters.ts'
import { optionalChoice, optionalList, optionalText, type Parameter, requiredList, Wrong } from '../parameter-types.ts'

const endpoint = endpointsOf('directory')

const { groupId, openGroupId } = exampleIds

const names = { max: groupLimits.namesInOneCall, maxLength: 128 }
const usernames = `Comma-separated usernames, at most ${groupLimits.namesInOneCall}`
const removed = requiredList(`${usernames}.`, names)
const users = optionalList(`${usernames} together with admins; the users become members.`, names)
const admins = optionalList(`${usernames} together with users; the users become managers.`, names)

const noneIsRejected = 'A call without any username is rejected.'

/** Members and managers of one call; together at least one name (chosen), and no more than the documented number of names. */
function parseNames(
  input: Parsed<Readonly<Record<'users' | 'admins', readonly string[] | undefined>>>,
): Parsed<Readonly<Record<'users' | 'admins', readonly string[]>>> {
  if ('problems' in input) return input
  const { users = [], admins = [] } = input.value
  const given = users.length + admins.length
  if (given === 0) return { problems: ['users, admins: give at least one username.'] }
  if (given <= names.max) return { value: { users, admins } }
  return { problems: [`users, admins: have ${given} names together; at most ${names.max} are allowed.`] }
}

/** `1700000000000`, `1700000000000,1800000000000`, `1700000000000,` or `,1800000000000`: a moment, or from one to another. */
const joined: Parameter<MemberQuery['joined']> = {
  type: 'string',
  isRequired: false,
  meaning:
    'When the users joined: a time in epoch milliseconds, or two with a comma between them, of which either may be missing.',
  read(given) {
    if (given === undefined || given.trim() === '') return undefined
    const bounds = given.split(',', 3).map((bound) => bound.trim())
    const isTime = (bound: string) => /^\d{1,16}$/.test(bound)
    const [from = '', to = from] = bounds
    const isRange = bounds.length <= 2 && [from, to].every((bound) => bound === '' || isTime(bound)) && from + to !== ''
    if (!isRange) return new Wrong('has to be a time in milliseconds, or two with a comma between them.')
    return { from: from === '' ? 0 : Number(from), to: to === '' ? Number.MAX_SAFE_INTEGER : Number(to) }
  },
}

const whoSeesMembers =
  'Members, or owner and managers if hiddenMembers is true; administrators, and custom roles with portal:admin:viewGroups'

/** Rows of the members of a group. */
export const memberRows: readonly Endpoint[] = [
  endpoint({
    id: 'listGroupUsers',
    title: 'Group users',
    task: 'list users of group',
    path: '/community/groups/:groupId/users',
    who: whoSeesMembers,
    summary: 'The owner, the managers and the members of a group.',
    chosen: [
      `At most ${groupLimits.listedMembers} names are listed, managers before others; membersTotal then says how many there are.`,
    ],
    answers: { json: groupUsersShape },
    example: { ids: { groupId }, answer: { owner: 'admin', admins: ['admin'], users: ['anna'] } },
    async answer({ ids, run }) {
      return { json: groupUsersToWire(await run({ groupId: ids.groupId })) }
    },
  }),
  endpoint({
    id: 'searchGroupUsers',
    title: 'User list',
    task: 'search users of group',
    path: '/community/groups/:groupId/userList',
    parameters: {
      name: optionalText('Part of the username, of the full, the first or the last name.', { maxLength: 128 }),
      memberType: optionalChoice('admin: managers only; member: the others only.', ['admin', 'member'] as const),
      joined,
      sortField: optionalChoice('Field to sort by; default username.', memberSortFields),
      sortOrder: optionalChoice('Sort order; default asc.', sortOrders),
      ...pagesOf(25),
    },
    who: whoSeesMembers,
    summary: 'The owner, and the managers and members, page by page.',
    chosen: ['The owner is not among users. The case of ASCII letters in name does not matter, that of others does.'],
    answers: { json: memberPageShape },
    example: {
      ids: { groupId },
      parameters: { memberType: 'member' },
      answer: memberPageAnswer,
    },
    async answer({ ids, input, run }) {
      const query = mapParsed(input, ({ name, memberType, joined, sortField, sortOrder }) => ({
        name: name === '' ? undefined : name,
        memberType,
        joined,
        sortField: sortField ?? ('username' as const),
        sortOrder: sortOrder ?? ('asc' as const),
      }))
      const { owner, ...found } = await run({ groupId: ids.groupId, query, page: input })
      return { json: memberPageToWire(found, owner) }
    },
  }),
  endpoint({
    id: 'addGroupUsers',
    title: 'Add users',
    task: 'add users to group',
    goals: ['Add people to a group'],
    path: '/community/groups/:groupId/addUsers',
    parameters: { users, admins },
    who: 'Owner and managers; administrators, and custom roles with portal:admin:assignToGroups (for managers portal:admin:updateGroups too)',
    summary: 'Adds users of the organization; notAdded lists the usernames that were not added.',
    chosen: ['A user who belongs to as many groups as is allowed is not added.', noneIsRejected],
    answers: {
      json: object({ notAdded: list(text(), 'Usernames that were not added.') }, { reasons: leftOutReasons }),
    },
    example: {
      ids: { groupId },
      parameters: { users: 'anna' },
      answer: { notAdded: ['anna'], reasons: ['anna belongs to the group already.'] },
    },
    async answer({ ids, input, dependencies, run }) {
      const { notAdded, isAnyFull } = await run({ groupId: ids.groupId, names: parseNames(input) })
      if (isAnyFull) dependencies.limitCounts.add('memberships')
      const { users, reasons } = leftOutToWire(notAdded)
      return { json: { notAdded: users, ...reasons } }
    },
  }),
  endpoint({
    id: 'removeGroupUsers',
    title: 'Remove users',
    task: 'remove users from group',
    path: '/community/groups/:groupId/removeUsers',
    parameters: { users: removed },
    who: 'Owner and managers; administrators, and custom roles with portal:admin:updateGroups',
    summary: 'Removes members; notRemoved lists the usernames that were not removed, such as the owner.',
    chosen: [noneIsRejected],
    answers: { json: object({ notRemoved: list(text(), 'Usernames that were not removed.') }) },
    example: { ids: { groupId }, parameters: { users: 'anna' }, answer: { notRemoved: [] } },
    async answer({ ids, input, run }) {
      const { notRemoved } = await run({ groupId: ids.groupId, names: input })
      return { json: { notRemoved } }
    },
  }),
  endpoint({
    id: 'updateGroupUsers',
    title: 'Update users',
    task: 'update users of group',
    path: '/community/groups/:groupId/updateUsers',
    parameters: { users, admins },
    who: 'Owner and managers; administrators, and custom roles with portal:admin:updateGroups',
    summary: 'Changes the member type: users become members, admins become managers.',
    chosen: [noneIsRejected],
    answers: { json: object({ results: list(object({ username: text(), success: boolean() })) }) },
    example: {
      ids: { groupId },
      parameters: { admins: 'anna' },
      answer: { results: [{ username: 'anna', success: true }] },
    },
    async answer({ ids, input, run }) {
      const { results } = await run({ groupId: ids.groupId, names: parseNames(input) })
      return { json: { results } }
    },
  }),
  endpoint({
    id: 'joinGroup',
    title: 'Join group',
    goals: ['Join a group'],
    path: '/community/groups/:groupId/join',
    who: 'Users with portal:user:joinGroup who can see the group; of other organizations with portal:user:joinNonOrgGroup, if membershipAccess allows it',
    summary:
      'Makes the caller a member, unless isInvitationOnly is true: then it makes a request to join, which the owner or a manager accepts or declines.',
    chosen: [
      'A user with an open invitation becomes a member immediately. Another request while one is open changes nothing.',
      'autoJoin has no effect: a group that is not by invitation only is joined immediately.',
    ],
    answers: { json: joinedGroupShape },
    example: { caller: 'anna', ids: { groupId: openGroupId }, answer: { success: true, groupId: openGroupId } },
    async answer({ ids, dependencies, run }) {
      const { groupId } = ids
      const { isMember } = await run({ groupId, notificationId: dependencies.random.id() })
      return successWith(isMember ? { groupId } : { groupId, applied: true })
    },
  }),
  endpoint({
    id: 'leaveGroup',
    title: 'Leave group',
    path: '/community/groups/:groupId/leave',
    who: 'Members except the owner, unless leavingDisallowed is true',
    summary: 'Ends the membership of the caller.',
    answers: { json: changedGroupShape },
    example: { caller: 'anna', ids: { groupId }, answer: { success: true, groupId } },
    async answer({ ids, run }) {
      await run({ groupId: ids.groupId })
      return successWith({ groupId: ids.groupId })
    },
  }),
]
