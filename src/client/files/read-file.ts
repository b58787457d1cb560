import { emptySchema } from '../../categories/history/document-hash.ts'
import { groupLimits, type SchemaLimits } from '../../categories/limits.ts'
import type { CategorySchema } from '../../categories/schema.ts'
import { isObject } from '../../json-text.ts'
import type { CsvReadOptions } from '../../schema-files/csv/read.ts'
import * as files from '../../schema-files/decode.ts'
import type { FitOptions } from '../../schema-files/fit.ts'
import { importFile } from '../../schema-files/import.ts'
import { readJson } from '../../schema-files/json.ts'
import type { SchemaFileReading } from '../../schema-files/schema-file.ts'
import { defaultSkosOptions } from '../../schema-files/skos/options.ts'
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

/**
 * Reads a schema from a file, or from standard input for `-`. A file that is not of its format has exit code 2, a schema that
 * violates the rules 1, each violation with its pointer or row.
 */
export async function readSchemaFile(
  call: Call,
  path: string,
  limits: SchemaLimits = groupLimits,
): Promise<SourceFile> {
  const [below, root] = [call.text('below'), call.text('root')]
  const [depth = 'refuse', titles = 'refuse'] = [call.text('depth'), call.text('titles')] as FitOptions['depth'][]
  const fit = { below, root, depth, titles }
  const name = path === '-' ? 'Standard input' : path
  const { reading, document } = await readFormat(call, await readBytes(call, path), { ...fit, path, limits })
  if ('problems' in reading) throw untried(`${name} is not read: ${reading.problems[0]}`, reading.problems.slice(1))
  const imported = importFile(reading, { before: emptySchema, mode: 'replace', moves: [], limits, ...fit })
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

/** Reading of a file; `document` is the value of one in JSON. */
type Read = Readonly<{ reading: SchemaFileReading; document?: unknown }>
type Given = FitOptions & { readonly path: string; readonly limits: SchemaLimits }

async function readFormat(call: Call, bytes: Uint8Array, { path, limits, below, root, depth }: Given): Promise<Read> {
  const languages = call.text('language')?.split(',') ?? []
  // A list, whose lines may have any sign in them.
  const layout = path.endsWith('.txt') ? 'indented' : undefined
  const options: CsvReadOptions = { layout, languages: [...languages, 'en'] }
  const { readGiven } = await import('../../file-reading/read.ts')
  if (looksLikeWorkbook(bytes) && bytes.length <= files.maxFileBytes) {
    const sheet = call.text('sheet')
    return { reading: await readGiven({ format: 'xlsx', bytes, options, ...(sheet !== undefined && { sheet }) }) }
  }
  const decoded = files.decodeFile(bytes, call.text('encoding') as files.Encoding | undefined)
  if ('problems' in decoded) return { reading: decoded }
  const text = decoded.value
  if (text.trim() === '') return { reading: { problems: ['It is empty.'] } }
  if (files.looksLikeHtml(text)) return { reading: { problems: [files.htmlGiven] } }
  const format = files.recognizeFormat(text)
  if (format === 'csv') return { reading: await readGiven({ format, text, options }) }
  if (format !== 'skos') return { reading: readJson(text), document: parseJson(text) }
  const hasRoot = below !== undefined && below !== 'none'
  const ofSkos = { ...defaultSkosOptions, languages, hasRoot, depth, ...(root !== undefined && { root }) }
  return { reading: await readGiven({ format, text, options: ofSkos, limits }) }
}
