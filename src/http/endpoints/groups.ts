import { groupAccesses, groupLimits, sortOrders } from '../../directory/group.ts'
import { type GroupQuery, groupSortFields, parseGroupTerms } from '../../directory/group-query.ts'
import { mapParsed, type Parsed } from '../../parsed.ts'
import { listAnswer, success } from '../answer.ts'
import { exampleIds, generatedIds, groupAnswer, landCover, singlePage } from '../docs/examples.ts'
import { type Endpoint, endpoint } from './endpoint.ts'
import { memberRows } from './members.ts'
import {
  onlyGiven,
  optionalBoolean,
  optionalChoice,
  optionalList,
  optionalText,
  pageParameters,
  requiredText,
} from './parameter-types.ts'
import { changeOf, clearEmptyFields } from './partial-update.ts'
import { groupToWire } from './wire.ts'

const { groupId } = exampleIds

const titleRules = { maxLength: groupLimits.title }
const title = 'Title.'

/** What may be said of a group, beside its title. */
const properties = {
  tags: optionalList('Tags, with commas between them.', { most: groupLimits.tags, maxLength: 128 }),
  access: optionalChoice('Who sees the group: its members, the organization, or everybody.', groupAccesses),
  description: optionalText('Description.', { maxLength: groupLimits.description }),
  snippet: optionalText('Summary.', { maxLength: groupLimits.snippet }),
  sortField: optionalText('Field by which its content is sorted.', { maxLength: 64 }),
  sortOrder: optionalChoice('Order in which its content is sorted.', sortOrders),
  isViewOnly: optionalBoolean('Whether members only look.'),
  isInvitationOnly: optionalBoolean('Whether nobody joins by himself.'),
  autoJoin: optionalBoolean('Whether requests to join are accepted at once.'),
}

