import { randomUUID } from 'node:crypto'
import { closeSync, openSync, readSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { formatCsvRow, guardFormula } from '../../csv-text.ts'
import { formatTable } from '../output/text.ts'
import type { Answered, Call } from './run.ts'

/** Columns of a list, and the cells of one of its objects. */
export interface Columns<T> {
  readonly heading: readonly string[]
  cells(one: T): readonly string[]
}

/** Rows that are laid out as one table (chosen). */
const maxRows = 1_000

/**
 * Prints a list of any length as its pages come: as a table, as CSV, or with `--json` as the member of the answer. That is printed at the
 * end, from a file, as an error leaves standard output empty.
 */
export async function printList<T extends object>(
  call: Call,
  member: string,
  pages: AsyncIterable<readonly T[]>,
  { columns, isCsv }: { readonly columns: Columns<T>; readonly isCsv: boolean },
): Promise<Answered> {
  if (call.has('json')) {
    const path = join(tmpdir(), `cartulary-${randomUUID()}`)
    const file = openSync(path, 'wx+', 0o600)
    // Without a name, nothing is left of it, however the command ends.
    rmSync(path)
    let isFirst = true
    for await (const page of pages) {
      const text = page.map((one) => JSON.stringify(one)).join(',')
      if (text !== '') writeFileSync(file, isFirst ? text : `,${text}`)
      isFirst &&= text === ''
    }
    return { json: jsonOf(member, file), text: '' }
  }
  const { shell } = call
  if (isCsv) {
    await writeCsv(columns, pages, (text) => shell.printBytes?.(Buffer.from(text)))
    return { json: {}, text: '' }
  }
  let rows: (readonly string[])[] = []
  let isFirst = true
  const flush = () => {
    const text = formatTable(columns.heading, rows, shell)
    // At a terminal, each part is laid out below a heading of its own.
    shell.print(isFirst || shell.isTerminal ? text : text.slice(text.indexOf('\n') + 1))
    rows = []
    isFirst = false
  }
  for await (const page of pages) {
    for (const one of page) rows.push(columns.cells(one))
    if (rows.length >= maxRows) flush()
  }
  if (isFirst || rows.length > 0) flush()
  return { json: {}, text: '' }
}

/** Bytes of the object whose list is in a file. */
function* jsonOf(member: string, file: number): Generator<Uint8Array> {
  yield Buffer.from(`{"format":1,"${member}":[`)
  for (let at = 0; ; ) {
    const part = Buffer.allocUnsafe(64 * 1024)
    const read = readSync(file, part, 0, part.length, at)
    if (read === 0) break
    at += read
    yield part.subarray(0, read)
  }
  yield Buffer.from(']}\n')
  closeSync(file)
}

/** Writes a list as CSV, as its pages come; answers the number of its rows. */
export async function writeCsv<T>(
  { heading, cells }: Columns<T>,
  pages: AsyncIterable<readonly T[]>,
  take: (text: string) => void,
): Promise<number> {
  let rows = 0
  take(formatCsvRow(heading))
  for await (const page of pages) {
    rows += page.length
    take(page.map((one) => formatCsvRow(cells(one).map(guardFormula))).join(''))
  }
  return rows
}
