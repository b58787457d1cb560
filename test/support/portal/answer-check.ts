import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { LightMyRequestResponse } from 'fastify'
import { formatOpenApi } from '../../../src/http/docs/openapi.ts'
import { type Endpoint, mayBeTooMany, shapeOf } from '../../../src/http/endpoints/endpoint.ts'
import { methodsOf } from '../../../src/http/endpoints/operation-docs.ts'
import { endpointTable } from '../../../src/http/endpoints/table.ts'
import type { JsonSchema } from '../../../src/http/shapes/shape.ts'

/** Holds answers against the OpenAPI document: what is not as described there fails the test that asked. */

interface Choice extends Partial<Record<'oneOf' | 'anyOf', readonly JsonSchema[]>> {
  readonly properties?: Readonly<Record<string, JsonSchema>>
}

interface Document {
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>
    readonly responses: Readonly<Record<string, { readonly content: Readonly<Record<string, { schema: Choice }>> }>>
  }
}

const { components } = formatOpenApi(endpointTable, 'https://portal.test/sharing/rest') as Document
const ajv = new Ajv2020({ formats: { int64: true } })
ajv.addVocabulary(['components', 'x-unit'])
ajv.addSchema({ $id: 'answers', components: { schemas: close(components.schemas) } })
const validators = new Map<string, ValidateFunction>()

/** Mismatches of the value with the response of a row, or with an error; undefined where there are none. */
export function findMismatch(row: Endpoint | 'error', value: unknown): string | undefined {
  const validate = findValidator(row)
  if (validate(value)) return undefined
  return ajv.errorsText(validate.errors, { dataVar: '', separator: '; ' })
}

function findValidator(row: Endpoint | 'error'): ValidateFunction {
  const id = row === 'error' ? row : row.id
  const known = validators.get(id)
  if (known) return known
  const schema = row === 'error' ? components.schemas['ErrorEnvelope'] : schemaOf(row)
  const validate = ajv.compile(rebase(close(schema)))
  validators.set(id, validate)
  return validate
}

/** Schema of a row's success, without that of errors; with the members that any success may have. */
function schemaOf({ id }: Endpoint): JsonSchema | undefined {
  const { oneOf, anyOf, properties } = components.responses[id]?.content['application/json']?.schema ?? {}
  const success = (oneOf ?? anyOf)?.[0]
  if (!properties || !success) return success
  const named = typeof success['$ref'] === 'string' ? success['$ref'].split('/').at(-1) : undefined
  const own = named === undefined ? success : components.schemas[named]!
  return { ...own, properties: { ...properties, ...own.properties } }
}

/** Closes a schema to members that it does not name, unless it says that there may be others. */
function close(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(close)
  if (typeof schema !== 'object' || schema === null) return schema
  const closed = Object.fromEntries(Object.entries(schema).map(([keyword, part]) => [keyword, close(part)]))
  const isObject = closed['type'] === 'object' && 'properties' in closed
  return isObject ? { additionalProperties: false, ...closed } : closed
}

/** References of the document lead to its components, wherever the schema stands. */
function rebase(schema: unknown): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"answers#/'))
}

const rowsByLength = Map.groupBy(
  endpointTable.map((row) => ({ row, segments: split(row.path) })),
  ({ segments }) => segments.length,
)

function split(path: string): readonly string[] {
  return path.split('/').filter((segment) => segment !== '')
}

/** The row that a path leads to by this method; words before ids and in any case, as the server has it. */
export function findRow(path: string, method = 'GET'): Endpoint | undefined {
  const given = split(path)
  const fitting = (rowsByLength.get(given.length) ?? []).filter(
    ({ row, segments }) =>
      takes(row, method) &&
      segments.every((segment, at) => segment.startsWith(':') || segment.toLowerCase() === given[at]?.toLowerCase()),
  )
  const ids = ({ segments }: { segments: readonly string[] }) => segments.filter((word) => word.startsWith(':')).length
  return fitting.sort((one, other) => ids(one) - ids(other))[0]?.row
}

/** Two rows of one path have a method each. */
function takes(row: Endpoint, method: string): boolean {
  return !row.sharesPath || methodsOf(row).some((one) => one === method)
}

/** Fails where a JSON answer below the base is not as the table says. */
export function checkAnswer(method: string, url: string, response: LightMyRequestResponse): void {
  const { headers, statusCode, body } = response
  if (body === '' || !String(headers['content-type']).startsWith('application/json')) return
  const path = url.replace(/[?#].*/s, '')
  const row = findRow(path, method)
  const value: { readonly error?: { readonly code?: number } } = JSON.parse(body)
  const hasOwnErrors = row !== undefined && 'error' in (shapeOf(row).properties ?? {}) && 'success' in value
  const isError = 'error' in value && !hasOwnErrors
  const found = isError || !row ? findMismatch('error', value) : findMismatch(row, value)
  const problems = found === undefined ? [] : [found]
  if (row && !isError && 'content-disposition' in headers !== 'file' in row.answers) problems.push('is it a file?')
  if (row && value.error?.code === 429 && !mayBeTooMany(row)) problems.push('is it rate limited?')
  if (problems.length === 0) return
  const as = isError ? 'an error' : `the answer of ${row?.id ?? 'no row'}`
  throw new Error(`${method} ${path}, HTTP ${statusCode}: ${as} does not fit: ${problems.join('; ')}\n${body}`)
}
