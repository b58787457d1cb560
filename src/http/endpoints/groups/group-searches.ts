import { mapParsed, type Parsed } from '../../../call/parsed.ts'
import { sortOrders } from '../../../directory/group.ts'
import { type GroupSortField, parseGroupQuery } from '../../../directory/group-search.ts'
import type { GroupQuery } from '../../../directory/groups/search-operations.ts'
import { usernameLength } from '../../../directory/user.ts'
import { groupAnswer, landCover, singlePage } from '../../examples/examples.ts'
import { groupShape, groupToWire } from '../../shapes/directory/group.ts'
import { pageMembers, pageToWire } from '../../shapes/page.ts'
import { list, object, text } from '../../shapes/shape.ts'
import { type Endpoint, endpointsOf } from '../endpoint.ts'
import { pageParameters } from '../page-parameters.ts'
import { optionalChoice, optionalText, type Values } from '../parameter-types.ts'
import { sentByClients, withoutEffect } from '../unused-parameters.ts'

const endpoint = endpointsOf('directory')

/** Sort fields. Counts of views and marks are 0 for each group, so sorting by them keeps the default order. */
const sortFields = {
  title: 'title',
  owner: 'owner',
  created: 'created',
  modified: 'modified',
  numviews: 'title',
  avgrating: 'title',
} as const satisfies Readonly<Record<string, GroupSortField>>

const searchParameters = {
  q: optionalText(
    'What is searched: words, "phrases", field:value, field:[least TO most], AND, OR, NOT, brackets, and * at the end of words.',
  ),
  filter: optionalText('The same with whole values: field:"value", and operators in any case.'),
  sortField: optionalChoice('Field to sort by; default title.', Object.keys(sortFields) as (keyof typeof sortFields)[]),
  sortOrder: optionalChoice('Sort order; default asc.', sortOrders),
  searchUserAccess: optionalChoice('groupMember: only groups that the caller belongs to.', ['groupMember'] as const),
  searchUserName: optionalText(
    'With searchUserAccess: whose groups. Administrators, and custom roles with portal:admin:viewGroups, give any username.',
    { maxLength: usernameLength.max },
  ),
  ...withoutEffect('bbox', 'categories'),
  ...sentByClients('categoryFilters'),
  ...pageParameters,
}

export const groupSearchRows: readonly Endpoint[] = [
  endpoint({
    id: 'searchGroups',
    title: 'Groups',
    goals: ['Join a group'],
    path: '/community/groups',
    parameters: searchParameters,
    token: 'optional',
    who: 'Anyone; only groups that the caller can see are listed: their own, public ones, those of access org with portal:user:viewOrgGroups, all of the organization with portal:admin:viewGroups',
    summary: 'Searches for groups.',
    chosen: [
      'q and filter are understood as in /search. Fields: id, title, snippet, description, tags, owner, orgid and accountid (the same), access, created, modified, isinvitationonly, isviewonly, isleavingdisallowed, autojoin, membershipaccess, capabilities, phone; typekeywords match nothing, isopendata is false.',
      'Words without a field are searched in title, tags, snippet, description and owner, and 32 hexadecimal digits among the ids too.',
      'Groups that are equal in the sort field are in the order of their ids. numviews and avgrating are 0 for each group: they sort by title.',
      'An anonymous caller belongs to no group. searchUserName without searchUserAccess has no effect.',
    ],
    answers: {
      json: object({
        query: text('The given `q`.'),
        ...pageMembers,
        results: list(groupShape),
      }),
    },
    example: {
      parameters: { q: 'title:land OR title:"sea of fog"' },
      answer: {
        query: 'title:land OR title:"sea of fog"',
        ...singlePage('results', [groupAnswer(landCover, 'admin', 'owner')]),
      },
    },
    async answer({ input, run }) {
      const found = await run({ query: parseQuery(input), page: input })
      const page = pageToWire('results', found, ({ group, memberType }) =>
        groupToWire(group, found.username, memberType),
      )
      return { json: { query: ('value' in input && input.value.q) || '', ...page } }
    },
  }),
]

function parseQuery(input: Parsed<Values<typeof searchParameters>>): Parsed<GroupQuery> {
  if ('problems' in input) return input
  const { sortField = 'title', sortOrder = 'asc', searchUserAccess, searchUserName } = input.value
  const username = searchUserName?.trim()
  const membership = searchUserAccess && { of: username ? { username } : ('caller' as const) }
  return mapParsed(parseGroupQuery(input.value), (condition) => ({
    condition,
    membership,
    sortField: sortFields[sortField],
    sortOrder,
  }))
}
