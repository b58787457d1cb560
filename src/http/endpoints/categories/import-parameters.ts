import { portalLimits, type SchemaLimits } from '../../../categories/limits.ts'
import type { Dependencies } from '../../../operations/dependencies.ts'
import { layouts } from '../../../schema-files/csv/columns.ts'
import { schemaRoles } from '../../../schema-files/csv/named-columns.ts'
import { type CsvReadOptions, isLongCsv, readCsv } from '../../../schema-files/csv/read.ts'
import { htmlGiven, looksLikeHtml, maxFileBytes, recognizeFormat, tooManyBytes } from '../../../schema-files/decode.ts'
import { fitChoices } from '../../../schema-files/fit.ts'
import { readJson } from '../../../schema-files/json.ts'
import { fileFormats, type SchemaFileReading } from '../../../schema-files/schema-file.ts'
import type { FileSender } from '../../../schema-files/schema-file-reader.ts'
import { skosChoices } from '../../../schema-files/skos/options.ts'
import { skosSyntaxes } from '../../../schema-files/skos/syntaxes.ts'
import { looksLikeWorkbook } from '../../../schema-files/workbooks.ts'
import {
  optionalBoolean,
  optionalChoice,
  optionalList,
  optionalText,
  type Values,
  withDefault,
} from '../parameter-types.ts'
import { columnsOf, findText, tableParameters } from '../table-parameters.ts'

/** How a file of categories is given, and how it is read. */

const maxUriLength = 1_000
/** A path of titles that are cut afterwards (chosen). */
const maxRootLength = 10_000

const skosOption = <Name extends keyof typeof skosChoices>(name: Name, meaning: string) =>
  withDefault(
    optionalChoice<(typeof skosChoices)[Name][number]>(
      `SKOS: ${meaning} Default ${skosChoices[name][0]}.`,
      skosChoices[name],
    ),
    skosChoices[name][0],
  )

const fitOption = <Name extends keyof typeof fitChoices>(name: Name, meaning: string) =>
  withDefault(
    optionalChoice<(typeof fitChoices)[Name][number]>(
      `Tables, SKOS: ${meaning} Default ${fitChoices[name][0]}.`,
      fitChoices[name],
    ),
    fitChoices[name][0],
  )

export const fileParameters = {
  ...tableParameters('1 MiB with what is sent beside it'),
  format: optionalChoice('Format of the file; by default as it begins.', fileFormats),
  layout: optionalChoice('CSV: what a row is; by default by the header, else by the shape of the rows.', layouts),
  columns: columnsOf(schemaRoles),
  markers: optionalChoice(
    'Lists: whether bullets and numbers before lines are left out (remove, default) or belong to the titles (keep).',
    ['remove', 'keep'],
  ),
  trim: withDefault(optionalBoolean('Tables: whether blanks around texts are removed. Default true.'), true),
  syntax: optionalChoice('SKOS: syntax; by default as the file begins.', skosSyntaxes),
  language: withDefault(
    optionalList(
      'Languages of labels, definitions, and columns such as name_de, the preferred first; by default that of the request, English, or the one of most labels.',
      { max: 10, maxLength: 35 },
    ),
    [],
  ),
  scheme: optionalText('SKOS: URI of the only concept scheme that is read.', { maxLength: maxUriLength }),
  root: optionalText(
    'Tables, SKOS: path of the category, or URI of the concept or scheme, that becomes the only tree.',
    {
      maxLength: maxRootLength,
    },
  ),
  roots: optionalChoice(
    'SKOS: whether the label of a scheme is the tree, or each of its top concepts; by default what fits the file.',
    skosChoices.roots,
  ),
  below: optionalText(
    'Tables, SKOS: title of a root above all trees, or none; by default one is made where there would be more than five.',
    { maxLength: portalLimits.titleLength },
  ),
  depth: fitOption('depth', 'what becomes of categories below the fourth level.'),
  titles: fitOption('titles', 'what becomes of titles that are too long: cut ends them at a word.'),
  cycles: skosOption('cycles', 'what becomes of concepts that are their own ancestors.'),
  polyhierarchy: skosOption('polyhierarchy', 'where a concept of several parents is put.'),
  descriptions: skosOption('descriptions', 'what becomes of definitions that are too long.'),
  notation: skosOption('notation', 'whether notations are put before labels.'),
  keepUris: withDefault(
    optionalBoolean('SKOS: whether the URI of a concept becomes the source of its category.'),
    false,
  ),
  withReading: optionalBoolean(
    'true: the answer, and a refusal too, has how the file was read: its columns, rows and languages.',
  ),
}

type FileValues = Values<typeof fileParameters>

interface Reading {
  readonly reader: Pick<Dependencies['schemaFileReader'], 'read'>
  readonly limits: SchemaLimits
  readonly sender: FileSender
  /** Languages of the caller, the preferred first. */
  readonly languages: readonly string[]
  /** Categories that may be added. */
  readonly room: number
}

/** Reads the file or the text that is given; `bytes` are those of the file. What takes long is read in another thread. */
export async function readGivenFile(
  values: FileValues,
  bytes: Uint8Array | undefined,
  reading: Reading,
): Promise<SchemaFileReading> {
  if (bytes && values.text === undefined && looksLikeWorkbook(bytes)) {
    const { reader, sender } = reading
    if (bytes.length > maxFileBytes) return { problems: [tooManyBytes(bytes, maxFileBytes)] }
    const { sheet } = values
    return reader.read(
      { format: 'xlsx', bytes, ...(sheet !== undefined && { sheet }), options: tableOptions(values, reading) },
      sender,
    )
  }
  const given = findText(values, bytes)
  return 'problems' in given ? given : readText(given.value, values, reading)
}

function readText(text: string, values: FileValues, reading: Reading): SchemaFileReading | Promise<SchemaFileReading> {
  const { reader, limits, sender, languages, room } = reading
  if (looksLikeHtml(text)) return { problems: [htmlGiven] }
  const format = values.format ?? recognizeFormat(text)
  if (format === 'json') return readJson(text)
  if (format === 'xlsx')
    return { problems: ['The file is no Excel workbook (.xlsx): leave format out, or give one as file.'] }
  if (format === 'csv') {
    const options = tableOptions(values, reading)
    return isLongCsv(text) ? reader.read({ format, text, options }, sender) : readCsv(text, options)
  }
  const { syntax, language, scheme, root, roots, depth, cycles, polyhierarchy, descriptions, notation, keepUris } =
    values
  const options = {
    languages: language,
    readerLanguages: languages,
    hasRoot: values.below !== undefined && values.below !== 'none',
    room,
    depth,
    cycles,
    polyhierarchy,
    descriptions,
    notation,
    keepUris,
    ...(scheme && { scheme }),
    ...(root && { root }),
    ...(roots && { roots }),
  }
  return reader.read({ format, text, ...(syntax && { syntax }), options, limits }, sender)
}

function tableOptions(values: FileValues, { languages }: Reading): CsvReadOptions {
  const { layout, header, headerRow, columns, ignoreRows, delimiter, trim, markers, language } = values
  return {
    layout,
    header,
    headerRow,
    columns,
    ignoredRows: ignoreRows,
    delimiter,
    trim,
    keepsMarkers: markers === 'keep',
    languages: [...(language.length > 0 ? language : languages), 'en'],
  }
}
