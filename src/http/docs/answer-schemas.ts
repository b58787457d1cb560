import { formats } from '../answer.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'

/** A JSON Schema, as far as this file writes them. */
export type Schema = Readonly<Record<string, unknown>>

/**
 * Objects that come in many answers are described once, under these names. By this member an object is known for one
 * of them, and every such object has it.
 */
const marks = {
  CategorySchema: 'categorySchema',
  Collaboration: 'collaborationHostPortalId',
  Group: 'userMembership',
  Invitation: 'invitationString',
  InvitationFile: 'hostPublicKey',
  InvitationRequest: 'hostPortalName',
  InvitationResponse: 'guestPortalName',
  InvitationResponseFile: 'guestPublicKey',
  Participant: 'collaborationRole',
  Portal: 'portalMode',
  PublicKey: 'kty',
  User: 'lastLogin',
  Workspace: 'participantGroupLinks',
} as const
type Shape = keyof typeof marks

const descriptions: Readonly<Partial<Record<Shape, string>>> = {
  InvitationFile:
    'What the host sends to the guest, byte for byte: the request in the clear, the public key of the host, and a compact JWS (Ed25519) whose payload is the request.',
  InvitationResponse:
    'What the guest answers. `id` is the id of the invitation, `invitationDigest` the SHA-256 of its file in hex.',
  InvitationResponseFile:
    'What the guest sends back, byte for byte: the response in the clear, the public key of the guest, and a compact JWS (Ed25519) whose payload is the response.',
  Participant: 'An organization that takes part, as the host or as a guest.',
  PublicKey: 'An Ed25519 key as a JWK.',
  Portal: 'An organization. `user` is there where the caller belongs to it.',
  User: 'A user. `privileges` and `groups` are there where one user is asked for, `roleId` where the role is a custom one.',
}

/** Members that every list has beside its entries. */
const pageMembers = ['total', 'start', 'num', 'nextStart']

export function referTo(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` }
}

/** The schema of an operation's answer, as its example shows it: an example has every member that answers always have. */
export function describeAnswer({ example }: Endpoint): Schema {
  const answer = example.answer as Readonly<Record<string, unknown>>
  const names = Object.keys(answer)
  if (shapeOf(answer)) return describe(answer)
  if (names.length === 1 && answer['success'] === true) return referTo('Success')
  const isPage = pageMembers.every((name) => names.includes(name))
  const own = isPage ? names.filter((name) => !pageMembers.includes(name)) : names
  const described = { ...describeMembers(answer, own), required: own }
  return isPage ? { allOf: [referTo('Page'), described] } : described
}

/** The shapes that the examples show, each with all the members that any of them has. */
export function describeShapes(table: readonly Endpoint[]): Readonly<Record<string, Schema>> {
  const seen = new Map<Shape, Record<string, unknown>>()
  const look = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    const shape = Array.isArray(value) ? undefined : shapeOf(value)
    if (shape) seen.set(shape, { ...seen.get(shape), ...value })
    for (const member of Object.values(value)) look(member)
  }
  for (const { example } of table) look(example.answer)
  const described = [...seen]
    .filter(([shape]) => !Object.hasOwn(fixedSchemas, shape))
    .map(([shape, value]) => {
      const description = descriptions[shape]
      const members = { ...describeMembers(value, Object.keys(value)), required: [marks[shape]] }
      return [shape, { ...(description ? { description } : {}), ...members }] as const
    })
  return Object.fromEntries(described.sort(([one], [other]) => one.localeCompare(other)))
}

function shapeOf(value: object): Shape | undefined {
  return (Object.keys(marks) as Shape[]).find((shape) => Object.hasOwn(value, marks[shape]))
}

function describe(value: unknown): Schema {
  if (value === null) return { type: ['string', 'null'] }
  if (Array.isArray(value)) return { type: 'array', items: describeEntries(value) }
  if (typeof value === 'object') {
    const shape = shapeOf(value)
    return shape ? referTo(shape) : describeMembers(value, Object.keys(value))
  }
  return { type: typeof value === 'number' ? 'integer' : typeof value }
}

function describeEntries(entries: readonly unknown[]): Schema {
  const isObjects = entries.length > 0 && entries.every((entry) => typeof entry === 'object' && entry !== null)
  return isObjects ? describe(Object.assign({}, ...entries)) : entries.length > 0 ? describe(entries[0]) : {}
}

function describeMembers(value: object, names: readonly string[]): Schema {
  const members = value as Readonly<Record<string, unknown>>
  if (names.length === 0) return { type: 'object' }
  return { type: 'object', properties: Object.fromEntries(names.map((name) => [name, describe(members[name])])) }
}

export const formatMeaning =
  'Format of the answer. If not given: HTML for whoever prefers it by the Accept header (a browser), else JSON.'

/** Every form takes these. */
export const everyForm = { f: referTo('Format'), token: referTo('Token') }

/** What no example shows well enough. */
export const fixedSchemas = {
  Format: { type: 'string', enum: formats, description: formatMeaning },
  Token: { type: 'string', format: 'password', description: 'A token, where it is in no header and not in the query.' },
  Form: { type: 'object', properties: everyForm },
  Success: { type: 'object', properties: { success: { type: 'boolean', const: true } }, required: ['success'] },
  Page: {
    type: 'object',
    description: 'A part of a list.',
    properties: {
      total: { type: 'integer', description: 'Entries in the whole list.' },
      start: { type: 'integer', description: 'Position of the first entry here, from 1.' },
      num: { type: 'integer', description: 'Entries that were asked for.' },
      nextStart: { type: 'integer', description: 'Where the next part starts, -1 at the end.' },
    },
    required: ['total', 'start', 'num', 'nextStart'],
  },
  ErrorEnvelope: {
    type: 'object',
    properties: {
      error: {
        type: 'object',
        properties: {
          code: { type: 'integer', description: 'Like an HTTP status.' },
          messageCode: { type: 'string', description: 'Only where the API has one, such as ORG_1132.' },
          message: { type: 'string' },
          details: { type: 'array', items: { type: 'string' } },
        },
        required: ['code', 'message', 'details'],
      },
    },
    required: ['error'],
  },
  CategorySchema: {
    type: 'object',
    description: 'At most 4 levels and 200 categories in all. An empty list is what is read where no schema is set.',
    properties: { categorySchema: { type: 'array', maxItems: 5, items: referTo('Category') } },
    required: ['categorySchema'],
  },
  Category: {
    type: 'object',
    description: 'A category; one from a ready-made set has `source`, and may lack a title.',
    properties: {
      title: { type: 'string', maxLength: 100, description: 'Under 100 characters in a group.' },
      description: { type: 'string', maxLength: 300, description: 'Under 300 characters in a group.' },
      source: { type: 'string', description: 'Name of a ready-made set, kept as it is.' },
      categories: { type: 'array', items: referTo('Category') },
    },
    anyOf: [{ required: ['title'] }, { required: ['source'] }],
  },
}
