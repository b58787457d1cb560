import type { Parsed } from '../call/parsed.ts'
import { say } from '../sentences/say.ts'
import type { FileFormat } from './schema-file.ts'
import { looksLikeRdf } from './skos/syntaxes.ts'
import { describeUnreadable } from './workbooks.ts'

/** Bytes of a file (contract §6). */
export const maxFileBytes = 1024 * 1024

/** An encoding that a file does not tell by itself. */
export const encodings = ['windows-1252'] as const
export type Encoding = (typeof encodings)[number]

/** The text of a file, without its byte order mark. Bytes that are not text in its encoding are refused, never replaced. */
export function decodeFile(
  bytes: Uint8Array,
  encoding: Encoding | undefined,
  { maxBytes, forms } = { maxBytes: maxFileBytes, forms: 'CSV, JSON, SKOS, or an Excel workbook (.xlsx)' },
): Parsed<string> {
  if (bytes.length > maxBytes) return refused(tooManyBytes(bytes, maxBytes))
  const unreadable = describeUnreadable(bytes)
  if (unreadable) return refused(unreadable)
  const marked = marks.find(({ mark }) => beginsWith(bytes, mark))
  if (marked && encoding) {
    return refused(`The file begins with the byte order mark of ${marked.name}: leave encoding=${encoding} out.`)
  }
  if (!encoding && (!marked || marked.label === 'utf-8')) return decodeUtf8(bytes, marked !== undefined, forms)
  const text = decode(encoding ?? marked!.label, bytes)
  if (text !== undefined) return { value: text }
  return refused(`The file begins with the byte order mark of ${marked!.name}, but it is not ${marked!.name}.`)
}

export function tooManyBytes({ length }: Uint8Array, maxBytes: number): string {
  return say('fileTooLong', { bytes: length, max: maxBytes })
}

function beginsWith(bytes: Uint8Array, start: readonly number[]): boolean {
  return start.every((byte, at) => bytes[at] === byte)
}

const marks: readonly { readonly name: string; readonly mark: readonly number[]; readonly label: string }[] = [
  { name: 'UTF-8', mark: [0xef, 0xbb, 0xbf], label: 'utf-8' },
  { name: 'UTF-16', mark: [0xff, 0xfe], label: 'utf-16le' },
  { name: 'UTF-16', mark: [0xfe, 0xff], label: 'utf-16be' },
]

function decodeUtf8(bytes: Uint8Array, isMarked: boolean, forms: string): Parsed<string> {
  if (bytes[0] === 0 || bytes[1] === 0) {
    return refused(say('utf16WithoutMark'))
  }
  const text = decode('utf-8', bytes)
  if (text !== undefined) return { value: text }
  if (bytes.includes(0)) return refused(say('fileNoText', { forms }))
  const line = findMalformedLine(bytes)
  // Another encoding would be refused with the mark.
  if (isMarked) return refused(say('notUtf8Marked', { line }))
  return refused(say('notUtf8', { line }))
}

/** The text without a byte order mark; undefined if the bytes are none. */
function decode(label: string, bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** Counts from 1. No byte of a longer character is a line feed. */
function findMalformedLine(bytes: Uint8Array): number {
  let line = 1
  for (let start = 0; start < bytes.length; line += 1) {
    const next = bytes.indexOf(lineFeed, start)
    const end = next === -1 ? bytes.length : next
    if (decode('utf-8', bytes.subarray(start, end)) === undefined) return line
    start = end + 1
  }
  return line
}

const lineFeed = 0x0a

function refused(problem: string): { readonly problems: readonly string[] } {
  return { problems: [problem] }
}

const html =
  /^\s*(?:<\?xml[^>]*>\s*)?<(?:!doctype\s+html|html|head|body|meta|div|span|p|ul|ol|li|dl|table|tbody|thead|tr|td|h[1-6]|a|b|strong|!--)[\s>/-]/i

export const htmlGiven = say('fileHtml')

/** Whether the text is a page, such as a server answers in place of a file. */
export function looksLikeHtml(text: string): boolean {
  return html.test(text)
}

/** The format of a file, by its beginning: what is neither RDF nor JSON is CSV. */
export function recognizeFormat(text: string): FileFormat {
  if (looksLikeRdf(text)) return 'skos'
  return /^\s*[{[]/.test(text) ? 'json' : 'csv'
}
