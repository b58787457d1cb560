import { isUtf8 } from 'node:buffer'
import { decodeForm, decodeText, type FormField, maxFields } from './form.ts'
import { decodeMultipart, maxParts } from './multipart.ts'

/** The given value of one parameter. */
export type Given =
  | { readonly text: string }
  /** The bytes are not UTF-8. */
  | { readonly malformed: true }
  /** Several times in one source. */
  | { readonly texts: readonly string[] }

/** The parameters of a request, merged from query and body; the body takes precedence (observed). */
export interface RequestParameters {
  /** Keyed by name, case-insensitive (observed). */
  find(name: string): Given | undefined
  findFile(name: string): Buffer | undefined
  /** The last `token` of the query and all of the body, without empty ones; undefined for one that is not UTF-8. None wins. */
  readonly tokens: readonly (string | undefined)[]
  /** Names of all that is given, as they were written first. */
  names(): readonly string[]
  /** Whether this is true of every name that is given. */
  areAll(isTrue: (name: string) => boolean): boolean
  /** Whether the query has the parameter, for parameters that are not allowed there. */
  isInQuery(name: string): boolean
  /** Errors of the request as a whole. */
  readonly problems: readonly string[]
}

/** The parts of a request that contain parameters. */
export interface ParameterSource {
  /** The question mark left out. */
  readonly query: string
  readonly contentType: string | undefined
  readonly body: Buffer | undefined
  /** The parameter that a body without parameter names is the value of, if the endpoint has one. */
  readonly bareBody: string | undefined
}

interface Body {
  readonly fields: readonly FormField[]
  readonly files: ReadonlyMap<string, Buffer>
  readonly problems: readonly string[]
}

const tooManyFields = `The request has more than ${maxFields} parameters.`
const tooManyParts = `The multipart body has more than ${maxParts} parts.`

export async function readRequestParameters(source: ParameterSource): Promise<RequestParameters> {
  const text = lastQuery(source.query)
  const query = text === '' ? nothing : readForm(Buffer.from(text, 'latin1'))
  const before = source.query.slice(0, source.query.length - text.length).replaceAll('?', '&')
  const dropped = before === '' ? nothingGiven : collect(readForm(Buffer.from(before, 'latin1')).fields)
  const body = withoutEmptyFields(await readBody(source))
  const fromQuery = collect(query.fields)
  const fromBody = collect(body.fields)
  return {
    find(name) {
      const key = name.toLowerCase()
      return fromBody.get(key) ?? fromQuery.get(key)
    },
    findFile: (name) => body.files.get(name.toLowerCase()),
    tokens: [...findTokens(query.fields).slice(-1), ...findTokens(body.fields)],
    // Not a getter: V8 would keep each of these objects, and the whole request with it, until a full collection.
    names: () => namesOf([...query.fields, ...body.fields], body.files),
    areAll(isTrue) {
      const isTrueOf = ({ name }: FormField) => isTrue(name)
      return query.fields.every(isTrueOf) && body.fields.every(isTrueOf) && body.files.keys().every(isTrue)
    },
    isInQuery: (name) => fromQuery.has(name.toLowerCase()) || dropped.has(name.toLowerCase()),
    problems: [...query.problems, ...body.problems],
  }
}

/**
 * A client that retries a GET with a new token appends a second query: `?f=json&token=old?f=json&token=new`. The last one
 * is used (observed). Tokens contain no question mark.
 */
function lastQuery(query: string): string {
  if (!query.includes('?')) return query
  return query.replace(/^.*[&?]token=[^&?]*\?|^token=[^&?]*\?/is, '')
}

function namesOf(fields: readonly FormField[], files: Body['files']): readonly string[] {
  const given = [...fields.map(({ name }) => name), ...files.keys()]
  return [...new Map(given.toReversed().map((name) => [name.toLowerCase(), name])).values()].toReversed()
}

function findTokens(fields: readonly FormField[]): readonly (string | undefined)[] {
  if (fields.length === 0) return []
  return fields.filter(({ name, value }) => name.toLowerCase() === 'token' && value !== '').map(({ value }) => value)
}

/** A form of a page has every field: those that are left empty count as not given, unless it clears them. */
function withoutEmptyFields(body: Body): Body {
  const find = (wanted: string) => body.fields.find(({ name }) => name.toLowerCase() === wanted)?.value?.toLowerCase()
  const format = find('f')
  // A person has chosen another format; programs ask for JSON.
  if (!format || format === 'json' || format === 'pjson') return body
  const clears = find('clearemptyfields') === 'true'
  const isKept = ({ name, value }: FormField) => value !== '' || (clears && name.toLowerCase() !== 'token')
  return { ...body, fields: body.fields.filter(isKept) }
}

