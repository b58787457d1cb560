import type { Parsed } from '../call/parsed.ts'
import type { SchemaLimits } from '../categories/limits.ts'
import type { CsvReadOptions, GivenTable } from './csv/read.ts'
import type { TableOptions } from './csv/table.ts'
import type { SchemaFileReading } from './schema-file.ts'
import type { SkosOptions } from './skos/options.ts'
import type { SkosSyntax } from './skos/syntaxes.ts'

/** A file to be read, and how. Plain values. */
export type GivenFile = CsvFile | WorkbookFile | SkosFile

interface CsvFile {
  readonly format: 'csv'
  readonly text: string
  readonly options: CsvReadOptions
}

export interface WorkbookFile {
  readonly format: 'xlsx'
  readonly bytes: Uint8Array
  /** Name or number of the sheet; by default the first one. */
  readonly sheet?: string
  readonly options: CsvReadOptions
}

export interface SkosFile {
  readonly format: 'skos'
  readonly text: string
  /** Format by which the text begins, by default. */
  readonly syntax?: SkosSyntax
  readonly options: SkosOptions
  /** Limits by which content is cut or refused. */
  readonly limits: SchemaLimits
}

/** A table of any meaning: a text, or the bytes of a workbook. */
export interface TableFile {
  readonly format: 'table'
  readonly source: string | Uint8Array
  readonly options: TableOptions
}

/** Rows to be written as a workbook, of which the first is the heading. */
export interface WrittenRows {
  readonly format: 'rows'
  readonly rows: readonly (readonly string[])[]
}

/** Who sends a file: organizations take turns, and the users of one. */
export interface FileSender {
  readonly portalId: string
  readonly userId: string
}

/** Reads files beside the thread that serves, with a deadline and a limit of memory. */
export interface SchemaFileReader {
  /**
   * Mistakes in the file, and that reading it takes too long or too much memory, are problems. Rejects with
   * `tooManyRequests` if the user has enough files waiting, and with `serviceUnavailable` if it would have to wait too long for
   * others.
   */
  read(file: GivenFile, sender: FileSender): Promise<SchemaFileReading>
  /** The rows of a table, likewise. */
  readTable(file: TableFile, sender: FileSender): Promise<Parsed<GivenTable>>
  /** A workbook of rows, written likewise. */
  writeWorkbook(rows: WrittenRows, sender: FileSender): Promise<Parsed<Uint8Array>>
}
