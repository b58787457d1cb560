/**
 * Operations of the public ArcGIS Sharing REST API that a client of schemas and items calls, and everything that a request for one
 * may have. What is in none of these lists is an extension: a real portal ignores it silently, and this one counts its bytes.
 */

/** Parameters of every operation. */
const common = ['f', 'token']
const paging = ['start', 'num', 'sortField', 'sortOrder']
const searching = ['q', 'filter', 'categories', 'countFields', 'countSize', ...paging]

/** Members of a category: all else in a schema is an extension. `source` names a ready-made set (CORE). */
const ofCategories = ['categorySchema', 'title', 'description', 'source', 'categories']

export interface Documented {
  readonly name: string
  readonly path: RegExp
  readonly isPostOnly?: boolean
  readonly parameters: readonly string[]
}

const group = '(?<group>[0-9a-f]{32})'
const portal = '(?<portal>[0-9A-Za-z]{16}|self)'
const item = '(?<item>[0-9a-f]{32})'
const collaboration = `/portals/${portal}/collaborations/(?<collaboration>[0-9a-f]{32})`
const invitation = `${collaboration}/invitations/(?<invitation>[0-9a-f]{32})`

function operation(name: string, path: string, parameters: readonly string[], isPostOnly = false): Documented {
  return { name, path: new RegExp(`^${path}/?$`), parameters, isPostOnly }
}

/** By the pages of developers.arcgis.com/rest/users-groups-and-items. */
export const documented: readonly Documented[] = [
  operation('root', '', []),
  operation('info', '/info', []),
  operation('portal', `/portals/${portal}`, []),
  operation('self', '/community/self', []),
  operation('user', '/community/users/(?<user>[^/]+)', []),
  operation('generateToken', '/generateToken', ['username', 'password', 'client', 'referer', 'ip', 'expiration'], true),
  operation('authorize', '/oauth2/authorize', [
    ...['client_id', 'response_type', 'redirect_uri', 'state', 'expiration', 'code_challenge', 'code_challenge_method'],
  ]),
  operation(
    'oauthToken',
    '/oauth2/token',
    [
      ...['client_id', 'client_secret', 'grant_type', 'expiration', 'code', 'code_verifier', 'redirect_uri'],
      'refresh_token',
    ],
    true,
  ),
  operation('revokeToken', '/oauth2/revokeToken', ['auth_token', 'token_type_hint', 'client_id'], true),
  operation('groups', '/community/groups', ['q', 'filter', ...paging]),
  operation('group', `/community/groups/${group}`, []),
  operation('groupUsers', `/community/groups/${group}/users`, []),
  operation('portalUsers', `/portals/${portal}/users`, paging),
  operation('itemData', `/content/items/${item}/data`, []),
  operation('groupSchema', `/community/groups/${group}/categorySchema`, []),
  operation('assignGroupSchema', `/community/groups/${group}/assignCategorySchema`, ['categorySchema'], true),
  operation('deleteGroupSchema', `/community/groups/${group}/deleteCategorySchema`, [], true),
  operation('portalSchema', `/portals/${portal}/categorySchema`, []),
  operation('assignPortalSchema', `/portals/${portal}/assignCategorySchema`, ['categorySchema'], true),
  operation('deletePortalSchema', `/portals/${portal}/deleteCategorySchema`, [], true),
  operation('search', '/search', searching),
  operation('groupSearch', `/content/groups/${group}/search`, searching),
  operation('item', `/content/items/${item}`, []),
  operation('userContent', '/content/users/(?<user>[^/]+)', paging),
  // Lists have no documented parameters; their answers say where the next page starts.
  operation('collaborations', `/portals/${portal}/collaborations`, ['start']),
  operation('collaboration', collaboration, []),
  operation('workspaces', `${collaboration}/workspaces`, ['start']),
  operation('participants', `${collaboration}/participants`, ['start']),
  operation('invitations', `${collaboration}/invitations`, ['start']),
  operation('invitation', invitation, []),
  operation(
    'inviteParticipant',
    `${collaboration}/inviteParticipant`,
    ['guestPortalUrl', 'collaborationWorkspacesParticipantConfigJSON', 'expiration'],
    true,
  ),
  operation('refreshInvitation', `${invitation}/refresh`, [], true),
  operation('invalidateInvitation', `${invitation}/invalidate`, []),
  operation('history', `/portals/${portal}/history`, [
    ...['num', 'start', 'all', 'id', 'types', 'actors', 'owners', 'actions', 'fromDate', 'toDate', 'sortOrder', 'ips'],
  ]),
  operation('updateItems', '/content/updateItems', ['items'], true),
  operation('updateCategories', `/content/groups/${group}/updateCategories`, ['items'], true),
]

/** Headers of any client of HTTP, those of `fetch` among them, and those in which a token goes. */
const headers = new Set([
  ...['accept', 'accept-encoding', 'accept-language', 'authorization', 'cache-control', 'connection', 'content-length'],
  ...['content-type', 'host', 'origin', 'pragma', 'referer', 'sec-fetch-mode', 'transfer-encoding', 'user-agent'],
  'x-esri-authorization',
])

/** A piece of a request that no public page describes. */
export interface Extension {
  readonly where: string
  readonly text: string
}

export interface Received {
  readonly path: string
  readonly headers: NodeJS.Dict<string | string[]>
  readonly parameters: URLSearchParams
}

/** Everything in the request that is not documented for its operation; all of it where there is no such operation. */
export function findExtensions(found: Documented | undefined, received: Received): readonly Extension[] {
  if (!found) return [{ where: 'path', text: received.path }]
  const allowed = new Set([...common, ...found.parameters])
  const named = [...received.parameters].filter(([name]) => !allowed.has(name))
  const sent = Object.entries(received.headers).filter(([name]) => !headers.has(name))
  return [
    ...named.map(([name, value]) => ({ where: `${found.name} parameter`, text: `${name}=${value}` })),
    ...sent.map(([name, value]) => ({ where: `${found.name} header`, text: `${name}: ${value}` })),
    ...membersBeside(ofCategories, received.parameters.get('categorySchema')).map((text) => ({
      where: `${found.name} member of the schema`,
      text,
    })),
  ]
}

function membersBeside(known: readonly string[], json: string | null): readonly string[] {
  const found: string[] = []
  try {
    JSON.parse(json ?? '{}', function look(this: unknown, name: string, value: unknown) {
      if (name !== '' && !Array.isArray(this) && !known.includes(name)) found.push(`${name}:${JSON.stringify(value)}`)
      return value
    })
  } catch {
    // Not JSON: the operation refuses it.
  }
  return found
}

export function bytesOf(extensions: readonly Extension[]): number {
  return extensions.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0)
}