/** One entry for each name, in lower case, with all that is given for it. */
function collect(fields: readonly FormField[]): ReadonlyMap<string, Given> {
  if (fields.length === 0) return nothingGiven
  const given = new Map<string, Collected>()
  for (const { name, value } of fields) {
    const key = name.toLowerCase()
    const before = given.get(key)
    if (before && 'texts' in before && value !== undefined) before.texts.push(value)
    else given.set(key, before ? repeat(before, value) : value === undefined ? { malformed: true } : { text: value })
  }
  return given
}

const nothingGiven: ReadonlyMap<string, Given> = new Map()

function repeat(before: Collected, value: string | undefined): Collected {
  return value === undefined || !('text' in before) ? { malformed: true } : { texts: [before.text, value] }
}

/** Values of one parameter, to which further ones are added. */
type Collected = Exclude<Given, { texts: unknown }> | { readonly texts: string[] }

const nothing: Body = { fields: [], files: new Map(), problems: [] }

async function readBody({ contentType, body, bareBody }: ParameterSource): Promise<Body> {
  if (!body || body.length === 0) return nothing
  const type = mediaTypeOf(contentType ?? '')
  if (type === 'multipart/form-data') return readMultipart(contentType!, body)
  // A browser's fetch sends a string as text/plain.
  if ((type === 'application/json' || type === 'text/plain') && bareBody) {
    return { ...nothing, fields: [{ name: bareBody, value: strict(body) }] }
  }
  if (type !== '' && type !== 'application/x-www-form-urlencoded') {
    const document = bareBody ? ', or application/json for the document alone' : ''
    const wanted = `application/x-www-form-urlencoded or multipart/form-data${document}`
    return { ...nothing, problems: [`The Content-Type of the body is not understood; it has to be ${wanted}.`] }
  }
  return (bareBody ? readBareBody(body, bareBody) : undefined) ?? readForm(body)
}

/** Maximum length of a Content-Type that is read, in characters: the boundary of a multipart body has at most 70. */
const maxContentTypeLength = 1024

function mediaTypeOf(contentType: string): string | undefined {
  return contentType.length > maxContentTypeLength ? undefined : contentType.split(';', 1)[0]!.trim().toLowerCase()
}

function readForm(bytes: Buffer): Body {
  const { fields, isCut } = decodeForm(bytes)
  return { fields, files: nothing.files, problems: isCut ? [tooManyFields] : nothing.problems }
}

const documentStart = /^(?:\s*[{[]|(?:\+|%20|%0A|%0D|%09)*%(?:7B|5B))/i

/**
 * The documented example of assigning the organization's schema sends the JSON as the form body, without a parameter name.
 * The document ends at its last bracket; what follows (`&f=pjson`) are ordinary parameters.
 */
function readBareBody(bytes: Buffer, name: string): Body | undefined {
  const start = documentStart.exec(bytes.toString('latin1', 0, 64))?.[0]
  if (start === undefined) return undefined
  const isEncoded = start.includes('%')
  const end = isEncoded
    ? endOf(bytes.indexOf('&'), bytes)
    : Math.max(bytes.lastIndexOf('}'), bytes.lastIndexOf(']')) + 1
  const document = bytes.subarray(0, end)
  const rest = bytes.subarray(end)
  // Anything else after the last bracket belongs to the document, which is then not JSON.
  const isWhole = rest.length > 0 && !/^\s*(&|$)/.test(rest.toString('latin1'))
  if (isWhole || end === 0) return { ...nothing, fields: [{ name, value: strict(bytes) }] }
  const form = readForm(rest.subarray(Math.max(0, rest.indexOf('&'))))
  // A form library that takes the document for a name appends an equals sign.
  const encoded = document.at(-1) === equals ? document.subarray(0, -1) : document
  const value = isEncoded ? decodeText(encoded) : strict(document)
  return { ...form, fields: [{ name, value }, ...form.fields] }
}

const equals = 0x3d

function endOf(found: number, bytes: Buffer): number {
  return found === -1 ? bytes.length : found
}

function strict(bytes: Buffer): string | undefined {
  return isUtf8(bytes) ? bytes.toString('utf8') : undefined
}

const withoutBoundary =
  'The Content-Type has no boundary; it has to be multipart/form-data; boundary=…, as what makes the body sets it.'

async function readMultipart(contentType: string, body: Buffer): Promise<Body> {
  if (!/;\s*boundary\s*=/i.test(contentType)) return { ...nothing, problems: [withoutBoundary] }
  try {
    const { parts, isCut } = await decodeMultipart(contentType, body)
    const texts = parts.filter(({ fileName }) => fileName === undefined)
    const files = parts.filter(({ fileName }) => fileName !== undefined)
    const named = new Map(files.map(({ name, bytes }) => [name.toLowerCase(), bytes]))
    return {
      fields: texts.map(({ name, bytes }) => ({ name, value: strict(bytes) })),
      files: named,
      problems: isCut ? [tooManyParts] : named.size < files.length ? ['A file is given twice; give each once.'] : [],
    }
  } catch {
    return { ...nothing, problems: ['The multipart body is not well-formed.'] }
  }
}
