import type { Parsed } from '../../call/parsed.ts'
import { say } from '../../sentences/say.ts'
import type { Code } from '../../sentences/sentences.ts'
import { Problems, type ReadTable, type SchemaFileReading } from '../schema-file.ts'
import { type Columns, columnsOf, type Layout, noFacts, type Role, rolesOf } from './columns.ts'
import { findHeading, isNumber, type NamedColumns, nameRoles, repeats } from './headings.ts'
import { columnsBefore, identifierColumns } from './identifiers.ts'
import { addRows } from './layouts.ts'
import { type Outline, readBlankIndented, readLines, readMarkedList } from './outline.ts'
import { RowNotes } from './row-notes.ts'
import { Sheet } from './sheet.ts'
import { type Delimiter, type Row, readTable } from './table.ts'
import { Tree } from './tree.ts'

/** Facts that a table does not have in itself; undefined ones are detected. */
export interface CsvReadOptions {
  readonly layout?: Layout | undefined
  readonly delimiter?: Delimiter | undefined
  /** Whether a row names the columns. */
  readonly header?: boolean | undefined
  /** Row of the heading, from 1; those above it are left out. */
  readonly headerRow?: number | undefined
  readonly columns?: NamedColumns | undefined
  /** Whether blanks around texts are removed; true by default. */
  readonly trim?: boolean | undefined
  /** Whether bullets and numbers before the lines of a list are kept. */
  readonly keepsMarkers?: boolean | undefined
  /** Rows that are left out, such as sums. */
  readonly ignoredRows?: readonly number[] | undefined
  /** Preferred languages, of columns that differ in their language alone. */
  readonly languages?: readonly string[] | undefined
}

/** Rows of a table, and where they come from. */
export interface GivenTable {
  readonly format: 'csv' | 'xlsx'
  readonly rows: readonly Row[]
  readonly sheet?: string
  readonly sheets?: readonly string[]
  /** Notes on the whole file. */
  readonly notes?: readonly string[]
}

/** Reads categories from CSV, cells of a spreadsheet or a list, in any of the layouts (contract §6.2). */
export function readCsv(text: string, options: CsvReadOptions): SchemaFileReading {
  const { delimiter, trim = true } = options
  const outline = findMarkedList(text, options)
  if (outline) return readOutline(outline, options)
  const lines = options.layout === 'indented' && delimiter === undefined ? readLines(text) : undefined
  if (lines) return readOutline(lines, options)
  const table = readTable(text, { delimiter, trim })
  const indented = findIndentedList(text, table, options)
  if (indented) return readOutline(indented, options)
  return 'problems' in table ? table : readRows({ format: 'csv', rows: table.value }, options)
}

/** Whether nothing says that the text is a table. */
function mayBeList({ layout, delimiter, header, headerRow, columns = [] }: CsvReadOptions): boolean {
  const isOpen = layout === undefined || layout === 'indented'
  return isOpen && delimiter === undefined && !header && headerRow === undefined && columns.length === 0
}

function findMarkedList(text: string, options: CsvReadOptions): Outline | undefined {
  return mayBeList(options) && !options.keepsMarkers ? readMarkedList(text) : undefined
}

function findIndentedList(text: string, table: Parsed<readonly Row[]>, options: CsvReadOptions): Outline | undefined {
  if (!mayBeList(options)) return undefined
  const lines = readBlankIndented(text)
  if (!lines) return undefined
  const list = { ...lines, note: say(taken.indented, { help: '' }) }
  if ('problems' in table) return list
  const heading = findHeading(table.value, { layout: undefined, named: [], languages: [] }, new RowNotes())
  if ('problems' in heading || !heading.value) return list
  // A heading above a list has no level of its own.
  return table.value.every(({ cells }) => cells.length === 1) ? { ...list, rows: list.rows.slice(1) } : undefined
}

function readOutline({ rows, note }: Outline, options: CsvReadOptions): SchemaFileReading {
  const table = { format: 'csv', rows, ...(note !== undefined && { notes: [note] }) } as const
  return readRows(table, { ...options, layout: 'indented', header: false }, { isGuarded: false })
}

