import { mapParsed, type Parsed } from '../../call/parsed.ts'
import type { CategorySchema } from '../../categories/schema.ts'
import type { WrittenSchemaFile } from '../schema-file.ts'
import { listRows, type RowOptions } from '../written-rows.ts'
import { zipParts } from './archive.ts'
import { partsOf } from './parts.ts'

export const workbookType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** Writes the rows of a schema as an Excel workbook (contract §6.2). */
export function writeWorkbook(schema: CategorySchema, options: RowOptions): Parsed<WrittenSchemaFile<Uint8Array>> {
  return mapParsed(listRows(schema, options), (rows) => ({
    content: zipParts(partsOf(rows)),
    extension: 'xlsx',
    contentType: workbookType,
  }))
}
