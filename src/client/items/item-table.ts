import { createHash } from 'node:crypto'
import { readAnyTable } from '../../file-reading/read.ts'
import { findRowReader, type RowReader } from '../../item-sheets/read-sheet.ts'
import { type Row, readEachRow } from '../../schema-files/csv/table.ts'
import * as files from '../../schema-files/decode.ts'
import { looksLikeWorkbook } from '../../schema-files/workbooks.ts'
import type { Call } from '../command-line/run.ts'
import { untried } from '../failure.ts'
import { readBytes } from '../files/read-file.ts'

/** Rows and bytes of a table (chosen). */
const limits = { maxRows: 1_000_000, maxBytes: 256 * 1024 * 1024, forms: 'CSV, or an Excel workbook (.xlsx)' }
/** Rows by which the columns are found: more than a heading is looked for in. */
const maxLooked = 20

/** A row or an item that is not done, and why. */
export interface Refusal {
  /** Counts from 1, the heading included. */
  readonly row: number
  readonly itemId: string
  readonly problem: string
}

/** Items of a table, each once, with the paths that are given for it. Equal lists of paths are one in memory. */
export class ItemTable {
  readonly ids: string[] = []
  /** Row in which an item comes first. */
  readonly rows: number[] = []
  /** Time in that row as it is written, or empty. */
  readonly times: string[] = []
  readonly refused: Refusal[] = []
  /** SHA-256 of the file. */
  readonly digest: string
  readonly #at = new Map<string, number>()
  readonly #lists: number[] = []
  readonly #numbers = new Map<string, number>()
  /** Different lists of paths. */
  readonly lists: (readonly string[])[] = []

  constructor(digest: string) {
    this.digest = digest
  }

  get size(): number {
    return this.ids.length
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
    const known = this.#at.get(itemId)
    if (known !== undefined) {
      this.#lists[known] = this.#numberOf([...new Set([...this.paths(known), ...paths])])
      return
    }
    this.#at.set(itemId, this.size)
    this.ids.push(itemId)
    this.rows.push(row)
    this.times.push(reader.timeIn(given))
    this.#lists.push(this.#numberOf(paths))
  }

  /** Forgets what is needed only while rows come. */
  end(): void {
    this.#at.clear()
    this.#numbers.clear()
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
  table.end()
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
    const decoded = files.decodeFile(bytes, call.text('encoding') as files.Encoding | undefined, limits)
    if ('problems' in decoded) return decoded.problems.join(' ')
    if (files.looksLikeHtml(decoded.value)) return files.htmlGiven
    const unread = readEachRow(decoded.value, options, take)
    if (unread !== undefined) return unread
  }
  return problem ?? (reader ? undefined : begin())
}
