import { mapParsed, type Parsed } from '../../call/parsed.ts'
import type { CategorySchema } from '../../categories/schema.ts'
import { byteOrderMark, formatCsvRow, guardFormula } from '../../csv-text.ts'
import type { WrittenSchemaFile } from '../schema-file.ts'
import { listRows, type RowOptions } from '../written-rows.ts'
import type { Delimiter } from './table.ts'

export interface CsvWriteOptions extends RowOptions {
  readonly delimiter: Delimiter
  /** Whether the file begins with a byte order mark, without which Excel does not take it for UTF-8. */
  readonly bom: boolean
}

/** Writes the rows of a schema as CSV (contract §6.2). */
export function writeCsv(
  schema: CategorySchema,
  { delimiter, bom, ...options }: CsvWriteOptions,
): Parsed<WrittenSchemaFile<string>> {
  return mapParsed(listRows(schema, options), (rows) => {
    const text = rows.map((cells) => formatCsvRow(cells.map(guardFormula), delimiter)).join('')
    return { content: bom ? byteOrderMark + text : text, extension: 'csv', contentType: 'text/csv; charset=utf-8' }
  })
}
