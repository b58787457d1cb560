import type { Category } from '../../../../src/categories/schema.ts'
import type { Layout } from '../../../../src/schema-files/csv/columns.ts'
import { readCsv } from '../../../../src/schema-files/csv/read.ts'
import type { Delimiter } from '../../../../src/schema-files/csv/table.ts'
import { readJson } from '../../../../src/schema-files/json.ts'
import type { Note } from '../../../../src/schema-files/schema-file.ts'

/** Contents of a pasted text, or the server's sentences by row why it cannot be parsed. */
export type Pasted =
  | { readonly categories: readonly Category[]; readonly rows: number; readonly notes: readonly Note[] }
  | { readonly problems: readonly string[] }

/**
 * Parses an indented list, CSV, cells of a spreadsheet, or the JSON of a category schema, as the server parses a file. The
 * layout is detected where none is given.
 */
export function readPasted(text: string, layout?: Layout): Pasted {
  const isJson = layout === undefined && /^\s*[[{]/.test(text)
  const read = isJson ? readJson(text) : readCsv(text, { layout, ...(layout === 'indented' && asOneColumn(text)) })
  if ('problems' in read) return read
  const { schema, rows, notes } = read.value
  return { categories: schema.categorySchema, rows, notes }
}

/** Parses an indented list as one column: the delimiter is a character that the text does not have. */
function asOneColumn(text: string): { readonly delimiter: Delimiter; readonly header: false } {
  const absent = (['|', ';', ','] as const).find((sign) => !text.includes(sign))
  return { delimiter: absent ?? '|', header: false }
}
