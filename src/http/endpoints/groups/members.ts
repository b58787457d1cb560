import { groupLimits } from '../../../directory/group.ts'
import { mapParsed, type Parsed } from '../../../parsed.ts'
import { exampleIds } from '../../docs/examples.ts'
import { changedGroupShape, groupUsersShape, groupUsersToWire } from '../../shapes/group.ts'
import { boolean, list, object, text } from '../../shapes/shape.ts'
import { successWith } from '../../shapes/success.ts'
import { type Endpoint, endpoint } from '../endpoint.ts'
import { optionalList } from '../parameter-types.ts'

const { groupId, openGroupId } = exampleIds

const names = { most: groupLimits.namesInOneCall, maxLength: 128 }
const usernames = `Comma-separated usernames, at most ${groupLimits.namesInOneCall}`
const removed = optionalList(`${usernames}.`, names)
const users = optionalList(`${usernames} together with admins; the users become members.`, names)
const admins = optionalList(`${usernames} together with users; the users become managers.`, names)

/** Members and managers of one call; together they are no more than the documented number of names. */
function parseNames(
  input: Parsed<Readonly<Record<'users' | 'admins', readonly string[] | undefined>>>,
): Parsed<Readonly<Record<'users' | 'admins', readonly string[]>>> {
  if ('problems' in input) return input
  const { users = [], admins = [] } = input.value
  const given = users.length + admins.length
  if (given <= names.most) return { value: { users, admins } }
  return { problems: [`users, admins: have ${given} names together; at most ${names.most} are allowed.`] }
}

/** Who belongs to a group. */
export const memberRows: readonly Endpoint[] = [
  endpoint({
    id: 'listGroupUsers',
    room: 'directory',
    title: 'Group users',
    task: 'list users of group',
    effect: 'none',
    path: '/community/groups/:groupId/users',
    parameters: {},
    token: 'required',
    who: 'Members; administrators',
    summary: 'The owner, the managers and the members of a group.',
    source: 'documented',
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
    id: 'addGroupUsers',
    room: 'directory',
    title: 'Add users',
    task: 'add users to group',
    effect: 'change',
    path: '/community/groups/:groupId/addUsers',
    parameters: { users, admins },
    token: 'required',
    who: 'Owner and managers; administrators, and custom roles with portal:admin:assignToGroups (members only)',
    summary: 'Adds users of the organization; notAdded lists the usernames that were not added.',
    source: 'documented',
    chosen: ['A user who belongs to as many groups as is allowed is not added.'],
    answers: { json: object({ notAdded: list(text(), 'Usernames that were not added.') }) },
    example: { ids: { groupId }, parameters: { users: 'carla' }, answer: { notAdded: ['carla'] } },
    async answer({ ids, input, dependencies, run }) {
      const { notAdded, isAnyFull } = await run({ groupId: ids.groupId, names: parseNames(input) })
      if (isAnyFull) dependencies.limitCounts.add('memberships')
      return { json: { notAdded } }
    },
  }),
  endpoint({
    id: 'removeGroupUsers',
    room: 'directory',
    title: 'Remove users',
    task: 'remove users from group',
    effect: 'change',
    path: '/community/groups/:groupId/removeUsers',
    parameters: { users: removed },
    token: 'required',
    who: 'Owner and managers; administrators, and custom roles with portal:admin:updateGroups',
    summary: 'Removes members; notRemoved lists the usernames that were not removed, such as the owner.',
    source: 'documented',
    answers: { json: object({ notRemoved: list(text(), 'Usernames that were not removed.') }) },
    example: { ids: { groupId }, parameters: { users: 'anna' }, answer: { notRemoved: [] } },
    async answer({ ids, input, run }) {
      const listed = mapParsed(input, ({ users = [] }) => ({ users }))
      return { json: await run({ groupId: ids.groupId, names: listed }) }
    },
  }),
  endpoint({
    id: 'updateGroupUsers',
    room: 'directory',
    title: 'Update users',
    task: 'update users of group',
    effect: 'change',
    path: '/community/groups/:groupId/updateUsers',
    parameters: { users, admins },
    token: 'required',
    who: 'Owner and managers; administrators, and custom roles with portal:admin:updateGroups',
    summary: 'Changes the member type: users become members, admins become managers.',
    source: 'documented',
    answers: { json: object({ results: list(object({ username: text(), success: boolean() })) }) },
    example: {
      ids: { groupId },
      parameters: { admins: 'anna' },
      answer: { results: [{ username: 'anna', success: true }] },
    },
    async answer({ ids, input, run }) {
      return { json: await run({ groupId: ids.groupId, names: parseNames(input) }) }
    },
  }),
  ...(
    [
      [
        'join',
        'Users who can see the group, unless isInvitationOnly is true',
        'Makes the caller a member.',
        openGroupId,
      ],
      ['leave', 'Members except the owner', 'Ends the membership of the caller.', groupId],
    ] as const
  ).map(([verb, who, summary, groupId]) =>
    endpoint({
      id: `${verb}Group`,
      room: 'directory',
      title: `${verb === 'join' ? 'Join' : 'Leave'} group`,
      task: `${verb} group`,
      effect: 'change',
      path: `/community/groups/:groupId/${verb}`,
      parameters: {},
      token: 'required',
      who,
      summary,
      source: 'documented',
      answers: { json: changedGroupShape },
      example: { caller: 'anna', ids: { groupId }, answer: { success: true, groupId } },
      async answer({ ids, run }) {
        await run({ groupId: ids.groupId })
        return successWith({ groupId: ids.groupId })
      },
    }),
  ),
]
