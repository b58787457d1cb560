import type { Parsed } from '../call/parsed.ts'
import { unguardFormula } from '../csv-text.ts'
import type { Row } from '../schema-files/csv/table.ts'

/** Rows of one file, read and written (contract). */
export const maxSheetRows = 20_000
/** Bytes of a file that is read (contract). */
export const maxSheetBytes = 4 * 1024 * 1024

/** A row with the categories of one item. */
export interface SheetRow {
  /** Counts from 1, as a spreadsheet does. */
  readonly row: number
  readonly itemId: string
  readonly paths: readonly string[]
  /** When the item was changed last as it was exported; undefined where the file does not say so. */
  readonly modified?: number
}

/** A row that cannot be read. */
export interface RefusedRow {
  readonly row: number
  /** Empty where none is given. */
  readonly itemId: string
  readonly problem: string
}

export interface Sheet {
  readonly rows: readonly SheetRow[]
  readonly refused: readonly RefusedRow[]
}

/** Reads a table with a heading that names the columns id and categories, or several such as category 1 and category 2. */
export function readSheet([heading, ...others]: readonly Row[]): Parsed<Sheet> {
  const columns = heading && findColumns(heading)
  if (!columns) return { problems: [headingProblem(heading)] }
  const rows: SheetRow[] = []
  const refused: RefusedRow[] = []
  const firstRows = new Map<string, number>()
  for (const given of others) {
    const read = readRow(given, columns)
    const first = firstRows.get(read.itemId)
    const problem = first === undefined ? undefined : `Row ${first} has the same id.`
    if ('problem' in read) refused.push(read)
    else if (problem !== undefined) refused.push({ row: read.row, itemId: read.itemId, problem })
    else {
      firstRows.set(read.itemId, read.row)
      rows.push(read)
    }
  }
  return { value: { rows, refused } }
}

interface Columns {
  readonly id: number
  readonly categories: readonly number[]
  readonly modified: number | undefined
}

function findColumns({ cells }: Row): Columns | undefined {
  const names = cells.map((cell) => cell.trim().toLowerCase())
  const id = names.indexOf('id')
  const categories = names.flatMap((name, at) => (/^categor(?:y|ies)(?: *\d{1,2})?$/.test(name) ? at : []))
  const modified = names.indexOf('modified')
  if (id === -1 || categories.length === 0) return undefined
  return { id, categories, modified: modified === -1 ? undefined : modified }
}

const maxShown = 200

function headingProblem(heading: Row | undefined): string {
  const needed = 'the first row has to name the columns id and categories'
  if (!heading) return `The file is empty: ${needed}.`
  const cells = heading.cells.join(', ').slice(0, maxShown).toWellFormed()
  return `Row ${heading.row} is "${cells}": ${needed}, as an export of items does.`
}

function readRow({ row, cells }: Row, columns: Columns): SheetRow | RefusedRow {
  const textAt = (column: number) => unguardFormula(cells[column] ?? '').trim()
  const itemId = textAt(columns.id).toLowerCase()
  if (itemId === '') return { row, itemId, problem: 'The row has no id.' }
  if (itemId.length > maxShown)
    return { row, itemId: itemId.slice(0, maxShown).toWellFormed(), problem: 'The id is too long.' }
  const paths = [...new Set(columns.categories.flatMap((column) => splitPaths(textAt(column))))]
  const given = columns.modified === undefined ? '' : textAt(columns.modified)
  if (given === '') return { row, itemId, paths }
  const modified = /^\d{1,16}$/.test(given) ? Number(given) : Date.parse(given)
  if (Number.isNaN(modified)) {
    return {
      row,
      itemId,
      problem: 'modified is not a time as an export writes it: leave the column as it was, or out.',
    }
  }
  return { row, itemId, paths, modified }
}

/**
 * Several paths in one cell: a slash begins each of them, and no title has one. Blanks before a sign are left to `trim`: an
 * expression that looked for them would take a time with the square of their number.
 */
function splitPaths(cell: string): readonly string[] {
  return cell
    .split(/[|;,](?=\s*\/)|[\r\n]+/)
    .map((path) => path.trim())
    .filter((path) => path !== '')
}
