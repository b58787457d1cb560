import { type Endpoint, kindOf, type Room } from '../endpoints/endpoint.ts'

/** What the rooms are about, for those who read the OpenAPI document or the reference; in the order of the table. */
export const rooms: Readonly<Record<Room, { readonly title: string; readonly description: string }>> = {
  tokens: { title: 'Tokens', description: 'Sign-in, sign-out and passwords.' },
  directory: { title: 'Directory', description: 'The server, its organizations, and their users, roles and groups.' },
  categories: {
    title: 'Categories',
    description: 'Category schemas: the trees by which the content of a group or an organization is sorted.',
  },
  collaborations: {
    title: 'Collaborations',
    description: 'Distributed collaborations, their workspaces, and the invitations by which portals take part.',
  },
}

/** Where an operation comes from, for those who do not know the marks of the table. */
export function formatSource({ source }: Pick<Endpoint, 'source'>): string {
  return sources[source] ?? source.replace(/^description /, 'the service description, ')
}

const sources: Readonly<Record<string, string>> = {
  documented: 'documented for the public API',
  observed: 'observed in what clients send or need',
  chosen: 'chosen here; the public API shows nothing like it',
}

/** The HTTP methods of an operation, the usual one first. */
export function methodsOf(row: Endpoint): readonly ('GET' | 'POST')[] {
  if (kindOf(row) === 'resource') return ['GET', 'POST']
  return row.isCalledByGet ? ['POST', 'GET'] : ['POST']
}
