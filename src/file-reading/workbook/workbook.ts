import type { Parsed } from '../../call/parsed.ts'
import { maxCategoryRows, type Row } from '../../schema-files/csv/table.ts'
import { listProblems } from '../../schema-files/schema-file.ts'
import { describeUnreadable } from '../../schema-files/workbooks.ts'
import { say } from '../../sentences/say.ts'
import { Archive } from './archive.ts'
import { type Cell, maxColumns, nameCell, nameColumn, type Range, readCells, type SheetCells } from './cells.ts'
import { formatDate, readDateStyles } from './dates.ts'
import { findParts, type SheetPart, type WorkbookParts } from './parts.ts'
import { damagedWorkbook, WorkbookRefused } from './refusal.ts'
import { readSharedStrings } from './strings.ts'

/** One sheet of an Excel workbook. */
export interface Workbook {
  readonly rows: readonly Row[]
  /** Name of the sheet that was read. */
  readonly sheet: string
  /** Names of all sheets with cells, in their order. */
  readonly sheets: readonly string[]
  /** Notes on the whole file. */
  readonly notes: readonly string[]
}

/**
 * Reads a sheet: the first that is visible, or the one with this name or number, from 1. `trim` says whether a cell of nothing
 * but blanks is empty.
 */
export function readWorkbook(
  bytes: Uint8Array,
  sheet: string | undefined,
  { trim = true, maxRows = maxCategoryRows }: { readonly trim?: boolean; readonly maxRows?: number } = {},
): Parsed<Workbook> {
  const maxCharacters = (maxCategoryCharacters * maxRows) / maxCategoryRows
  const unreadable = describeUnreadable(bytes)
  if (unreadable) return { problems: [unreadable] }
  try {
    const archive = new Archive(bytes)
    const parts = findParts(archive)
    const part = chooseSheet(parts.sheets, sheet)
    const cells = readCells(archive.read(part.part), maxRows)
    const { rows, notes } = new SheetReading(archive, parts, cells).read(trim, maxCharacters)
    const sheets = parts.sheets.map(({ name }) => name)
    const others = sheets.filter((_, at) => parts.sheets[at] !== part)
    const general = [
      ...(others.length > 0
        ? [say('sheetsNotRead', { sheet: listNames([part.name]), others: listNames(others) })]
        : []),
      ...(parts.hasMacros ? [say('macrosIgnored')] : []),
    ]
    return { value: { rows, sheet: part.name, sheets, notes: [...general, ...notes] } }
  } catch (error) {
    if (error instanceof CellsRefused) return { problems: listProblems(error.problems) }
    if (error instanceof WorkbookRefused) return { problems: [error.message] }
    throw error
  }
}

function chooseSheet(sheets: readonly SheetPart[], wanted: string | undefined): SheetPart {
  const [first] = sheets
  if (!first) throw new WorkbookRefused(say('workbookEmpty'))
  if (wanted === undefined || wanted === '') return sheets.find(({ isHidden }) => !isHidden) ?? first
  const folded = wanted.trim().toLowerCase()
  const found =
    sheets.find(({ name }) => name === wanted) ??
    sheets.find(({ name }) => name.trim().toLowerCase() === folded) ??
    (/^\d{1,4}$/.test(folded) ? sheets[Number(folded) - 1] : undefined)
  if (found) return found
  const names = listNames(sheets.map(({ name }) => name))
  throw new WorkbookRefused(`sheet: the workbook has no such sheet; give the name or the number of one of ${names}.`)
}

/** Cells and names that a sentence lists (chosen). */
const maxListed = 20

function listNames(names: readonly string[]): string {
  const rest = names.length > maxListed ? ` and ${names.length - maxListed} more` : ''
  const shown = names.slice(0, maxListed).map((name) => name.replace(/[\p{Cc}\p{Bidi_Control}]/gu, ' '))
  return shown.join(', ') + rest
}

/** Characters of a text, as in Excel: a shared one may be in every cell. */
const maxCellLength = 32_767

function requireShort(text: string, cell: string): string {
  if (text.length > maxCellLength) throw new WorkbookRefused(`${cell} has more than ${maxCellLength} characters.`)
  return text
}

/** Characters of all cells of a schema (chosen): four times what a file of CSV may have. A shared text counts in each cell. */
const maxCategoryCharacters = 4 * 1024 * 1024

function requireFew(rows: readonly TextRow[], maxCharacters: number): void {
  const characters = rows.reduce(
    (sum, { texts }) => [...texts.values()].reduce((all, text) => all + text.length, sum),
    0,
  )
  if (characters <= maxCharacters) return
  throw new WorkbookRefused(
    `The cells of the sheet have more than ${maxCharacters} characters: leave out what is not needed, or save the sheet as CSV.`,
  )
}

/** Cells that have no value to be read; one sentence each. */
class CellsRefused extends Error {
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join(' '))
    this.problems = problems
  }
}

/** Makes texts of the cells of a sheet. */
class SheetReading {
  readonly #sheet: SheetCells
  readonly #shared: ReadonlyMap<number, string>
  readonly #dateStyles: ReadonlySet<number>
  readonly #is1904: boolean
  readonly #dates: string[] = []
  readonly #unset: string[] = []
  readonly #problems: string[] = []