/** Reads categories from the rows of a table. */
export function readRows(
  table: GivenTable,
  options: CsvReadOptions,
  { isGuarded } = { isGuarded: table.format === 'csv' },
): SchemaFileReading {
  const { format } = table
  const notes = new RowNotes()
  const ignored = new Set(options.ignoredRows)
  for (const row of ignored) notes.add('The row is left out, as asked.', row)
  const found = findColumns(
    table.rows.filter(({ row }) => !ignored.has(row)),
    options,
    notes,
  )
  const others = describeOtherSheets(table)
  if ('problems' in found) return { problems: [...found.problems, ...others], ...tableOf(table, undefined, []) }
  const { rows, columns, guess } = found
  const tree = new Tree(notes, { keepsEqual: !isCoarser(columns, rows) })
  const problems = new Problems()
  addRows(columns, new Sheet(rows, notes, { trim: options.trim ?? true, isGuarded }), { tree, problems })
  const listed = problems.list()
  const reading = tableOf(table, found, problems.marks)
  if (listed.length > 0) {
    return { problems: [...(guess === undefined ? [] : [guess]), ...listed, ...others], ...reading }
  }
  if (tree.rows === 0) return { problems: [noCategories, ...others], ...reading }
  const finished = tree.finish()
  if ('problem' in finished) return { problems: [finished.problem], ...reading }
  const general = (table.notes ?? []).map((message) => ({ message }))
  const read = { ...finished, format, rows: tree.rows, notes: [...general, ...notes.list()], ...reading }
  return { value: guess === undefined ? read : { ...read, guess } }
}

/** Whether a table of levels has a column that is not used: its rows may differ in that alone. */
function isCoarser(columns: Columns, rows: readonly Row[]): boolean {
  if (columns.layout !== 'levels') return false
  const width = Math.max(...rows.map(({ cells }) => cells.length))
  return rolesOf(columns, width).some((role, at) => role === 'ignore' && rows.some(({ cells }) => cells[at]?.trim()))
}

/** Maximum number of lines of a text that is read where others wait for it: more than a schema has categories (chosen). */
const maxConcurrentLines = 300
/** Its longest, in characters (chosen). */
const maxInlineLength = 64 * 1024

/** Whether reading the text takes longer than the few milliseconds that others can wait for. */
export function isLongCsv(text: string): boolean {
  if (text.length > maxInlineLength) return true
  let lines = 0
  for (const _ of text.matchAll(/\r\n?|\n/g)) {
    lines += 1
    if (lines > maxConcurrentLines) return true
  }
  return false
}

/** Sentence about the sheets of a workbook that were not read, where what was read is refused. */
export function describeOtherSheets({ sheet, sheets = [] }: GivenTable): readonly string[] {
  const others = sheets.filter((name) => name !== sheet).slice(0, maxSheetsNamed)
  return others.length === 0
    ? []
    : [`Only the sheet ${sheet} was read; sheet= names another one: ${others.join(', ')}.`]
}

const maxSheetsNamed = 20

const noCategories = say('fileEmpty')

interface FoundColumns {
  readonly columns: Columns
  readonly rows: readonly Row[]
  readonly heading?: Row
  readonly guess?: string
}

type FoundLayout = FoundColumns | { readonly problems: readonly string[] }