/** Groups; their members are in the rows of members.ts. */
export const groupRows: readonly Endpoint[] = [
  endpoint({
    id: 'searchGroups',
    room: 'directory',
    title: 'Groups',
    task: 'search groups',
    effect: 'none',
    path: '/community/groups',
    parameters: {
      q: optionalText('Words, and field:value pairs of id, title, owner, tags, access, orgid; all must match.', {
        maxLength: 1_000,
      }),
      sortField: optionalChoice('Field to sort by, title if not given.', groupSortFields),
      sortOrder: optionalChoice('Order, asc if not given.', sortOrders),
      ...pageParameters,
    },
    token: 'optional',
    who: 'Anyone; the answer has only what the caller sees',
    summary: 'Finds groups.',
    source: 'documented',
    chosen: ['OR, NOT, ranges and wildcards in q are refused rather than misread; quoted text means itself.'],
    links: (value) =>
      ((value as { results?: readonly { id: string; title: string }[] }).results ?? []).map(({ id, title }) => ({
        text: title,
        path: `/community/groups/${id}`,
      })),
    example: {
      parameters: { q: 'title:land' },
      answer: { query: 'title:land', ...singlePage('results', [groupAnswer(landCover, 'admin', 'owner')]) },
    },
    async answer({ input, run }) {
      const query = parseQuery(input)
      const found = await run({ query, page: input })
      const answer = listAnswer('results', found, ({ group, memberType }) =>
        groupToWire(group, found.username, memberType),
      )
      return { json: { query: ('value' in input && input.value.q) || '', ...('json' in answer ? answer.json : {}) } }
    },
  }),
  endpoint({
    id: 'createGroup',
    room: 'directory',
    title: 'Create group',
    task: 'create group',
    effect: 'change',
    path: '/community/createGroup',
    parameters: { title: requiredText(title, titleRules), ...properties },
    token: 'required',
    who: 'Users with portal:user:createGroup',
    summary: 'Makes a group, which the caller owns.',
    source: 'documented',
    chosen: ['Without access the group is private; nobody joins by himself unless isInvitationOnly=false.'],
    example: {
      parameters: { title: 'Water', tags: 'lakes,rivers', access: 'org' },
      answer: {
        success: true,
        group: groupAnswer({ id: generatedIds.id, title: 'Water', tags: ['lakes', 'rivers'] }, 'admin', 'owner'),
      },
    },
    async answer({ input, dependencies, run }) {
      const groupId = dependencies.random.id()
      const properties = mapParsed(input, ({ title, ...rest }) => ({ title, ...onlyGiven(rest) }))
      const { group, memberType } = await run({ groupId, properties })
      return { json: { success: true, group: groupToWire(group, group.ownerUsername, memberType) } }
    },
  }),
  endpoint({
    id: 'readGroup',
    room: 'directory',
    title: 'Group',
    task: 'read group',
    effect: 'none',
    path: '/community/groups/:groupId',
    parameters: {},
    token: 'optional',
    who: 'Members; the organization or anyone as its access says; administrators',
    summary: 'A group, and how the caller belongs to it.',
    source: 'documented',
    links: (value) => {
      const { owner, orgId } = value as { owner: string; orgId: string }
      return [
        { text: `Owner: ${owner}`, path: `/community/users/${owner}` },
        { text: 'Organization', path: `/portals/${orgId}` },
      ]
    },
    example: { ids: { groupId }, answer: groupAnswer(landCover, 'admin', 'owner') },
    async answer({ ids, run }) {
      const { group, memberType, username } = await run({ groupId: ids.groupId })
      return { json: groupToWire(group, username, memberType) }
    },
  }),
  endpoint({
    id: 'updateGroup',
    room: 'directory',
    title: 'Update group',
    task: 'update group',
    effect: 'change',
    path: '/community/groups/:groupId/update',
    parameters: { title: optionalText(title, titleRules), ...properties, clearEmptyFields },
    token: 'required',
    who: 'Owner and managers; administrators, and custom roles with portal:admin:updateGroups',
    summary: 'Changes what is given and leaves the rest.',
    source: 'documented',
    example: { ids: { groupId }, parameters: { snippet: 'What covers the land' }, answer: { success: true, groupId } },
    async answer({ ids, input, run }) {
      const { groupId } = ids
      await run({ groupId, change: changeOf(input, 'title', 'sortField') })
      return { json: { success: true, groupId } }
    },
  }),
  endpoint({
    id: 'deleteGroup',
    room: 'directory',
    title: 'Delete group',
    task: 'delete group',
    effect: 'change',
    path: '/community/groups/:groupId/delete',
    parameters: {},
    token: 'required',
    who: 'Owner; administrators, and custom roles with portal:admin:deleteGroups',
    summary: 'Removes the group. Versions of its category schema are kept.',
    source: 'documented',
    example: { ids: { groupId }, answer: { success: true, groupId } },
    async answer({ ids, run }) {
      await run({ groupId: ids.groupId })
      return { json: { success: true, groupId: ids.groupId } }
    },
  }),
  ...(['protect', 'unprotect'] as const).map((verb) =>
    endpoint({
      id: `${verb}Group`,
      room: 'directory',
      title: `${verb === 'protect' ? 'Protect' : 'Unprotect'} group`,
      task: `${verb} group`,
      effect: 'change',
      path: `/community/groups/:groupId/${verb}`,
      parameters: {},
      token: 'required',
      who: 'Owner; administrators, and custom roles with portal:admin:deleteGroups',
      summary: verb === 'protect' ? 'Refuses deletion from now on.' : 'Allows deletion again.',
      source: 'documented',
      example: { ids: { groupId }, answer: { success: true } },
      async answer({ ids, run }) {
        await run({ groupId: ids.groupId })
        return success
      },
    }),
  ),
  endpoint({
    id: 'reassignGroup',
    room: 'directory',
    title: 'Reassign group',
    task: 'reassign group',
    effect: 'change',
    path: '/community/groups/:groupId/reassign',
    parameters: { targetUsername: requiredText('Username of the new owner, of the same organization.') },
    token: 'required',
    who: 'Owner; administrators, and custom roles with portal:admin:reassignGroups',
    summary: 'Gives the group another owner; the former one stays as a manager.',
    source: 'documented',
    example: { ids: { groupId }, parameters: { targetUsername: 'anna' }, answer: { success: true, groupId } },
    async answer({ ids, input, run }) {
      await run({ groupId: ids.groupId, target: input })
      return { json: { success: true, groupId: ids.groupId } }
    },
  }),
  ...memberRows,
]

interface QueryWish {
  readonly q: string | undefined
  readonly sortField: GroupQuery['sortField'] | undefined
  readonly sortOrder: GroupQuery['sortOrder'] | undefined
}

function parseQuery(input: Parsed<QueryWish>): Parsed<GroupQuery> {
  if ('problems' in input) return input
  const { q = '', sortField = 'title', sortOrder = 'asc' } = input.value
  return mapParsed(parseGroupTerms(q), (terms) => ({ terms, sortField, sortOrder }))
}
