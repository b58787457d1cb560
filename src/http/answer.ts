import { databaseNewer, failureOf, limitReached, PortalError, serviceUnavailable, unexpectedError } from '../errors.ts'
import { say } from '../sentences/say.ts'
import { DatabaseNewer, StorageUnavailable } from '../storage/storage.ts'
import { PasswordsBusy } from '../tokens/password.ts'
import { refusedFileMembers } from './shapes/categories/file-reading.ts'
import { schemaMergeShape } from './shapes/categories/schema-merge.ts'
import { causesMember, causesToWire } from './shapes/cause.ts'
import { component, integer, list, object, text, type ValueOf } from './shapes/shape.ts'

/** Answer of an operation, before it is written in the format that the client wants. */
export type Answer<Value = unknown> = JsonAnswer<Value> | DocumentAnswer | FileAnswer | TextAnswer

export interface JsonAnswer<Value = unknown> {
  readonly json: Value
  /** Warnings of a call that succeeded; for a row without effect, only pages show them. */
  readonly warnings?: readonly string[]
}

/** Answers that a page can show. */
export type Shown = JsonAnswer | DocumentAnswer

/** A stored JSON document, sent byte for byte. Each document has its own `revision`; without one, there is no entity tag. */
export interface DocumentAnswer {
  readonly document: Uint8Array
  readonly revision?: string
}