/** The columns, and the rows with categories. */
function findColumns(rows: readonly Row[], options: CsvReadOptions, notes: RowNotes): FoundLayout {
  const { layout, header, headerRow, columns: named = [], languages = [] } = options
  if (rows.length === 0) return { problems: [noCategories] }
  const absent = findAbsentColumn(rows, named)
  if (absent !== undefined) return { problems: [absent] }
  if (header === false || layout === 'indented') return byShape(rows, options, notes)
  const at = headerRow === undefined ? undefined : rows.findIndex(({ row }) => row === headerRow)
  if (at === -1) return { problems: [`headerRow: row ${headerRow} is empty, or not in the file.`] }
  const found = findHeading(rows, { layout, named, languages, at, isAsked: header === true }, notes)
  if ('problems' in found) return found
  if (!found.value) {
    const hasHeading = at !== undefined || header === true
    return byShape(rows.slice(at ?? 0), hasHeading ? { ...options, header: true } : options, notes)
  }
  const { at: position, columns } = found.value
  const [heading, above] = [rows[position]!, rows.slice(0, position)]
  for (const { row } of above) notes.add(say('rowAboveHeading'), row)
  const below = rows.slice(position + 1).filter((row) => {
    const isRepeated = repeats(row, heading)
    if (isRepeated) notes.add(say('headingRepeated'), row.row)
    return !isRepeated
  })
  return { columns: withoutPlainIds(columns, heading, below, notes), rows: below, heading }
}

/** Why there is no such column: a number above those of the table, which is no heading either. */
export function findAbsentColumn(
  rows: readonly Row[],
  named: readonly { readonly column: string }[],
): string | undefined {
  const width = Math.max(...rows.map(({ cells }) => cells.length))
  const absent = named.find(({ column }) => isNumber(column) && Number(column) > width && !isCell(rows, column))
  return absent && `columns: there is no column ${absent.column}; the table has ${width}.`
}

function isCell(rows: readonly Row[], column: string): boolean {
  return rows.some(({ cells }) => cells.some((cell) => cell.trim() === column.trim()))
}

/** An identifier says something only of a file that was exported with identifiers, which are paths. */
function withoutPlainIds(columns: Columns, heading: Row, rows: readonly Row[], notes: RowNotes): Columns {
  if (columns.layout === 'indented' || columns.layout === 'parent' || columns.id === undefined) return columns
  const { id } = columns
  if (rows.some(({ cells }) => cells[id]?.startsWith('/'))) return columns
  notes.add(say('columnUnused', { column: heading.cells[id] ?? id + 1 }), heading.row)
  return { ...columns, id: undefined }
}

/** The columns of rows of which none is a known heading. */
function byShape(rows: readonly Row[], options: CsvReadOptions, notes: RowNotes): FoundLayout {
  const { layout, header, columns: named = [] } = options
  const [first, ...others] = rows
  const below = header ? others : layout === 'indented' ? rows : withoutComment(rows, notes)
  if (below.length === 0) return { problems: [noCategories] }
  const heading = header ? { heading: first! } : {}
  const guessed = guessColumns(below, layout, notes)
  if (named.length > 0) {
    const width = Math.max(...below.map(({ cells }) => cells.length))
    const roles = nameRoles(
      guessed ? rolesOf(guessed, width) : Array.from<Role>({ length: width }).fill('ignore'),
      header ? first! : undefined,
      named,
    )
    const columns = 'problems' in roles ? roles : columnsOf(roles.value, noFacts)
    return 'problems' in columns ? columns : { columns: columns.value, rows: below, ...heading }
  }
  if (!guessed) return { problems: [`Row ${first!.row}: layout=parent needs a header with parent, and id or title.`] }
  if (header !== undefined || layout === 'indented') return { columns: guessed, rows: below, ...heading }
  notes.add(say(taken[guessed.layout], { help: '' }), below[0]!.row)
  return { columns: guessed, rows: below, guess: say(taken[guessed.layout], { help: ` ${otherwise}` }) }
}

/** The columns of rows without a heading, by their shape. */
function guessColumns(rows: readonly Row[], layout: Layout | undefined, notes: RowNotes): Columns | undefined {
  const width = Math.max(...rows.map(({ cells }) => cells.length))
  const guessed = layout ?? guessLayout(rows, width)
  if (guessed === 'path') return { layout: 'path', path: 0, description: 1, source: 2, id: undefined }
  if (guessed === 'indented') return { layout: 'indented' }
  if (guessed === 'parent') return undefined
  const empty = columnsBefore(rows)
  const identifiers = layout === undefined ? identifierColumns(rows) : new Set()
  const filled = Array.from({ length: width }, (_, at) => at).filter((at) => !empty.has(at))
  const levels = filled.filter((at) => !identifiers.has(at))
  if (levels.length === 0 || identifiers.size === 0) return levelsAt(filled)
  for (const at of identifiers) notes.add(say('columnOfIds', { column: Number(at) + 1 }), rows[0]!.row)
  return levelsAt(levels)
}

