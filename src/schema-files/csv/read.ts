import { listProblems, type SchemaFileReading } from '../schema-file.ts'
import { type Columns, guessColumns, type Layout, readHeader } from './columns.ts'
import { addRows } from './layouts.ts'
import { RowNotes } from './row-notes.ts'
import { Sheet } from './sheet.ts'
import { type Delimiter, type Row, readTable } from './table.ts'
import { Tree } from './tree.ts'

/** What is to be known of a CSV file that it does not tell; undefined is found out. */
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
  const { rows, columns } = found
  const tree = new Tree(notes)
  const problems = addRows(columns, new Sheet(rows, notes, trim), tree)
  if (problems.length > 0) return { problems: listProblems(problems) }
  if (tree.rows === 0) return { problems: ['The file has no categories.'] }
  return { value: { ...tree.finish(), format: 'csv', rows: tree.rows, notes: notes.list() } }
}

type Found = { readonly columns: Columns; readonly rows: readonly Row[] } | { readonly problems: readonly string[] }

/** The columns, and the rows with categories. */
function findColumns(
  rows: readonly Row[],
  layout: Layout | undefined,
  header: boolean | undefined,
  notes: RowNotes,
): Found {
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
  if (header === undefined && columns.layout !== 'indented') notes.add(taken[columns.layout], below[0]!.row)
  return { columns, rows: below }
}

/** A list of paths may begin with a line about itself, as Google's does. */
function withoutComment(rows: readonly Row[], notes: RowNotes): readonly Row[] {
  const [first, second] = rows
  const [text = ''] = first!.cells
  if (first!.cells.length > 1 || !/^#\s/.test(text) || second === undefined) return rows
  notes.add('The line beginning with # was taken as a comment.', first!.row)
  return rows.slice(1)
}

const taken = {
  path: 'No header was recognized; the columns were taken as path, description and source.',
  levels: 'No header was recognized; the columns were taken as levels, from the roots down.',
  parent: '',
} as const satisfies Record<Exclude<Layout, 'indented'>, string>
