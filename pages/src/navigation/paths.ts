/**
 * Addresses of the application, below the address of the server. `:name` stands for a segment. The server answers the
 * first segments with the application: `scripts/build-pages.mjs` takes them from here.
 */
export const paths = {
  home: '/',
  firstRun: '/first-run',
  organizationSchema: '/organization/schema',
  organizationReview: '/organization/schema/review',
  organizationHistory: '/organization/schema/history',
  organizationVersion: '/organization/schema/history/:version',
  organizationComparison: '/organization/schema/compare',
  organizationImport: '/organization/schema/import',
  organizationDrafts: '/organization/schema/drafts',
  organizationDraft: '/organization/schema/drafts/:draft',
  groups: '/groups',
  group: '/groups/:group',
  groupSchema: '/groups/:group/schema',
  groupReview: '/groups/:group/schema/review',
  groupHistory: '/groups/:group/schema/history',
  groupVersion: '/groups/:group/schema/history/:version',
  groupComparison: '/groups/:group/schema/compare',
  groupImport: '/groups/:group/schema/import',
  groupDrafts: '/groups/:group/schema/drafts',
  groupDraft: '/groups/:group/schema/drafts/:draft',
  groupCoverage: '/groups/:group/coverage',
  content: '/content',
  newItem: '/content/new',
  coverage: '/content/coverage',
  categoriesBySpreadsheet: '/content/spreadsheet',
  item: '/content/:item',
  collaborations: '/collaborations',
  newCollaboration: '/collaborations/new',
  collaboration: '/collaborations/:collaboration',
  newInvitation: '/collaborations/:collaboration/invite',
  invitation: '/collaborations/:collaboration/invitations/:invitation',
  people: '/people',
  organizationSettings: '/settings',
  roles: '/people/roles',
  permissionCheck: '/people/check',
  requests: '/people/requests',
  newPeople: '/people/new',
  apps: '/people/apps',
  person: '/people/users/:username',
  you: '/you',
  log: '/log',
  system: '/system',
} as const

export type PathName = keyof typeof paths
export type PathParameters = Readonly<Record<string, string>>

/** Address of a screen, such as `/groups/0f3c…/schema`. */
export function pathTo(name: PathName, parameters: PathParameters = {}): string {
  return paths[name].replace(/:(\w+)/g, (_, parameter: string) => encodeURIComponent(parameters[parameter] ?? ''))
}

/** Screen at an address, with the values of its parameters; screens without parameters go first. */
export function findPath(
  address: string,
): { readonly name: PathName; readonly parameters: PathParameters } | undefined {
  const given = segmentsOf(address)
  const candidates = Object.entries(paths).sort(([, a], [, b]) => Number(a.includes(':')) - Number(b.includes(':')))
  for (const [name, pattern] of candidates) {
    const parameters = matchSegments(segmentsOf(pattern), given)
    if (parameters) return { name: name as PathName, parameters }
  }
  return undefined
}

function segmentsOf(path: string): readonly string[] {
  return path.split('/').filter((segment) => segment !== '')
}

/** Path below that of the application, which may lack its final slash, or be absent. */
export function belowBase(path: string, basePath: string): string {
  if (path.startsWith(basePath)) return `/${path.slice(basePath.length)}`
  return `${path}/` === basePath ? '/' : path
}

function matchSegments(pattern: readonly string[], given: readonly string[]): PathParameters | undefined {
  if (pattern.length !== given.length) return undefined
  const parameters: Record<string, string> = {}
  for (const [position, segment] of pattern.entries()) {
    const value = decodeSegment(given[position]!)
    if (segment.startsWith(':')) parameters[segment.slice(1)] = value
    else if (segment !== value) return undefined
  }
  return parameters
}

/** Decodes a segment; invalidly encoded text is kept as it is. */
function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/** First segments of all addresses, for the server. */
export const firstSegments: readonly string[] = [
  ...new Set(Object.values(paths).flatMap((path) => segmentsOf(path).slice(0, 1))),
]
