import { type Endpoint, isSentByPost, kindOf, type Room } from './endpoint.ts'

/** Rooms, as the OpenAPI document and the reference describe them; in the order of the table. */
export const rooms: Readonly<Record<Room, { readonly title: string; readonly description: string }>> = {
  tokens: { title: 'Tokens', description: 'Sign-in, sign-out and passwords.' },
  oauth: { title: 'OAuth', description: 'Tokens of apps that users sign in to.' },
  directory: { title: 'Directory', description: 'The server, its organizations, and their users, roles and groups.' },
  categories: {
    title: 'Categories',
    description: 'Category schemas: trees of categories for the content of a group or an organization.',
  },
  items: {
    title: 'Items',
    description: 'Content that is described here: its data, its categories, and who it is shared with.',
  },
  collaborations: {
    title: 'Collaborations',
    description: 'Distributed collaborations, their workspaces, and the invitations of participants.',
  },
  webhooks: {
    title: 'Webhooks',
    description: 'Programs that learn of changes: deliveries are sent to them, or fetched by them.',
  },
  audit: { title: 'Audit', description: 'The log of an organization: what was done and what was refused.' },
}

/** Describes the source of an operation in words. */
export function formatSource({ source }: Pick<Endpoint, 'source'>): string {
  return sources[source] ?? 'specified for this service'
}

const sources: Readonly<Record<string, string>> = {
  documented: 'documented for the public API',
  observed: 'observed in what clients send or need',
  chosen: 'chosen here; not in the public API',
}

/** The HTTP methods of an operation, the usual one first. */
export function methodsOf(row: Endpoint): readonly ('GET' | 'POST')[] {
  if (row.sharesPath) return kindOf(row) === 'resource' ? ['GET'] : ['POST']
  if (kindOf(row) === 'resource') return isSentByPost(row) ? ['POST', 'GET'] : ['GET', 'POST']
  return row.isCalledByGet ? ['POST', 'GET'] : ['POST']
}
