import { emptySchema } from '../../categories/history/document-hash.ts'
import { groupLimits, type SchemaLimits } from '../../categories/limits.ts'
import type { CategorySchema } from '../../categories/schema.ts'
import { isObject } from '../../json-text.ts'
import { type CsvReadOptions, readCsv, readRows } from '../../schema-files/csv/read.ts'
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
import { refused, untried } from '../failure.ts'
import { parseJson, readContent } from './file.ts'

/** A schema of a file, and what the file says beside it. */
export interface SourceFile {
  readonly schema: CategorySchema
  /** Notes on what was changed or left out. */
  readonly notes: readonly string[]
  /** Further members of a JSON object, such as `tests` and `lint`, which no portal gets. */
  readonly members: Readonly<Record<string, unknown>>
}

/** Choices of the command about a file that is read. */
interface Choices {
  readonly languages: readonly string[]
  readonly depth: 'cut' | 'refuse'
  readonly titles: 'cut' | 'refuse'
  readonly below: string | undefined
  readonly root: string | undefined
  readonly limits: SchemaLimits
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
  const choices: Choices = {
    languages: call.text('language')?.split(',') ?? [],
    depth: call.text('depth') === 'cut' ? 'cut' : 'refuse',
    titles: call.text('titles') === 'cut' ? 'cut' : 'refuse',
    below: call.text('below'),
    root: call.text('root'),
    limits,
  }
  const name = path === '-' ? 'Standard input' : path
  const { reading, document } = await readFormat(call, path, choices)
  if ('problems' in reading) throw untried(`${name} is not read: ${reading.problems[0]}`, reading.problems.slice(1))
  const imported = importFile(reading, { before: emptySchema, mode: 'replace', moves: [], ...choices })
  if ('problems' in imported) throw refused(`${name} violates the rules of schemas:`, imported.problems)
  const { schema, notes } = imported.value
  const sentences = notes.map(({ row, uri, message }) => {
    const place = row === undefined ? uri : `Row ${row}`
    return place === undefined ? message : `${place}: ${message}`
  })
  return { schema, members: isObject(document) ? document : {}, notes: sentences }
}

/** The bytes of a file, or of standard input for `-`. */
export async function readBytes({ shell }: Call, path: string): Promise<Uint8Array> {
  if (path === '-') {
    if (!shell.input?.readAll || shell.input.isTerminal) throw untried('Standard input has no file.')
    return shell.input.readAll()
  }
  const bytes = await readContent(path)
  if (bytes) return bytes
  const hint = /^[\w ]+$/.test(path) ? ` A place of a portal is org, group:<id> or group:<title>.` : ''
  throw untried(`There is no file ${path}.${hint}`)
}

interface ReadFormat {
  readonly reading: SchemaFileReading
  /** Value of a file in JSON. */
  readonly document?: unknown
}

async function readFormat(call: Call, path: string, choices: Choices): Promise<ReadFormat> {
  const bytes = await readBytes(call, path)
  // A list, whose lines may have any sign in them.
  const layout = path.endsWith('.txt') ? 'indented' : undefined
  const options: CsvReadOptions = { layout, languages: [...choices.languages, 'en'] }
  if (looksLikeWorkbook(bytes) && bytes.length <= maxFileBytes) {
    const { readWorkbook } = await import('../../file-reading/workbook/workbook.ts')
    const workbook = readWorkbook(bytes, call.text('sheet'))
    return { reading: 'problems' in workbook ? workbook : readRows({ format: 'xlsx', ...workbook.value }, options) }
  }
  const decoded = decodeFile(bytes, call.text('encoding') as Encoding | undefined)
  if ('problems' in decoded) return { reading: decoded }
  const text = decoded.value
  if (text.trim() === '') return { reading: { problems: ['It is empty.'] } }
  if (looksLikeHtml(text)) return { reading: { problems: [htmlGiven] } }
  const format = recognizeFormat(text)
  if (format === 'csv') return { reading: readCsv(text, options) }
  if (format === 'skos') return { reading: await readRdf(text, choices) }
  return { reading: readJson(text), document: parseJson(text) }
}

async function readRdf(text: string, { languages, depth, below, root, limits }: Choices): Promise<SchemaFileReading> {
  const syntax = recognizeSyntax(text)
  const hazard = findHazard(text, syntax)
  if (hazard) return { problems: [hazard] }
  const { parseRdf } = await import('../../file-reading/rdf.ts')
  const parsed = await parseRdf(text, syntax)
  if ('problems' in parsed) return parsed
  const hasRoot = below !== undefined && below !== 'none'
  const options = { ...defaultSkosOptions, languages, hasRoot, depth, ...(root !== undefined && { root }) }
  return readSkos(parsed.value, options, limits)
}