function levelsAt(positions: readonly number[]): Columns {
  const levels = positions.map((title) => ({ title, description: undefined }))
  return { layout: 'levels', levels, description: undefined, source: undefined, id: undefined }
}

function guessLayout(rows: readonly Row[], width: number): Layout {
  const first = rows.map(({ cells }) => cells[0]!.trim())
  if (first.every((cell) => cell.startsWith('/')) || first.some((cell) => cell.includes(' > '))) return 'path'
  if (width > 1) return 'levels'
  const whole = new Set(first)
  // A row that begins with all of another one names its place.
  const hasPaths = first.some((cell) => cell.includes('/') && whole.has(cell.slice(0, cell.lastIndexOf('/')).trim()))
  const roots = new Set(first.map((cell) => (cell.includes('/') ? cell.slice(0, cell.indexOf('/')) : cell)))
  const isOneTree = first.length > 1 && roots.size === 1 && first.every((cell) => cell.includes('/'))
  return hasPaths || isOneTree ? 'path' : 'indented'
}

/** A list of paths may begin with a line about itself, as Google's does. */
function withoutComment(rows: readonly Row[], notes: RowNotes): readonly Row[] {
  const [first, second] = rows
  const [text = ''] = first!.cells
  if (first!.cells.length > 1 || !/^#\s/.test(text) || second === undefined) return rows
  notes.add(say('commentLine'), first!.row)
  return rows.slice(1)
}

const otherwise =
  'If that is wrong, name the columns by path, level1 to level4, title, id, parent, description or source, in a heading or by ' +
  'columns; or give header, headerRow or layout.'

const taken = {
  path: 'takenAsPath',
  levels: 'takenAsLevels',
  indented: 'takenAsList',
  // It needs a heading, and is never guessed.
  parent: 'takenAsPath',
} as const satisfies Record<Layout, Code>

/** Rows that are sent with a reading: the first, and as many that are wrong (chosen). */
const maxRowsSent = 25
/** Rows at the end that are sent as well: totals and remarks stand there (chosen). */
const lastRowsSent = 3
/** Characters of a cell that are sent. */
const maxCellLength = 200

function tableOf(
  { rows, sheet, sheets }: GivenTable,
  found: FoundColumns | undefined,
  marks: ReadTable['marks'],
): { readonly table?: ReadTable } {
  if (rows.length === 0) return {}
  const width = Math.max(...rows.map(({ cells }) => cells.length))
  const marked = new Set(marks.map(({ row }) => row))
  const rest = rows.slice(maxRowsSent, -lastRowsSent)
  const wrong = rest.filter(({ row }) => marked.has(row)).slice(0, maxRowsSent)
  const sent = [...rows.slice(0, maxRowsSent), ...wrong, ...rows.slice(maxRowsSent).slice(-lastRowsSent)]
  const columns = found?.columns ?? levelsAt(Array.from({ length: width }, (_, at) => at))
  const cut = (cell: string) => (cell.length > maxCellLength ? `${cell.slice(0, maxCellLength).toWellFormed()}…` : cell)
  return {
    table: {
      layout: columns.layout,
      headingRow: found?.heading?.row,
      ...(sheet !== undefined && { sheet }),
      ...(sheets !== undefined && { sheets }),
      columns: rolesOf(columns, width).map((role, at) => ({ heading: cut(found?.heading?.cells[at] ?? ''), role })),
      rows: sent.map(({ row, cells }) => ({ row, cells: cells.map(cut) })),
      total: rows.length,
      marks,
    },
  }
}
