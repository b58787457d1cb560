import {
  bodyTooLarge,
  categorySchemaRejected,
  type PortalError,
  resourceNotFound,
  serviceUnavailable,
  tokenInvalid,
  tokenRequired,
  tooManyRequests,
  unexpectedError,
} from '../../errors.ts'
import { version } from '../../version.ts'
import { errorShape, formatEnvelope, warningsShape } from '../answer.ts'
import { type Endpoint, mayBeTooMany, shapeOf } from '../endpoints/endpoint.ts'
import { formatSource, methodsOf, rooms } from '../endpoints/operation-docs.ts'
import { warnsOf } from '../endpoints/parameter-warnings.ts'
import { categorySchemaShape } from '../shapes/categories/category-schema.ts'
import type { PageRow } from '../sign-in/page-row.ts'
import { describeComponents, describeShape, referTo } from './components.ts'
import { describeBody, describeForms, describeQuery, formatMeaning, sharedSchemas } from './openapi-forms.ts'
import { describePages, pagesTag } from './openapi-pages.ts'

/** The OpenAPI document of the operations and the pages of sign-in; `server` is the public root of the API. */
export function formatOpenApi(table: readonly Endpoint[], server: string, pages: readonly PageRow[] = []): object {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Cartulary',
      version,
      description: overview,
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: server }],
    tags: [...tagsOf(table), ...(pages.length > 0 ? [pagesTag] : [])],
    paths: {
      ...describePaths(table),
      ...describePages(pages, server),
    },
    components: formatComponents(table),
  }
}

const overview = `Content categories and collaboration invitations over the public Sharing REST API.

**Errors are HTTP 200.** The outcome is in the body: an object with \`error\`, whose \`code\` is comparable to an HTTP status. Only failures outside the API (a body too large, a rate limit, an internal error, an outage) have a status of their own. With the setting \`HTTP_ERROR_STATUS=match\`, every error has the status of its code.

**Parameters** are taken from the query and from a urlencoded or multipart body. Their names are case-insensitive, and the body overrides the query. Values that are JSON are JSON text in one field.

**A token** is sent as the parameter \`token\` in the query or the body, or as \`Bearer\` in \`X-Esri-Authorization\` or \`Authorization\`.`

function tagsOf(table: readonly Endpoint[]): readonly object[] {
  const used = Object.entries(rooms).filter(([room]) => table.some((row) => row.room === room))
  return used.map(([, { title, description }]) => ({ name: title, description }))
}

function pathOf({ path }: Endpoint): string {
  return path.replace(/:(\w+)/g, '{$1}')
}

function idsOf({ path }: Endpoint): readonly string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, id]) => id!)
}

/** Paths with their operations; where two rows have one path, each has a method of its own. */
function describePaths(table: readonly Endpoint[]): object {
  const paths = [...Map.groupBy(table, pathOf)]
  return Object.fromEntries(paths.map(([path, rows]) => [path, Object.assign({}, ...rows.map(describePath))]))
}

function describePath(row: Endpoint): object {
  const ids = idsOf(row).map((name) => ({ $ref: `#/components/parameters/${name}` }))
  const [usual] = methodsOf(row)
  const operations = methodsOf(row).map((method) => {
    const described = {
      operationId: method === usual ? row.id : `${row.id}By${method === 'GET' ? 'Get' : 'Post'}`,
      summary: row.title,
      description: describeOperation(row),
      tags: [rooms[row.room].title],
      security: securityOf(row),
      ...(method === 'GET' ? { parameters: describeQuery(row) } : { requestBody: describeBody(row) }),
      responses: describeResponses(row),
    }
    return [method.toLowerCase(), described]
  })
  return { ...(ids.length > 0 ? { parameters: ids } : {}), ...Object.fromEntries(operations) }
}

