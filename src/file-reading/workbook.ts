import type { Parsed } from '../call/parsed.ts'
import type { Row } from '../schema-files/csv/table.ts'

/** A sheet of a workbook, and what is to be said of the rest. */
export interface Workbook {
  readonly rows: readonly Row[]
  readonly sheet: string
  readonly sheets: readonly string[]
  readonly notes: readonly string[]
}

export function readWorkbook(_bytes: Uint8Array, _sheet: string | undefined): Parsed<Workbook> {
  return { problems: ['not yet'] }
}
