import { Problems, type SchemaFileReading } from '../schema-file.ts'
import { type Columns, guessColumns, type Layout, readHeader } from './columns.ts'
import { addRows } from './layouts.ts'
import { RowNotes } from './row-notes.ts'
import { Sheet } from './sheet.ts'
import { type Delimiter, type Row, readTable } from './table.ts'
import { Tree } from './tree.ts'

/** Facts that a CSV file does not have in itself; undefined ones are detected. */
export interface CsvReadOptions {
  readonly layout?: Layout | undefined
  readonly delimiter?: Delimiter | undefined
  /** Whether the first row names the columns. */
  readonly header?: boolean | undefined
  /** Whether blanks around texts are removed; true by default. */
  readonly trim?: boolean | undefined
}

/** Reads categories from CSV in any of the layouts (contract §6.2). */
export function readCsv(text: string, { layout, delimiter, header, trim = true }: CsvReadOptions): SchemaFileReading {
  const table = readTable(text, { delimiter, trim })
  if ('problems' in table) return table
  const notes = new RowNotes()
  const found = findColumns(table.value, layout, header, notes)
  if ('problems' in found) return found
  const { rows, columns, guess } = found
  const tree = new Tree(notes)
  const problems = new Problems()
  addRows(columns, new Sheet(rows, notes, trim), { tree, problems })
  const listed = problems.list()
  if (listed.length > 0) return { problems: guess === undefined ? listed : [guess, ...listed] }
  if (tree.rows === 0) return { problems: ['The file has no categories.'] }
  const read = { ...tree.finish(), format: 'csv', rows: tree.rows, notes: notes.list() } as const
  return { value: guess === undefined ? read : { ...read, guess } }
}

/** Most lines of a text that is read where others wait for it: more than a schema has categories (chosen). */
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

interface FoundColumns {
  readonly columns: Columns
  readonly rows: readonly Row[]
  readonly guess?: string
}

type FoundLayout = FoundColumns | { readonly problems: readonly string[] }

/** The columns, and the rows with categories. */
function findColumns(
  rows: readonly Row[],
  layout: Layout | undefined,
  header: boolean | undefined,
  notes: RowNotes,
): FoundLayout {
  const [first, ...others] = rows
  if (!first) return { problems: ['The file has no categories.'] }
  if (header !== false) {
    const named = readHeader(first, layout, notes)
    if ('problems' in named) return named
    if (named.value) return { columns: named.value, rows: others }
  }
  const below = header ? others : withoutComment(rows, notes)
  if (below.length === 0) return { problems: ['The file has no categories.'] }
  const columns = guessColumns(below, layout)
  if (!columns) {
    return { problems: [`Row ${first.row}: layout=parent needs a header with parent, and id or title.`] }
  }
  if (header !== undefined || columns.layout === 'indented') return { columns, rows: below }
  const guess = taken[columns.layout]
  notes.add(guess, below[0]!.row)
  return { columns, rows: below, guess: `${guess} ${otherwise}` }
}

/** A list of paths may begin with a line about itself, as Google's does. */
function withoutComment(rows: readonly Row[], notes: RowNotes): readonly Row[] {
  const [first, second] = rows
  const [text = ''] = first!.cells
  if (first!.cells.length > 1 || !/^#\s/.test(text) || second === undefined) return rows
  notes.add('The line beginning with # was taken as a comment.', first!.row)
  return rows.slice(1)
}

const otherwise = 'If that is wrong, name the columns, or give header and layout.'

const taken = {
  path: 'No header was recognized; the columns were taken as path, description and source.',
  levels: 'No header was recognized; the columns were taken as levels, from the roots down.',
  parent: '',
} as const satisfies Record<Exclude<Layout, 'indented'>, string>