function describeOperation(row: Endpoint): string {
  const { summary, who, since, chosen = [] } = row
  const notes =
    chosen.length > 0
      ? [`Chosen here, since the public API does not show it:\n\n${chosen.map((note) => `- ${note}`).join('\n')}`]
      : []
  return [
    summary,
    `**Who:** ${who}.`,
    `**Source:** ${formatSource(row)}.${since ? ` **Since:** ${since}.` : ''}`,
    ...notes,
  ].join('\n\n')
}

function securityOf({ token }: Endpoint): readonly object[] {
  const schemes = Object.keys(securitySchemes).map((name) => ({ [name]: [] }))
  return { none: [{}], optional: [{}, ...schemes], required: schemes }[token]
}

const securitySchemes = {
  tokenParameter: {
    type: 'apiKey',
    in: 'query',
    name: 'token',
    description: 'A token from generateToken. It may also be in a form body, under the same name.',
  },
  esriHeader: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Esri-Authorization',
    description: '`Bearer`, a space, and the token.',
  },
  authorizationHeader: { type: 'http', scheme: 'bearer', description: 'The token in `Authorization`.' },
}

function describeResponses(row: Endpoint): object {
  return {
    200: { $ref: `#/components/responses/${row.id}` },
    413: { $ref: '#/components/responses/bodyTooLarge' },
    ...(mayBeTooMany(row) ? { 429: { $ref: '#/components/responses/tooManyRequests' } } : {}),
    500: { $ref: '#/components/responses/unexpectedError' },
    503: { $ref: '#/components/responses/serviceUnavailable' },
    default: { $ref: '#/components/responses/matchedError' },
  }
}

/** `anyOf` for answers that have a member `error` of their own or any members, as they may match the error schema too. */
function choiceOf(row: Endpoint): 'oneOf' | 'anyOf' {
  return 'text' in row.answers || 'error' in (shapeOf(row).properties ?? {}) ? 'anyOf' : 'oneOf'
}

const text = { schema: { type: 'string' } }
const bytes = { schema: { type: 'string', format: 'binary' } }

function otherTypesOf({ answers }: Endpoint): readonly string[] {
  return ('file' in answers && answers.otherTypes) || []
}

function isText(type: string): boolean {
  return type.startsWith('text/') || type.endsWith('json')
}

/** Describes the response with HTTP 200, which both outcomes have. */
function describeOutcome(row: Endpoint): object {
  const errors = [
    ...(row.token === 'none' ? [] : ['tokenInvalid']),
    ...(row.token === 'required' ? ['tokenRequired'] : []),
    ...(row.bareBody ? ['categorySchemaRejected'] : []),
    ...(idsOf(row).includes('portalId') ? ['resourceNotFound'] : []),
  ]
  const examples = errors.map((name) => [name, { $ref: `#/components/examples/${name}` }])
  return {
    description: `${'file' in row.answers ? 'The file, with a name in Content-Disposition' : 'The answer'}; or an error.`,
    content: {
      'application/json': {
        schema: {
          [choiceOf(row)]: [describeShape(shapeOf(row)), describeShape(errorShape)],
          ...(warnsOf(row) && { properties: { warnings: describeShape(warningsShape) } }),
        },
        examples: { answer: { value: row.example.answer }, ...Object.fromEntries(examples) },
      },
      ...Object.fromEntries(otherTypesOf(row).map((type) => [type, isText(type) ? text : bytes])),
      ...('text' in row.answers || 'texts' in row.answers ? { 'text/plain': text } : {}),
      ...('text' in row.answers ? {} : { 'text/html': text }),
    },
  }
}

function describeFailure(description: string, failure: PortalError): object {
  const example = formatEnvelope(failure)
  const retry = failure.retryAfterSeconds !== undefined
  return {
    description,
    ...(retry ? { headers: { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } } } } : {}),
    content: { 'application/json': { schema: describeShape(errorShape), example } },
  }
}

const exampleRequestId = '0a1b2c3d4e5f60718293a4b5c6d7e8f9'
const exampleBytes = 1024 * 1024

