import { OperationRefused, PortalError, serviceUnavailable, unexpectedError } from '../errors.ts'
import { StorageUnavailable } from '../storage/storage.ts'
import { PasswordsBusy } from '../tokens/password.ts'
import { component, integer, list, object, text, type ValueOf } from './shapes/shape.ts'

/** What an operation answers, before it is written in the format that the client wants. */
export type Answer<Value = unknown> = JsonAnswer<Value> | DocumentAnswer | FileAnswer

export interface JsonAnswer<Value = unknown> {
  readonly json: Value
}

/** A stored JSON document, whose very bytes are the answer. Another `revision` is another document. */
export interface DocumentAnswer {
  readonly document: string
  readonly revision: string
}

/** A file to be kept; its bytes are the answer in every format. */
export interface FileAnswer {
  readonly file: string
  readonly fileName: string
}

export const formats = ['html', 'json', 'pjson'] as const
export type Format = (typeof formats)[number]

/** The JSON text of an answer. Only `pjson` lays a stored document out anew. */
export function formatJson(answer: Answer, format: Exclude<Format, 'html'>): string {
  if ('file' in answer) return answer.file
  if (format === 'json') return 'document' in answer ? answer.document : JSON.stringify(answer.json)
  return JSON.stringify('document' in answer ? JSON.parse(answer.document) : answer.json, null, 2)
}

/** By which a client asks later whether what it has is still the answer; undefined where answers are made each time. */
export function entityTag(answer: Answer, format: Format): string | undefined {
  return 'revision' in answer && format !== 'html' ? `"${answer.revision}-${format}"` : undefined
}

/** Whether `If-None-Match` names the tag, or any. */
export function isNamed(tag: string, ifNoneMatch: string | undefined): boolean {
  if (ifNoneMatch === undefined) return false
  const named = ifNoneMatch.split(',').map((entry) => entry.trim().replace(/^W\//, ''))
  return named.includes(tag) || named.includes('*')
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
      { messageCode: text('Only for errors that have one, such as ORG_1132.') },
    ),
  }),
)
export type ErrorEnvelope = ValueOf<typeof errorShape>

export function formatEnvelope({ code, messageCode, message, details }: PortalError): ErrorEnvelope {
  return { error: { code, ...(messageCode === undefined ? {} : { messageCode }), message, details } }
}

/** What was thrown, as the error for the client; an unexpected one has nothing but the id of the request. */
export function toPortalError(thrown: unknown, task: string, requestId: string): PortalError {
  if (thrown instanceof PortalError) return thrown
  if (thrown instanceof OperationRefused) {
    return new PortalError({ code: 400, message: `Unable to ${task}.`, details: thrown.details })
  }
  const isBusy = thrown instanceof StorageUnavailable || thrown instanceof PasswordsBusy
  return isBusy ? serviceUnavailable() : unexpectedError(requestId)
}

/** Codes that lie outside the API and keep their HTTP status whatever the setting says (contract §1). */
const transportCodes: ReadonlySet<number> = new Set([408, 413, 429, 431, 500, 503])

/** API errors are HTTP 200 with the outcome in the body: on any other status clients lose the message code (observed). */
export function httpStatus(code: number, setting: 'envelope' | 'match'): number {
  return setting === 'match' || transportCodes.has(code) ? code : 200
}
