/** Program of the thread that reads one file. */
import { parentPort, workerData } from 'node:worker_threads'
import { mapParsed, type Parsed } from '../call/parsed.ts'
import { giveWay } from '../priority.ts'
import { type GivenTable, readCsv, readRows } from '../schema-files/csv/read.ts'
import { maxCategoryRows, readTable } from '../schema-files/csv/table.ts'
import type { SchemaFileReading } from '../schema-files/schema-file.ts'
import type { GivenFile, SkosFile, TableFile, WrittenRows } from '../schema-files/schema-file-reader.ts'
import { findHazard } from '../schema-files/skos/guards.ts'
import { readSkos } from '../schema-files/skos/read-skos.ts'
import { recognizeSyntax } from '../schema-files/skos/syntaxes.ts'
import { partsOf, zipParts } from '../schema-files/xlsx/parts.ts'
import { parseRdf } from './rdf.ts'

/** Data that the thread is started with. */
export interface FileThreadData {
  readonly file: GivenFile | TableFile | WrittenRows
  /** Whether other threads go before it whenever they have something to do; only on Linux. */
  readonly givesWay: boolean
}

async function read(file: FileThreadData['file']): Promise<SchemaFileReading | Parsed<GivenTable | Uint8Array>> {
  if (file.format === 'rows') return { value: zipParts(partsOf(file.rows)) }
  if (file.format === 'table') return readAnyTable(file)
  if (file.format === 'csv') return readCsv(file.text, file.options)
  if (file.format === 'skos') return readRdf(file)
  const { trim = true } = file.options
  const table = await readAnyTable({ source: file.bytes, options: { delimiter: undefined, trim, sheet: file.sheet } })
  return 'problems' in table ? table : readRows(table.value, file.options)
}

async function readAnyTable({ source, options }: Omit<TableFile, 'format'>): Promise<Parsed<GivenTable>> {
  if (typeof source === 'string') {
    return mapParsed(readTable(source, options), (rows): GivenTable => ({ format: 'csv', rows }))
  }
  const { readWorkbook } = await import('./workbook/workbook.ts')
  const { sheet, trim, maxRows = maxCategoryRows } = options
  return mapParsed(readWorkbook(source, sheet, { trim, maxRows }), (read): GivenTable => ({ format: 'xlsx', ...read }))
}

async function readRdf({
  text,
  syntax = recognizeSyntax(text),
  options,
  limits,
}: SkosFile): Promise<SchemaFileReading> {
  const hazard = findHazard(text, syntax)
  if (hazard) return { problems: [hazard] }
  const parsed = await parseRdf(text, syntax)
  return 'problems' in parsed ? parsed : readSkos(parsed.value, options, limits)
}

const { file, givesWay } = workerData as FileThreadData
if (givesWay) giveWay(19)
// The time of the file counts from now on: a busy machine may take longer to start the thread.
parentPort!.postMessage('begun')
parentPort!.postMessage(await read(file))
