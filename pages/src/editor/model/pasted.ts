import type { SchemaLimits } from '../../../../src/categories/limits.ts'
import type { Category } from '../../../../src/categories/schema.ts'
import type { Layout, Role } from '../../../../src/schema-files/csv/columns.ts'
import { readCsv } from '../../../../src/schema-files/csv/read.ts'
import type { Delimiter } from '../../../../src/schema-files/csv/table.ts'
import { readJson } from '../../../../src/schema-files/json.ts'
import { judgeRead } from '../../../../src/schema-files/judge.ts'
import type { Mark, Note, ReadSchemaFile, ReadTable } from '../../../../src/schema-files/schema-file.ts'

/** How a person says that a text is to be read; what is undefined is detected. */
export interface ReadChoices {
  readonly layout?: Layout | undefined
  readonly header?: boolean | undefined
  /** Row of the heading, from 1. */
  readonly headerRow?: number | undefined
  /** Numbers of columns, from 1, by their roles. */
  readonly columns?: Readonly<Partial<Record<Role, number | readonly number[]>>> | undefined
}

/** A table that was read. Rows and columns of its marks count from 1, as in the API. */
export type PastedTable = ReadTable

/** Contents of a pasted text, or the server's sentences by row why it cannot be parsed. */
export type Pasted =
  | {
      readonly categories: readonly Category[]
      readonly rows: number
      readonly notes: readonly Note[]
      readonly table?: PastedTable
    }
  | { readonly problems: readonly string[]; readonly table?: PastedTable }

/**
 * Parses an indented list, CSV, cells of a spreadsheet, or the JSON of a category schema, as the server parses a file. Rows
 * that the server would refuse are marked in the table; the sentence about a guess is left out, as the table shows it.
 */
export function readPasted(text: string, limits: SchemaLimits, choices: ReadChoices = {}): Pasted {
  const { layout, header, headerRow, columns } = choices
  if (layout === undefined && /^\s*[[{]/.test(text)) {
    const read = readJson(text)
    return 'problems' in read ? read : contentsOf(read.value)
  }
  const read = readCsv(text, {
    layout,
    header,
    headerRow,
    columns: columns && namedColumns(columns),
    ...(layout === 'indented' && asOneColumn(text)),
  })
  if ('problems' in read) {
    const { problems, table } = read
    const shown = problems.filter((sentence) => !isGuess(sentence))
    return { problems: shown, ...(table && { table: withMarks(table, []) }) }
  }
  const { table } = read.value
  return { ...contentsOf(read.value), ...(table && { table: withMarks(table, marksOf(read.value, limits)) }) }
}

function contentsOf({ schema, rows, notes }: ReadSchemaFile) {
  return { categories: schema.categorySchema, rows, notes: notes.filter(({ message }) => !isGuess(message)) }
}

/** Whether a sentence is about what was guessed of the text. */
function isGuess(sentence: string): boolean {
  return sentence.startsWith('No header was recognized')
}

function withMarks(table: ReadTable, more: readonly Mark[]): PastedTable {
  const marks = table.marks.map((mark) => (mark.column === undefined ? mark : { ...mark, column: mark.column + 1 }))
  return { ...table, marks: [...marks, ...more] }
}

/** Marks for rows whose categories the server would refuse. */
function marksOf({ schema, places }: ReadSchemaFile, limits: SchemaLimits): readonly Mark[] {
  const judged = judgeRead({ schema, places }, limits)
  if (!('problems' in judged)) return []
  return judged.problems.flatMap((message) => {
    const [, row] = /^Row (\d+):/.exec(message) ?? []
    return row === undefined ? [] : [{ row: Number(row), message }]
  })
}

function namedColumns(columns: NonNullable<ReadChoices['columns']>) {
  return Object.entries(columns).flatMap(([role, numbers]) =>
    [numbers].flat().map((number) => ({ role: role as Role, column: String(number) })),
  )
}

/** Parses an indented list as one column: the delimiter is a character that the text does not have. */
function asOneColumn(text: string): { readonly delimiter: Delimiter; readonly header: false } {
  const absent = (['|', ';', ','] as const).find((sign) => !text.includes(sign))
  return { delimiter: absent ?? '|', header: false }
}