/** A file to be kept; its bytes are the answer in every format. */
export interface FileAnswer {
  readonly file: string | Uint8Array
  readonly fileName: string
  /** Media type; by default that of JSON. */
  readonly contentType?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** A text of any kind, which is the answer in every format; empty where there is none. */
export interface TextAnswer {
  readonly text: string
  /** Media type; by default that of JSON, or of plain text. */
  readonly contentType?: string
  readonly headers?: Readonly<Record<string, string>>
}

export const formats = ['html', 'json', 'pjson'] as const
export type Format = (typeof formats)[number]

/** The format of everything but the text that an endpoint may answer in a format of its own: there, that is JSON. */
export function sharedFormat(wanted: string | undefined): Format {
  return formats.find((known) => known === wanted) ?? 'json'
}

/** The JSON text of an answer, or its stored bytes. A stored document is formatted again only for `pjson`. */
export function formatJson(answer: Shown, format: Exclude<Format, 'html'>): string | Uint8Array {
  if (format === 'json') return 'document' in answer ? answer.document : JSON.stringify(answer.json)
  return JSON.stringify(parseAnswer(answer), null, 2)
}

/** Allows only these, so that no browser runs what was given as data (chosen). */
export function contentTypeOf({ text, contentType }: TextAnswer): string {
  return contentType ?? `${isJson(text) ? 'application/json' : 'text/plain'}; charset=utf-8`
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Refuses an answer that certainly exceeds `maxBytes`, before it is written; `requireFits` counts exactly. */
export function requireWritable(answer: Answer, maxBytes: number): void {
  if ('json' in answer && !fits(answer.json, maxBytes)) throw answerTooLarge(maxBytes)
}

/** Returns the text of an answer, or refuses it if it has more than `maxBytes`. */
export function requireFits<Text extends string | Uint8Array>(text: Text, maxBytes: number): Text {
  // No character has more than three bytes for each of its code units.
  if (text.length * 3 > maxBytes && Buffer.byteLength(text) > maxBytes) throw answerTooLarge(maxBytes)
  return text
}

function answerTooLarge(maxBytes: number): PortalError {
  return limitReached('answerBytes', say('answerTooLarge', { max: maxBytes }))
}

/** Whether the JSON text of the value may fit: each character counts one byte. Stops where it does not. */
function fits(value: unknown, maxBytes: number): boolean {
  let left = maxBytes
  const take = (part: unknown): boolean => {
    left -= 1
    if (typeof part === 'string') left -= part.length
    const parts = typeof part === 'object' && part !== null ? Object.values(part) : []
    return left >= 0 && parts.every(take)
  }
  return take(value)
}

/** The value of an answer that is not a file; numbers that JavaScript cannot hold keep their digits. */
export function parseAnswer(answer: Shown): unknown {
  return 'json' in answer ? answer.json : JSON.parse(Buffer.from(answer.document).toString())
}

/** Warnings beside the members of a successful answer that is a JSON object. */
export const warningsShape = component(
  'Warnings',
  'What the caller should look at although nothing was refused, such as parameters that have no effect; usually absent.',
  list(text()),
)

/** Adds warnings to an answer; a stored document stays as it is. */
export function withWarnings<Given extends Answer>(answer: Given, warnings: readonly string[]): Given {
  if (warnings.length === 0 || !('json' in answer)) return answer
  const json = answer.json as { readonly warnings?: readonly string[] }
  return { ...answer, json: { ...json, warnings: [...(json.warnings ?? []), ...warnings] } }
}

/** ETag of a stored document in this format; undefined for any other answer. */
export function entityTag(answer: Answer, format: Format): string | undefined {
  return 'revision' in answer && format !== 'html' ? `"${answer.revision}-${format}"` : undefined
}

/** Maximum number of entity tags read from a header; the others are ignored (chosen). */
const maxTags = 64

/** Entity tags in `If-Match` or `If-None-Match`, without quotation marks and `W/`. */
function readTags(header: string): readonly string[] {
  return header.split(',', maxTags).map((entry) =>
    entry
      .trim()
      .replace(/^W\//, '')
      .replace(/^"(.*)"$/, '$1'),
  )
}

/** Whether `If-None-Match` has the tag, or is `*`. */
export function isNamed(tag: string, ifNoneMatch: string | undefined): boolean {
  if (ifNoneMatch === undefined) return false
  return ifNoneMatch.trim() === '*' || readTags(ifNoneMatch).includes(tag.slice(1, -1))
}

/** Parses `If-Match`: any schema, or a list of revisions, without the format in which they were read. */
export function readRevisions(ifMatch: string | undefined): readonly string[] | 'any' | undefined {
  if (ifMatch === undefined) return undefined
  if (ifMatch.trim() === '*') return 'any'
  return /^[\s,]*$/.test(ifMatch) ? [] : readTags(ifMatch).map((tag) => tag.replace(/-p?json$/, ''))
}

/** The envelope of an error (description §7). */
export const errorShape = component(
  'ErrorEnvelope',
  'An error.',
  object({
    error: object(
      {
        code: integer('Error code, comparable to an HTTP status.'),
        message: text(),
        details: list(text(), 'One sentence for each cause; may be empty.'),
      },
      {
        error: text('Only for errors of OAuth: their name.'),
        error_description: text('Beside it, the message.'),
        messageCode: text('Only for errors that have one, such as ORG_1132.'),
        reasons: list(
          text(),
          'Each cause with its place or its cure, beside message and details, which the API fixes: a missing privilege, a path that is near, how long to wait.',
        ),
        acceptedWith: text(
          'Only where the operation goes on nevertheless with a parameter: its name, such as acceptNewKey.',
        ),
        ...causesMember,
        version: integer('Only in a conflict: the present version of the category schema.', 0),
        merge: schemaMergeShape,
        ...refusedFileMembers,
      },
    ),
  }),
)
export type ErrorEnvelope = ValueOf<typeof errorShape>
type ErrorMembers = Pick<ErrorEnvelope['error'], 'merge' | 'branches' | 'reading'>

/** An error as it is answered; with causes where the client asks for them: others compare it as the API fixes it. */
export function formatEnvelope(failure: PortalError, hasCauses = false): ErrorEnvelope {
  const { code, messageCode, message, details, reasons, acceptedWith, version, oauthError, members } = failure
  const named = messageCode === undefined ? {} : { messageCode }
  const caused = reasons.length === 0 ? {} : { reasons }
  const asOAuth = oauthError === undefined ? {} : { error: oauthError, error_description: message }
  return {
    error: {
      code,
      ...asOAuth,
      ...named,
      message,
      details,
      ...caused,
      ...(hasCauses ? causesToWire([message, ...details, ...reasons]) : {}),
      ...(acceptedWith === undefined ? {} : { acceptedWith }),
      ...(version === undefined ? {} : { version }),
      ...(members as ErrorMembers | undefined),
    },
  }
}

/** Task that a refusal names, "Unable to <task>.", and the message code of the refusal, if it has one. */
export interface RefusedTask {
  readonly task: string
  readonly refusalCode?: string | undefined
}

/** Translates any thrown error into one of the API; of a bug, the client gets only the request id. */
export function toPortalError(thrown: unknown, { task, refusalCode }: RefusedTask, requestId: string): PortalError {
  if (thrown instanceof PortalError) {
    if (!thrown.isOfTask) return thrown
    const failure = { ...failureOf(thrown), isOfTask: undefined }
    return new PortalError({ ...failure, message: say('taskRefused', { task }), messageCode: refusalCode })
  }
  if (thrown instanceof PasswordsBusy) return serviceUnavailable('passwordsWaiting')
  if (thrown instanceof DatabaseNewer) return databaseNewer()
  return thrown instanceof StorageUnavailable ? serviceUnavailable() : unexpectedError(requestId)
}

/** Codes outside the API, which keep their HTTP status with either setting (contract §1). */
const transportCodes: ReadonlySet<number> = new Set([408, 413, 429, 431, 500, 503])

/** Whether the HTTP status of an error of the API is 200 (`envelope`) or its code (`match`). */
export type HttpErrorStatus = 'envelope' | 'match'

/** API errors are HTTP 200 with the outcome in the body: with any other status clients lose the message code (observed). */
export function httpStatus(code: number, setting: HttpErrorStatus): number {
  return setting === 'match' || transportCodes.has(code) ? code : 200
}
