import sax from 'sax'
import { damagedWorkbook, WorkbookRefused } from './refusal.ts'

/** An element that begins. Names are local ones: prefixes and namespaces differ from program to program. */
export interface XmlElement {
  readonly name: string
  /** An attribute by its local name. */
  attribute(name: string): string | undefined
}

export interface XmlEvents {
  open?(element: XmlElement): void
  text?(text: string): void
  close?(name: string): void
}

/** Elements inside one another; workbooks have a dozen (chosen). */
const maxDepth = 64
/** Bytes that are parsed at a time. */
const chunkBytes = 64 * 1024
/** Pieces without a tag (chosen): the longest text of a cell has fewer, however it is written. */
const maxChunksWithoutTag = 8

/** Reads a part of a workbook. Nothing is fetched, and no entities are defined in it. */
export function readXml(bytes: Uint8Array, events: XmlEvents): void {
  const parser = sax.parser(true, { position: false })
  let depth = 0
  let hasRoot = false
  let withoutTag = 0
  parser.onopentag = (tag) => {
    depth += 1
    withoutTag = 0
    hasRoot = true
    if (depth > maxDepth) throw damagedWorkbook()
    events.open?.(new OpenTag(tag))
  }
  parser.onclosetag = (name) => {
    depth -= 1
    withoutTag = 0
    events.close?.(localName(name))
  }
  parser.ontext = (text) => events.text?.(text)
  parser.oncdata = (text) => events.text?.(text)
  parser.ondoctype = () => {
    throw damagedWorkbook()
  }
  parser.onprocessinginstruction = ({ name, body }) => {
    if (name === 'xml' && /encoding\s*=\s*["'](?!utf-8["'])/i.test(body)) throw notUtf8()
  }
  parser.onerror = () => {
    throw damagedWorkbook()
  }
  for (const chunk of decodeChunks(bytes)) {
    // A comment, an attribute or a text: the parser keeps what it has of it.
    if (withoutTag > maxChunksWithoutTag) throw damagedWorkbook()
    withoutTag += 1
    parser.write(chunk)
  }
  parser.close()
  if (!hasRoot) throw damagedWorkbook()
}

function* decodeChunks(bytes: Uint8Array): Generator<string> {
  const [first, second] = bytes
  // A byte order mark of UTF-16, or its first letter.
  if (first === 0xfe || first === 0xff || first === 0 || second === 0) throw notUtf8()
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for (let at = 0; at < bytes.length; at += chunkBytes) {
      yield decoder.decode(bytes.subarray(at, at + chunkBytes), { stream: true })
    }
    yield decoder.decode()
  } catch (error) {
    throw error instanceof TypeError ? notUtf8() : error
  }
}

function notUtf8(): WorkbookRefused {
  return new WorkbookRefused('A part of the workbook is not UTF-8: open it in Excel or LibreOffice, and save it again.')
}

class OpenTag implements XmlElement {
  readonly name: string
  readonly #attributes: Readonly<Record<string, unknown>>

  constructor({ name, attributes }: sax.Tag | sax.QualifiedTag) {
    this.name = localName(name)
    this.#attributes = attributes
  }

  attribute(name: string): string | undefined {
    const key = Object.hasOwn(this.#attributes, name)
      ? name
      : Object.keys(this.#attributes).find((one) => one.endsWith(`:${name}`) && !one.startsWith('xmlns:'))
    const value = key === undefined ? undefined : this.#attributes[key]
    return typeof value === 'string' ? value : undefined
  }
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

/** A boolean of XML. */
export function isTrue(value: string | undefined): boolean {
  return value === '1' || value === 'true' || value === 'on'
}
