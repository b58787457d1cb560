import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { readAnyTable } from '../../file-reading/read.ts'
import { findRowReader, type RowReader } from '../../item-sheets/read-sheet.ts'
import { type Row, readEachRow } from '../../schema-files/csv/table.ts'
import * as files from '../../schema-files/decode.ts'
import { looksLikeWorkbook } from '../../schema-files/workbooks.ts'
import type { Call } from '../command-line/run.ts'
import { untried } from '../failure.ts'
import { readBytes } from '../files/read-file.ts'
import { IdList } from '../portals/id-list.ts'

/** Rows and bytes of a table (chosen). */
const limits = { maxRows: 1_000_000, maxBytes: 256 * 1024 * 1024, forms: 'CSV, or an Excel workbook (.xlsx)' }
/** Rows by which the columns are found: more than a heading is looked for in. Bytes that have them (chosen). */
const [maxLooked, headBytes] = [20, 64 * 1024]

/** A row or an item that is not done, and why. */
export interface Refusal {
  /** Counts from 1, the heading included. */
  readonly row: number
  readonly itemId: string
  readonly problem: string
}

/** Items of a table, each once, with the paths that are given for it. Equal lists of paths are one in memory. */
export class ItemTable {
  readonly #ids = new IdList()
  /** Row in which an item comes first. */
  readonly rows: number[] = []
  /** Time in that row as it is written, or empty. */
  readonly times: string[] = []
  readonly refused: Refusal[] = []
  /** SHA-256 of the file. */
  readonly digest: string
  readonly #lists: number[] = []
  readonly #numbers = new Map<string, number>()
  /** Different lists of paths. */
  readonly lists: (readonly string[])[] = []

  constructor(digest: string) {
    this.digest = digest
  }

  get size(): number {
    return this.#ids.size
  }

  id(at: number): string {
    return this.#ids.at(at)
  }

  /** Row of an item; 0 for another one. */
  rowOf(itemId: string): number {
    return this.rows[this.#ids.indexOf(itemId)] ?? 0
  }

  listNumber(at: number): number {
    return this.#lists[at]!
  }

  paths(at: number): readonly string[] {
    return this.lists[this.#lists[at]!]!
  }

  take(reader: RowReader, given: Row): void {
    const read = reader.read(given)
    if ('problem' in read) return void this.refused.push(read)
    const { row, itemId, paths } = read
    if (!/^[0-9a-f]{32}$/.test(itemId)) {
      return void this.refused.push({ row, itemId, problem: `${itemId} is no id of an item.` })
    }
    const known = this.#ids.indexOf(itemId)
    if (known !== -1) {
      this.#lists[known] = this.#numberOf([...new Set([...this.paths(known), ...paths])])
      return
    }
    this.#ids.add(itemId)
    this.rows.push(row)
    this.times.push(reader.timeIn(given))
    this.#lists.push(this.#numberOf(paths))
  }

  #numberOf(paths: readonly string[]): number {
    const key = paths.join('\n')
    const number = this.#numbers.get(key) ?? this.lists.length
    if (number === this.lists.length) {
      this.#numbers.set(key, number)
      this.lists.push(paths)
    }
    return number
  }
}

/** Reads a table of items from a file, or from standard input for `-`. One that is no such table has exit code 2. */
export async function readItemTable(call: Call, path: string): Promise<ItemTable> {
  const bytes = await readBytes(call, path)
  const table = new ItemTable(createHash('sha256').update(bytes).digest('hex'))
  const name = path === '-' ? 'Standard input' : path
  const problem = await readRows(call, bytes, table)
  if (problem !== undefined) throw untried(`${name} is not read: ${problem}`)
  return table
}

async function readRows(call: Call, bytes: Uint8Array, table: ItemTable): Promise<string | undefined> {
  const isWorkbook = looksLikeWorkbook(bytes)
  const head: Row[] = []
  let reader: RowReader | undefined
  /** Finds the columns, and takes the rows that are there already. */
  const begin = (): string | undefined => {
    const found = findRowReader({ format: isWorkbook ? 'xlsx' : 'csv', rows: head }, {})
    if ('problems' in found) return found.problems.join(' ')
    reader = found.value
    for (const row of reader.below) table.take(reader, row)
    return undefined
  }
  let problem: string | undefined
  const take = (row: Row) => {
    if (reader) table.take(reader, row)
    else if (head.push(row) === maxLooked) problem ??= begin()
  }
  const options = { delimiter: undefined, trim: true, maxRows: limits.maxRows, sheet: call.text('sheet') }
  if (isWorkbook) {
    const read = await readAnyTable({ source: bytes, options })
    if ('problems' in read) return read.problems.join(' ')
    for (const row of read.value.rows) take(row)
  } else {
    const encoding = call.text('encoding') as files.Encoding | undefined
    // Cells are decoded one by one: the text of a large file would be as large again.
    const cut = Math.max(...lineEnds.map((sign) => bytes.lastIndexOf(sign, headBytes))) + 1
    const isLarge = bytes.length > headBytes && bytes.length <= limits.maxBytes && cut > 0
    const large = isLarge && encoding === undefined && isUtf8(bytes) ? bytes : undefined
    const decoded = files.decodeFile(large?.subarray(0, cut) ?? bytes, encoding, limits)
    if ('problems' in decoded) return decoded.problems.join(' ')
    if (files.looksLikeHtml(decoded.value)) return files.htmlGiven
    const unread = readEachRow(decoded.value, options, take, large && withoutMark(large))
    if (unread !== undefined) return unread
  }
  return problem ?? (reader ? undefined : begin())
}

/** Line feed and carriage return. */
const lineEnds = [10, 13]

function withoutMark(bytes: Uint8Array): Uint8Array {
  return bytes.subarray([0xef, 0xbb, 0xbf].every((byte, at) => bytes[at] === byte) ? 3 : 0)
}