function formatComponents(table: readonly Endpoint[]): object {
  const byName = (rows: readonly (readonly [string, object])[]) => Object.fromEntries(rows)
  return {
    securitySchemes,
    parameters: {
      f: { name: 'f', in: 'query', description: formatMeaning, schema: referTo('Format') },
      ...describeIds(table),
    },
    schemas: {
      ...sharedSchemas,
      ...describeComponents([errorShape, warningsShape, categorySchemaShape, ...table.map(shapeOf)]),
      ...byName(table.flatMap(describeForms)),
    },
    examples: byName(Object.entries(sampleErrors).map(([name, error]) => [name, { value: formatEnvelope(error) }])),
    responses: {
      ...byName(table.map((row) => [row.id, describeOutcome(row)])),
      bodyTooLarge: describeFailure('The body is too large.', bodyTooLarge(exampleBytes)),
      tooManyRequests: describeFailure(
        'Too many unanswered writes of the user, or too many failed sign-ins.',
        tooManyRequests('signInFailures', 900),
      ),
      unexpectedError: describeFailure(
        'Internal error; details has the id of the request.',
        unexpectedError(exampleRequestId),
      ),
      serviceUnavailable: describeFailure(
        'The server is overloaded, or the database cannot be reached.',
        serviceUnavailable(),
      ),
      matchedError: describeFailure(
        'Only with HTTP_ERROR_STATUS=match: the error, under the HTTP status of its code.',
        resourceNotFound(),
      ),
    },
  }
}

const sampleErrors = {
  tokenRequired: tokenRequired(),
  tokenInvalid: tokenInvalid(),
  resourceNotFound: resourceNotFound(),
  categorySchemaRejected: categorySchemaRejected(['Category schema exceeds max tree size or empty.']),
}

const idMeanings: Readonly<Record<string, string>> = {
  portalId: 'The organization: 16 letters and digits, or `self` for that of the caller.',
  groupId: 'A group: 32 lower-case hex characters.',
  username: 'A username, case-insensitive, or the id of a user.',
  itemId: 'An item: 32 lower-case hex characters.',
  folderId: 'A folder: there is none.',
  folderOperation: 'What is done in the folder.',
  infoName: 'A file, or the folder of one.',
  fileName: 'A file.',
  roleId: 'A custom role: 16 letters and digits.',
  clientId: 'An app, by the id that it has as a client.',
  collaborationId: 'A collaboration: 32 lower-case hex characters.',
  workspaceId: 'A workspace: 32 lower-case hex characters.',
  draftId: 'A draft of a category schema: 32 lower-case hex characters.',
  templateName: 'A template, as in the list of them.',
  jobId: 'A job: 32 lower-case hex characters.',
  runId: 'A run, by the id of its job: 32 lower-case hex characters.',
  entryId: 'An entry of the log: a whole number.',
  groupInvitationId: 'An invitation to a group: 32 lower-case hex characters.',
  notificationId: 'A notification: 32 lower-case hex characters.',
  invitationId: 'An invitation: 32 lower-case hex characters.',
  sessionId: 'A session, as in the list of them: 32 lower-case hex characters.',
  version: 'A version of a category schema: a whole number from 1.',
  webhookId: 'A webhook: 32 lower-case hex characters.',
  deliveryId: 'A delivery of a webhook: `msg_` and 32 lower-case hex characters.',
  participantId: 'The organization of a participant: 16 letters and digits.',
}

function describeIds(table: readonly Endpoint[]): Readonly<Record<string, object>> {
  const named = table.flatMap((row) => idsOf(row).map((name) => [name, row.example.ids?.[name]] as const))
  const described = [...new Map(named)].map(([name, example]) => [
    name,
    {
      name,
      in: 'path',
      required: true,
      description: idMeanings[name] ?? 'An identifier.',
      schema: { type: 'string' },
      example,
    },
  ])
  return Object.fromEntries(described)
}
