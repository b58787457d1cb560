import type { SchemaLimits } from '../../../../src/categories/limits.ts'
import type { Category } from '../../../../src/categories/schema.ts'
import type { Role } from '../../../../src/schema-files/csv/columns.ts'
import { readCsv } from '../../../../src/schema-files/csv/read.ts'
import type { Delimiter } from '../../../../src/schema-files/csv/table.ts'
import { judgeRead } from '../../../../src/schema-files/import.ts'
import { readJson } from '../../../../src/schema-files/json.ts'
import type { FileReading, Mark, Note, ReadSchemaFile } from '../../../../src/schema-files/schema-file.ts'
import type { ChosenColumns, ReadTable, TableChoices } from '../../tables/choose-roles.ts'

/** Contents of a pasted text, or the server's sentences by row why it cannot be parsed. */
export type Pasted =
  | {
      readonly categories: readonly Category[]
      readonly rows: number
      readonly notes: readonly Note[]
      readonly table?: ReadTable
    }
  | { readonly problems: readonly string[]; readonly table?: ReadTable }

/**
 * Parses an indented list, CSV, cells of a spreadsheet, or the JSON of a category schema, as the server parses a file. Rows
 * that the server would refuse are marked in the table; the sentence about a guess is left out, as the table shows it.
 */
export function readPasted(
  text: string,
  limits: SchemaLimits,
  choices: TableChoices = {},
  languages: readonly string[] = [],
): Pasted {
  const { layout, header, headerRow, columns, ignoreRows } = choices
  if (layout === undefined && /^\s*[[{]/.test(text)) {
    const read = readJson(text)
    return 'problems' in read ? { problems: read.problems } : contentsOf(read.value)
  }
  const read = readCsv(text, {
    layout,
    header,
    headerRow,
    ignoredRows: ignoreRows,
    languages,
    columns: columns && namedColumns(columns),
    ...(layout === 'indented' && asOneColumn(text)),
  })
  if ('problems' in read) {
    return { problems: read.problems.filter((sentence) => !isGuess(sentence)), ...tableOf(read, []) }
  }
  return { ...contentsOf(read.value), ...tableOf(read.value, marksOf(read.value, limits)) }
}

function contentsOf({ schema, rows, notes }: ReadSchemaFile) {
  return { categories: schema.categorySchema, rows, notes: notes.filter(({ message }) => !isGuess(message)) }
}

/** Whether a sentence is about what was guessed of the text. */
function isGuess(sentence: string): boolean {
  return sentence.startsWith('No header was recognized')
}

/** The table as the API has it: rows and columns of its marks count from 1. */
function tableOf({ table }: FileReading, more: readonly Mark[]): { readonly table?: ReadTable } {
  if (!table) return {}
  const { headingRow, layout, columns, rows, total } = table
  const marks = [...table.marks, ...more].map(({ column, ...mark }) =>
    column === undefined ? mark : { ...mark, column: column + 1 },
  )
  return { table: { layout, columns, rows, total, marks, ...(headingRow !== undefined && { headingRow }) } }
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

function namedColumns(columns: ChosenColumns) {
  return Object.entries(columns).flatMap(([role, numbers = []]) =>
    numbers.map((number) => ({ role: role as Role, column: String(number) })),
  )
}

/** Parses an indented list as one column: the delimiter is a character that the text does not have. */
function asOneColumn(text: string): { readonly delimiter: Delimiter; readonly header: false } {
  const absent = (['|', ';', ','] as const).find((sign) => !text.includes(sign))
  return { delimiter: absent ?? '|', header: false }
}
