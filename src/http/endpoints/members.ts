import { groupLimits } from '../../directory/group.ts'
import { mapParsed, type Parsed } from '../../parsed.ts'
import { exampleIds } from '../docs/examples.ts'
import { type Endpoint, endpoint } from './endpoint.ts'
import { optionalList } from './parameter-types.ts'

const { groupId, openGroupId } = exampleIds

const names = { most: groupLimits.namesInOneCall, maxLength: 128 }
const mostNames = `Usernames with commas between them, at most ${groupLimits.namesInOneCall}`
const users = optionalList(`${mostNames}: they become, or are, members.`, names)
const admins = optionalList(`${mostNames}: they become managers.`, names)

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
    summary: 'Owner, managers and members.',
    source: 'documented',
    example: { ids: { groupId }, answer: { owner: 'admin', admins: ['admin'], users: ['anna'] } },
    async answer({ ids, run }) {
      const members = await run({ groupId: ids.groupId })
      const of = (...types: string[]) =>
        members.filter(({ memberType }) => types.includes(memberType)).map(({ username }) => username)
      return { json: { owner: of('owner')[0], admins: of('owner', 'admin'), users: of('member') } }
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
    summary: 'Adds users of the organization; notAdded has the names that could not be.',
    source: 'documented',
    example: { ids: { groupId }, parameters: { users: 'nobody' }, answer: { notAdded: ['nobody'] } },
    async answer({ ids, input, run }) {
      return { json: await run({ groupId: ids.groupId, names: parseNames(input) }) }
    },
  }),
  endpoint({
    id: 'removeGroupUsers',
    room: 'directory',
    title: 'Remove users',
    task: 'remove users from group',
    effect: 'change',
    path: '/community/groups/:groupId/removeUsers',
    parameters: { users },
    token: 'required',
    who: 'Owner and managers; administrators, and custom roles with portal:admin:updateGroups',
    summary: 'Removes members; notRemoved has the names that could not be, the owner among them.',
    source: 'documented',
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
    summary: 'Gives members another member type: users become members, admins managers.',
    source: 'documented',
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
      ['join', 'Whoever sees a group that is not by invitation only', 'The caller becomes a member.', openGroupId],
      ['leave', 'Members but the owner', 'The caller is a member no longer.', groupId],
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
      example: { caller: 'anna', ids: { groupId }, answer: { success: true, groupId } },
      async answer({ ids, run }) {
        await run({ groupId: ids.groupId })
        return { json: { success: true, groupId: ids.groupId } }
      },
    }),
  ),
]
