import { readFile } from 'node:fs/promises'
import { emptySchema } from '../../categories/history/document-hash.ts'
import { groupLimits, type SchemaLimits } from '../../categories/limits.ts'
import type { CategorySchema } from '../../categories/schema.ts'
import { isObject } from '../../json-text.ts'
import { readNamedColumns } from '../../schema-files/csv/named-columns.ts'
import { type CsvReadOptions, readCsv, readRows } from '../../schema-files/csv/read.ts'
import { delimiterOf } from '../../schema-files/csv/table.ts'
import {
  decodeFile,
  type Encoding,
  htmlGiven,
  looksLikeHtml,
  maxFileBytes,
  recognizeFormat,
} from '../../schema-files/decode.ts'
import { importFile } from '../../schema-files/import.ts'
import { readJson } from '../../schema-files/json.ts'
import type { SchemaFileReading } from '../../schema-files/schema-file.ts'
import { findHazard } from '../../schema-files/skos/guards.ts'
import { defaultSkosOptions } from '../../schema-files/skos/options.ts'
import { readSkos } from '../../schema-files/skos/read-skos.ts'
import { recognizeSyntax } from '../../schema-files/skos/syntaxes.ts'
import { looksLikeWorkbook } from '../../schema-files/workbooks.ts'
import type { Call } from '../command-line/run.ts'
import { refused, systemCode, untried } from '../failure.ts'
import { parseJson } from './file.ts'

/** A schema of a file, and what the file says beside it. */
export interface SourceFile {
  readonly schema: CategorySchema
  /** Notes on what was changed or left out. */
  readonly notes: readonly string[]
  /** Further members of a JSON object, such as `tests` and `lint`, which no portal gets. */
  readonly members: Readonly<Record<string, unknown>>
}

/**
 * Reads a schema from a file, or from standard input for `-`. A file that is not of its format has exit code 2, a schema that
 * violates the rules 1, each violation with its pointer or row.
 */
export async function readSchemaFile(
  call: Call,
  path: string,
  limits: SchemaLimits = groupLimits,
): Promise<SourceFile> {
  const name = path === '-' ? 'Standard input' : path
  const { reading, members } = await readFormat(call, path, limits)
  if ('problems' in reading) throw untried(`${name} is not read: ${reading.problems[0]}`, reading.problems.slice(1))
  const imported = importFile(reading, {
    before: emptySchema,
    mode: 'replace',
    moves: [],
    limits,
    depth: call.text('depth') === 'cut' ? 'cut' : 'refuse',
    titles: call.text('titles') === 'cut' ? 'cut' : 'refuse',
    below: call.text('below'),
    root: call.text('root'),
  })
  if ('problems' in imported) throw refused(`${name} violates the rules of schemas:`, imported.problems)
  const { schema, notes } = imported.value
  const sentences = notes.map(({ row, uri, message }) => {
    const place = row === undefined ? uri : `Row ${row}`
    return place === undefined ? message : `${place}: ${message}`
  })
  return { schema, members, notes: sentences }
}

/** The bytes of a file, or of standard input for `-`. */
export async function readBytes({ shell }: Call, path: string): Promise<Uint8Array> {
  if (path === '-') {
    if (!shell.input?.readAll || shell.input.isTerminal) throw untried('Standard input has no file.')
    return shell.input.readAll()
  }
  try {
    return await readFile(path)
  } catch (error) {
    const code = systemCode(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') throw untried(`There is no file ${path}.`)
    throw untried(code === 'EISDIR' ? `${path} is a folder.` : `${path} cannot be read.`)
  }
}

interface ReadFormat {
  readonly reading: SchemaFileReading
  readonly members: Readonly<Record<string, unknown>>
}

async function readFormat(call: Call, path: string, limits: SchemaLimits): Promise<ReadFormat> {
  const bytes = await readBytes(call, path)
  const withoutMembers = (reading: SchemaFileReading) => ({ reading, members: {} })
  if (looksLikeWorkbook(bytes) && bytes.length <= maxFileBytes) {
    const { readWorkbook } = await import('../../file-reading/workbook/workbook.ts')
    const workbook = readWorkbook(bytes, call.text('sheet'))
    if ('problems' in workbook) return withoutMembers(workbook)
    return withoutMembers(readRows({ format: 'xlsx', ...workbook.value }, tableOptions(call, path)))
  }
  const decoded = decodeFile(bytes, call.text('encoding') as Encoding | undefined)
  if ('problems' in decoded) return withoutMembers(decoded)
  const text = decoded.value
  if (text.trim() === '') return withoutMembers({ problems: ['It is empty.'] })
  if (looksLikeHtml(text)) return withoutMembers({ problems: [htmlGiven] })
  const format = recognizeFormat(text)
  if (format === 'csv') return withoutMembers(readCsv(text, tableOptions(call, path)))
  if (format === 'skos') return withoutMembers(await readRdf(call, text, limits))
  const reading = readJson(text)
  const document = parseJson(text)
  return { reading, members: isObject(document) ? document : {} }
}

function languagesOf(call: Call): readonly string[] {
  return call.text('language')?.split(',') ?? []
}

async function readRdf(call: Call, text: string, limits: SchemaLimits): Promise<SchemaFileReading> {
  const syntax = recognizeSyntax(text)
  const hazard = findHazard(text, syntax)
  if (hazard) return { problems: [hazard] }
  const { parseRdf } = await import('../../file-reading/rdf.ts')
  const parsed = await parseRdf(text, syntax)
  if ('problems' in parsed) return parsed
  const root = call.text('root')
  const below = call.text('below')
  const options = {
    ...defaultSkosOptions,
    languages: languagesOf(call),
    hasRoot: below !== undefined && below !== 'none',
    depth: call.text('depth') === 'cut' ? ('cut' as const) : ('refuse' as const),
    ...(root !== undefined && { root }),
  }
  return readSkos(parsed.value, options, limits)
}

function tableOptions(call: Call, path: string): CsvReadOptions {
  const given = call.text('delimiter')
  const delimiter = given === undefined ? undefined : delimiterOf(given)
  if (given !== undefined && !delimiter) throw untried('--delimiter has to be comma, semicolon, tab or bar.')
  const header = call.text('header')
  return {
    // A list, whose lines may have any sign in them.
    layout: path.endsWith('.txt') ? 'indented' : undefined,
    delimiter,
    header: header === 'none' ? false : undefined,
    headerRow: header === undefined || header === 'none' ? undefined : headerRowOf(header),
    columns: columnsOf(call.text('columns')),
    languages: [...languagesOf(call), 'en'],
  }
}

function headerRowOf(text: string): number {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text)
  throw untried('--header has to be the number of a row, or none.')
}

function columnsOf(text: string | undefined): CsvReadOptions['columns'] {
  if (text === undefined) return undefined
  const value = parseJson(text)
  if (value === undefined) throw untried('--columns has to be JSON, such as {"level1":"Theme","ignore":"UUID"}.')
  const columns = readNamedColumns(value)
  if ('problems' in columns) throw untried(`--columns ${columns.problems[0]}`)
  return columns.value
}
