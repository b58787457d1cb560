import type { Category } from '../../../../src/categories/schema.ts'
import type { Layout } from '../../../../src/schema-files/csv/columns.ts'
import { readCsv } from '../../../../src/schema-files/csv/read.ts'
import type { Delimiter } from '../../../../src/schema-files/csv/table.ts'
import { readJson } from '../../../../src/schema-files/json.ts'
import type { Note } from '../../../../src/schema-files/schema-file.ts'

/** What a pasted text has, or why it cannot be read: the sentences of the server, by row. */
export type Pasted =
  | { readonly categories: readonly Category[]; readonly rows: number; readonly notes: readonly Note[] }
  | { readonly problems: readonly string[] }

/**
 * Reads an indented list, CSV, cells of a spreadsheet, or the JSON of a category schema, as the server reads a file. The
 * layout is found out where none is given.
 */
export function readPasted(text: string, layout?: Layout): Pasted {
  const isJson = layout === undefined && /^\s*[[{]/.test(text)
  const read = isJson ? readJson(text) : readCsv(text, { layout, ...(layout === 'indented' && asOneColumn(text)) })
  if ('problems' in read) return read
  const { schema, rows, notes } = read.value
  return { categories: schema.categorySchema, rows, notes }
}

/** An indented list has no columns: the sign between cells is one that the text does not have. */
function asOneColumn(text: string): { readonly delimiter: Delimiter; readonly header: false } {
  const absent = (['|', ';', ','] as const).find((sign) => !text.includes(sign))
  return { delimiter: absent ?? '|', header: false }
}
