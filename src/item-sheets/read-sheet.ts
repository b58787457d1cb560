import type { Parsed } from '../call/parsed.ts'
import { unguardFormula } from '../csv-text.ts'
import { findListColumns, type ListOptions, type ListRoles } from '../schema-files/csv/list-columns.ts'
import { describeOtherSheets, type GivenTable } from '../schema-files/csv/read.ts'
import type { Row } from '../schema-files/csv/table.ts'
import { say } from '../sentences/say.ts'
import { parseMoments, type Span } from './moments.ts'

/** Rows of one file, read and written (contract). */
export const maxSheetRows = 20_000
/** Bytes of a file that is read (contract). */
export const maxSheetBytes = 4 * 1024 * 1024

/** Columns of a table of items' categories. */
export const sheetColumns = {
  id: { words: 'id item itemid' },
  categories: {
    words: `category categories contentcategory contentcategories path paths kategorie kategorien categorie categoria
      categorias カテゴリ カテゴリー الفئة الفئات`,
    isMany: true,
  },
  modified: { words: 'modified lastmodified datemodified geandert modifie modificado 更新日時 変更日時 معدل' },
} as const satisfies ListRoles<'id' | 'categories' | 'modified'>

export type SheetRole = keyof typeof sheetColumns
export const sheetRoles = [...(Object.keys(sheetColumns) as SheetRole[]), 'ignore'] as const

/** A row with the categories of one item; rows of the same item are one. */
export interface SheetRow {
  /** Counts from 1, as a spreadsheet does. */
  readonly row: number
  readonly itemId: string
  readonly paths: readonly string[]
  /**
   * When the item was changed last as it was exported; undefined where the file does not say so. One moment in a job that began
   * before cells had a precision.
   */
  readonly modified?: readonly Span[] | number
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
  /** Rows below the heading, of which several may be of one item. */
  readonly total: number
  /** Notes on the whole file. */
  readonly notes: readonly string[]
}

/** Reads rows of a table, whose columns are found by its first ones. */
export interface RowReader {
  /** The first rows, without the heading and those above it. */
  readonly below: readonly Row[]
  readonly timeName: string
  read(row: Row): SheetRow | RefusedRow
  /** Time in the row as it is written; empty where there is none. */
  timeIn(row: Row): string
}

export function findRowReader(table: GivenTable, options: ListOptions): Parsed<RowReader> {
  const list = findListColumns(table.rows, sheetColumns, options)
  if ('problems' in list) return list
  const { heading, roles, rows: below } = list.value
  const all = (role: SheetRole) => [...roles.keys()].filter((at) => roles[at] === role)
  const [[id], categories, [modified]] = [all('id'), all('categories'), all('modified')]
  if (id === undefined || categories.length === 0) {
    return { problems: [headingProblem(heading ?? table.rows[0]), ...describeOtherSheets(table)] }
  }
  const timeName = heading?.cells[modified ?? -1]?.trim() || 'modified'
  const columns = { id, categories, modified, timeName }
  const isGuarded = table.format === 'csv'
  return {
    value: {
      below,
      timeName,
      read: (row) => readRow(row, columns, isGuarded),
      timeIn: (row) => textAt(row, modified, isGuarded),
    },
  }
}

/** Reads a table with columns of ids and categories. */
export function readSheet(table: GivenTable, options: ListOptions): Parsed<Sheet> {
  const reader = findRowReader(table, options)
  if ('problems' in reader) return reader
  const { below, timeName, read: readOne } = reader.value
  const rows = new Map<string, SheetRow>()
  const refused: RefusedRow[] = []
  let untimed = 0
  for (const given of below) {
    const read = readOne(given)
    if ('problem' in read) {
      refused.push(read)
      if (read.problem === timeProblem(timeName)) untimed += 1
      continue
    }
    const known = rows.get(read.itemId)
    rows.set(read.itemId, known ? { ...known, paths: [...new Set([...known.paths, ...read.paths])] } : read)
  }
  const times = untimed > 0 ? [say('rowsUntimed', { column: timeName, count: untimed })] : []
  return {
    value: { rows: [...rows.values()], refused, total: below.length, notes: [...(table.notes ?? []), ...times] },
  }
}

interface Columns {
  readonly id: number
  readonly categories: readonly number[]
  readonly modified: number | undefined
  /** Heading above the times. */
  readonly timeName: string
}

const maxShown = 200

function headingProblem(heading: Row | undefined): string {
  const needed = 'a row has to name the columns id and categories'
  if (!heading) return `The file is empty: ${needed}.`
  const cells = heading.cells.join(', ').slice(0, maxShown).toWellFormed()
  return `Row ${heading.row} is "${cells}": ${needed}, as an export of items does; or columns says which they are.`
}

function timeProblem(column: string): string {
  return say('modifiedUnreadable', { column })
}

function textAt({ cells }: Row, column: number | undefined, isGuarded: boolean): string {
  const cell = cells[column ?? -1] ?? ''
  return (isGuarded ? unguardFormula(cell) : cell).trim()
}

function readRow(given: Row, columns: Columns, isGuarded: boolean): SheetRow | RefusedRow {
  const { row } = given
  const itemId = textAt(given, columns.id, isGuarded).toLowerCase()
  if (itemId === '') return { row, itemId, problem: say('rowWithoutId') }
  if (itemId.length > maxShown)
    return { row, itemId: itemId.slice(0, maxShown).toWellFormed(), problem: say('idTooLong') }
  const cells = columns.categories.map((column) => textAt(given, column, isGuarded))
  const paths = [...new Set(cells.flatMap(splitPaths))]
  const time = textAt(given, columns.modified, isGuarded)
  if (time === '') return { row, itemId, paths }
  const modified = parseMoments(time.slice(0, maxShown))
  return modified.length === 0
    ? { row, itemId, problem: timeProblem(columns.timeName) }
    : { row, itemId, paths, modified }
}

/**
 * Several paths in one cell: a slash begins each of them, and no title has one. A sign behind a blank at the end is one too many. Other blanks before a
 * sign are left to `trim`: an expression that looked for them would take a time with the square of their number.
 */
function splitPaths(cell: string): readonly string[] {
  return cell
    .replace(/\s[|;,]$/, '')
    .split(/[|;,](?=\s*\/)|[\r\n]+/)
    .map((path) => path.trim())
    .filter((path) => path !== '')
}
