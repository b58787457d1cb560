/** Reads one file of any format; what reads the formats of few files is loaded for them. */
import { mapParsed, type Parsed } from '../call/parsed.ts'
import { type GivenTable, readCsv, readRows } from '../schema-files/csv/read.ts'
import { maxCategoryRows, readTable } from '../schema-files/csv/table.ts'
import type { SchemaFileReading } from '../schema-files/schema-file.ts'
import type { GivenFile, SkosFile, TableFile } from '../schema-files/schema-file-reader.ts'
import { findHazard } from '../schema-files/skos/guards.ts'
import { readSkos } from '../schema-files/skos/read-skos.ts'
import { recognizeSyntax } from '../schema-files/skos/syntaxes.ts'

export async function readGiven(file: GivenFile): Promise<SchemaFileReading> {
  if (file.format === 'csv') return readCsv(file.text, file.options)
  if (file.format === 'skos') return readRdf(file)
  const { trim = true } = file.options
  const table = await readAnyTable({ source: file.bytes, options: { delimiter: undefined, trim, sheet: file.sheet } })
  return 'problems' in table ? table : readRows(table.value, file.options)
}

export async function readAnyTable({ source, options }: Omit<TableFile, 'format'>): Promise<Parsed<GivenTable>> {
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
  const { parseRdf } = await import('./rdf.ts')
  const parsed = await parseRdf(text, syntax)
  return 'problems' in parsed ? parsed : readSkos(parsed.value, options, limits)
}