  constructor(archive: Archive, { strings, styles, is1904 }: WorkbookParts, sheet: SheetCells) {
    const cells = sheet.rows.flatMap((row) => [...row.cells.values()])
    const wanted = new Set(cells.flatMap((cell) => ('shared' in cell ? [cell.shared] : [])))
    const hasStyles = cells.some((cell) => 'number' in cell && cell.style > 0)
    this.#sheet = sheet
    this.#shared =
      strings !== undefined && wanted.size > 0 ? readSharedStrings(archive.read(strings), wanted) : new Map()
    this.#dateStyles = styles !== undefined && hasStyles ? readDateStyles(archive.read(styles)) : new Set()
    this.#is1904 = is1904
  }

  read(trim: boolean, maxCharacters: number): { readonly rows: readonly Row[]; readonly notes: readonly string[] } {
    const texts = this.#sheet.rows.map(({ row, cells }): TextRow => {
      const found = [...cells].map(([column, cell]) => [column, this.#textOf(cell, nameCell(row, column))] as const)
      return { row, texts: new Map(found.filter(([, text]) => (trim ? text.trim() : text) !== '')) }
    })
    if (this.#unset.length > 0) {
      const code = this.#unset.length === 1 ? 'formulaWithoutValue' : 'formulasWithoutValue'
      this.#problems.push(say(code, { cells: listNames(this.#unset) }))
    }
    if (this.#problems.length > 0) throw new CellsRefused(this.#problems)
    const removed = fillMerged(texts, this.#sheet.merged)
    requireFew(texts, maxCharacters)
    const rows = texts.filter((row) => row.texts.size > 0).map(rowOf)
    return { rows, notes: this.#notes(rows, removed) }
  }

  #textOf(cell: Cell, name: string): string {
    if ('text' in cell) return requireShort(cell.text, name)
    if ('shared' in cell) {
      const text = this.#shared.get(cell.shared)
      if (text === undefined) throw damagedWorkbook()
      return requireShort(text, name)
    }
    if ('number' in cell) return this.#numberOf(cell.number, cell.style, name)
    if ('date' in cell) {
      this.#dates.push(name)
      return cell.date.replace(/T00:00:00(?:\.0+)?Z?$/, '')
    }
    if ('error' in cell) this.#problems.push(say('cellHasError', { cell: name, error: cell.error.slice(0, 20) }))
    else this.#unset.push(name)
    return ''
  }

  #numberOf(number: string, style: number, name: string): string {
    const date = this.#dateStyles.has(style) ? formatDate(Number(number), this.#is1904) : undefined
    if (date !== undefined) this.#dates.push(name)
    return date ?? number
  }

  #notes(rows: readonly Row[], removed: readonly string[]): readonly string[] {
    const { merged, hiddenColumns } = this.#sheet
    const numbers = new Set(rows.map(({ row }) => row))
    const width = Math.max(0, ...rows.map(({ cells }) => cells.length))
    const hiddenRows = this.#sheet.rows.filter(({ row, isHidden }) => isHidden && numbers.has(row))
    const isHidden = (column: number) => hiddenColumns.some(([min, max]) => column >= min && column <= max)
    const columns = Array.from({ length: width }, (_, at) => at + 1).filter(isHidden)
    const tall = merged.filter(({ top, bottom }) => bottom > top)
    const found = [
      ['datesTaken', this.#dates],
      ['mergedFilled', tall.map(({ name }) => name)],
      ['mergedLeftOut', removed],
      ['hiddenRows', hiddenRows.map(({ row }) => String(row))],
      ['hiddenColumns', columns.map(nameColumn)],
    ] as const
    return found.flatMap(([code, names]) => (names.length > 0 ? [say(code, { cells: listNames(names) })] : []))
  }
}

function rowOf({ row, texts }: TextRow): Row {
  const width = Math.max(...texts.keys())
  return { row, cells: Array.from({ length: width }, (_, at) => texts.get(at + 1) ?? '') }
}

/** Texts of a row, by column from 1. */
export interface TextRow {
  readonly row: number
  readonly texts: Map<number, string>
}

/**
 * Fills the value of a merged cell into the rows that it spans, as far as they have something themselves. Below the cell and
 * beside it, nothing is seen in a spreadsheet: texts that are kept there are removed, and their cells returned.
 */
export function fillMerged(rows: readonly TextRow[], merged: readonly Range[]): readonly string[] {
  /** Cells of which a merged cell is known: none is in two, so that the work is limited by the rows. */
  const taken = new Set<number>()
  const removed: string[] = []
  for (const { top, left, bottom, right } of merged) {
    const first = findFirst(rows, top)
    const value = (rows[first]?.row === top && rows[first].texts.get(left)) || ''
    for (let at = first; at < rows.length && rows[at]!.row <= bottom; at += 1) {
      const { row, texts } = rows[at]!
      for (let column = left; column <= Math.min(right, maxColumns); column += 1) {
        if (taken.size === taken.add(row * maxColumns + column).size) throw damagedWorkbook()
        if (row === top && column === left) continue
        if (texts.delete(column)) removed.push(nameCell(row, column))
        if (column === left && value !== '' && texts.size > 0) texts.set(column, value)
      }
    }
  }
  return removed
}

/** Position of the first row from this number on. */
function findFirst(rows: readonly TextRow[], number: number): number {
  let [low, high] = [0, rows.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (rows[middle]!.row < number) low = middle + 1
    else high = middle
  }
  return low
}
