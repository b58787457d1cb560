import { mapParsed, type Parsed } from '../../../call/parsed.ts'
import { sortOrders } from '../../../directory/group.ts'
import { parseUserQuery, type UserSearch, userSortFields } from '../../../directory/users/user-search.ts'
import { exampleIds, singlePage, userAnswers } from '../../examples/examples.ts'
import { userShape, userToWire } from '../../shapes/directory/user.ts'
import { pageMembers, pageToWire } from '../../shapes/page.ts'
import { list, object, text } from '../../shapes/shape.ts'
import { type Endpoint, endpointsOf } from '../endpoint.ts'
import { pageParameters } from '../page-parameters.ts'
import { optionalChoice, optionalText, type Values } from '../parameter-types.ts'
import { sentByClients, withoutEffect } from '../unused-parameters.ts'

const endpoint = endpointsOf('directory')

const { portalId } = exampleIds

const searchParameters = {
  q: optionalText(
    'What is searched: words, "phrases", field:value, field:[least TO most], AND, OR, NOT, brackets, and * at the end of words.',
  ),
  filter: optionalText('The same with whole values: field:"value", and operators in any case.'),
  sortField: optionalChoice('Field to sort by; default username.', userSortFields),
  sortOrder: optionalChoice('Sort order; default asc.', sortOrders),
  ...sentByClients('excludeSystemUsers'),
  ...withoutEffect('bbox', 'categories', 'categoryFilters', 'searchUserAccess', 'searchUserName'),
  ...pageParameters,
}

const foundUsersShape = object({
  query: text('The given `q`.'),
  ...pageMembers,
  results: list(userShape),
})

const who =
  'Members with portal:user:viewOrgUsers; private users are found by administrators, and custom roles with portal:admin:viewUsers'
const example = { q: 'username:a*' }
const answer = { query: example.q, ...singlePage('results', userAnswers) }

/** Users are found by members of their organization. */
export const userSearchRows: readonly Endpoint[] = [
  endpoint({
    id: 'searchUsers',
    title: 'Search users',
    path: '/community/users',
    parameters: searchParameters,
    who,
    summary: 'Searches for users of the organization.',
    chosen: [
      'q and filter are understood as in /search. Fields: username, fullname, firstname, lastname, id, role, orgid and accountid (the same), access, created, modified, email, disabled; userlicensetype, lastlogin, emailstatus and provider match nothing.',
      'Words without a field are searched in username and fullname.',
      'email and disabled match the caller only, except for administrators, and custom roles with portal:admin:viewUsers.',
      'Users who are equal in the sort field are in the order of their ids.',
    ],
    answers: { json: foundUsersShape },
    example: { parameters: example, answer },
    async answer({ input, run }) {
      const found = await run({ query: parseQuery(input), page: input })
      return { json: { query: queryOf(input), ...pageToWire('results', found, userToWire) } }
    },
  }),
  endpoint({
    id: 'searchPortalUsers',
    title: 'Search users of the organization',
    task: 'search users',
    path: '/portals/:portalId/users/search',
    parameters: searchParameters,
    who,
    summary: 'Searches for users of the organization.',
    source: 'observed',
    chosen: ['As /community/users.'],
    answers: { json: foundUsersShape },
    example: { ids: { portalId }, parameters: example, answer },
    async answer({ ids, input, run }) {
      const found = await run({ portalId: ids.portalId, query: parseQuery(input), page: input })
      return { json: { query: queryOf(input), ...pageToWire('results', found, userToWire) } }
    },
  }),
]

type SearchInput = Parsed<Values<typeof searchParameters>>

function parseQuery(input: SearchInput): Parsed<UserSearch> {
  if ('problems' in input) return input
  const { sortField = 'username', sortOrder = 'asc' } = input.value
  return mapParsed(parseUserQuery(input.value), (condition) => ({ condition, sortField, sortOrder }))
}

/** Answers are made only where the parameters are right. */
function queryOf(input: SearchInput): string {
  return ('value' in input && input.value.q) || ''
}
