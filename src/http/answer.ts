import { OperationRefused, PortalError, serviceUnavailable, unexpectedError } from '../errors.ts'
import type { Page, Slice } from '../paging.ts'
import { StorageUnavailable } from '../storage/storage.ts'
import { PasswordsBusy } from '../tokens/password.ts'

/** What an operation answers, before it is written in the format that the client wants. */
export type Answer =
  | { readonly json: object }
  /** A stored JSON document, whose very bytes are the answer. Another `revision` is another document. */
  | { readonly document: Uint8Array; readonly revision: string }
  /** A file to be kept; its bytes are the answer in every format. */
  | { readonly file: string; readonly fileName: string }

export const success: Answer = { json: { success: true } }

/** One page of a list, with `nextStart` -1 at its end (documented). */
export function listAnswer<Entry>(
  name: string,
  slice: Slice<Entry> & { readonly page: Page },
  toWire: (entry: Entry) => object,
): Answer {
  const { total, entries, page } = slice
  const next = page.start + entries.length
  const nextStart = entries.length > 0 && next <= total ? next : -1
  return { json: { total, start: page.start, num: page.num, nextStart, [name]: entries.map(toWire) } }
}

export const formats = ['html', 'json', 'pjson'] as const
export type Format = (typeof formats)[number]

/** The JSON text of an answer, or its stored bytes. A stored document is formatted again only for `pjson`. */
export function formatJson(answer: Answer, format: Exclude<Format, 'html'>): string | Uint8Array {
  if ('file' in answer) return answer.file
  if (format === 'json') return 'document' in answer ? answer.document : JSON.stringify(answer.json)
  return formatIndented(answer)
}

/** Indented JSON of an answer that is not a file. */
export function formatIndented(answer: Exclude<Answer, { readonly file: string }>): string {
  const value: unknown = 'document' in answer ? JSON.parse(Buffer.from(answer.document).toString()) : answer.json
  return JSON.stringify(value, null, 2)
}

/** ETag of a stored document in this format; undefined for any other answer. */
export function entityTag(answer: Answer, format: Format): string | undefined {
  return 'revision' in answer && format !== 'html' ? `"${answer.revision}-${format}"` : undefined
}

/** Entity tags in `If-Match` or `If-None-Match`, without quotation marks and `W/`; undefined for `*`. */
function readTags(header: string): readonly string[] | undefined {
  const tags = header.split(',').map((entry) =>
    entry
      .trim()
      .replace(/^W\//, '')
      .replace(/^"(.*)"$/, '$1'),
  )
  return tags.includes('*') ? undefined : tags
}

/** Whether `If-None-Match` has the tag, or `*`. */
export function isNamed(tag: string, ifNoneMatch: string | undefined): boolean {
  return ifNoneMatch !== undefined && (readTags(ifNoneMatch)?.includes(tag.slice(1, -1)) ?? true)
}

/** Revisions in `If-Match`, without the format in which they were read; undefined for any. */
export function readRevisions(ifMatch: string | undefined): readonly string[] | undefined {
  if (ifMatch === undefined) return undefined
  return readTags(ifMatch)?.map((tag) => tag.replace(/-p?json$/, ''))
}

/** The envelope of an error (description §7). */
export interface ErrorEnvelope {
  readonly error: {
    readonly code: number
    readonly messageCode?: string
    readonly message: string
    readonly details: readonly string[]
    readonly reasons?: readonly string[]
  }
}

export function formatEnvelope({ code, messageCode, message, details, reasons }: PortalError): ErrorEnvelope {
  const named = messageCode === undefined ? {} : { messageCode }
  return { error: { code, ...named, message, details, ...(reasons.length === 0 ? {} : { reasons }) } }
}

/** Translates any thrown error into one of the API; of a bug, the client gets only the request id. */
export function toPortalError(thrown: unknown, task: string, requestId: string): PortalError {
  if (thrown instanceof PortalError) return thrown
  if (thrown instanceof OperationRefused) {
    return new PortalError({ code: 400, message: `Unable to ${task}.`, details: thrown.details })
  }
  const isBusy = thrown instanceof StorageUnavailable || thrown instanceof PasswordsBusy
  return isBusy ? serviceUnavailable() : unexpectedError(requestId)
}

/** Codes outside the API, which keep their HTTP status with either setting (contract §1). */
const transportCodes: ReadonlySet<number> = new Set([408, 413, 429, 431, 500, 503])

/** API errors are HTTP 200 with the outcome in the body: with any other status clients lose the message code (observed). */
export function httpStatus(code: number, setting: 'envelope' | 'match'): number {
  return setting === 'match' || transportCodes.has(code) ? code : 200
}
