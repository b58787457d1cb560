import type { Parsed } from '../../../call/parsed.ts'
import type { SchemaLimits } from '../../../categories/limits.ts'
import type { Dependencies } from '../../../operations/dependencies.ts'
import { layouts } from '../../../schema-files/csv/columns.ts'
import { isLongCsv, readCsv } from '../../../schema-files/csv/read.ts'
import { decodeFile, encodings } from '../../../schema-files/decode.ts'
import { readJson } from '../../../schema-files/json.ts'
import { looksLikeHtml, recognizeFormat } from '../../../schema-files/recognize.ts'
import { fileFormats, type SchemaFileReading } from '../../../schema-files/schema-file.ts'
import type { FileSender } from '../../../schema-files/schema-file-reader.ts'
import { skosChoices } from '../../../schema-files/skos/options.ts'
import { skosSyntaxes } from '../../../schema-files/skos/syntaxes.ts'
import {
  optionalBoolean,
  optionalChoice,
  optionalFile,
  optionalJsonText,
  optionalList,
  optionalText,
  type Values,
  withDefault,
} from '../parameter-types.ts'
import { delimiter } from './export-rows.ts'

/** How a file of categories is given, and how it is read. */

const maxUriLength = 1_000

const skosOption = <Name extends keyof typeof skosChoices>(name: Name, meaning: string) =>
  withDefault(
    optionalChoice<(typeof skosChoices)[Name][number]>(
      `SKOS: ${meaning} Default ${skosChoices[name][0]}.`,
      skosChoices[name],
    ),
    skosChoices[name][0],
  )

export const fileParameters = {
  file: {
    ...optionalFile('The file, in a multipart body; at most 1 MiB with what is sent beside it.'),
    // The bytes of the file are decoded later, in the encoding given or detected.
    readMalformed: () => '',
  },
  text: {
    ...optionalJsonText('Text of the file, instead of file.'),
    type: 'string' as const,
    isMultiline: true as const,
    // A form without scripts sends the field that is left empty beside a file.
    read: (given: string | undefined) => (given === '' ? undefined : given),
  },
  format: optionalChoice('Format of the file; by default as it begins.', fileFormats),
  encoding: optionalChoice('Encoding of a file that is neither UTF-8 nor begins with a byte order mark.', encodings),
  layout: optionalChoice('CSV: what a row is; by default by the header, else by the shape of the rows.', layouts),
  header: optionalBoolean('CSV: whether the first row names the columns; by default, if it is recognized.'),
  delimiter,
  trim: withDefault(optionalBoolean('CSV: whether blanks around texts are removed. Default true.'), true),
  syntax: optionalChoice('SKOS: syntax; by default as the file begins.', skosSyntaxes),
  language: withDefault(
    optionalList('SKOS: languages of labels and definitions, the preferred first.', { max: 10, maxLength: 35 }),
    [],
  ),
  scheme: optionalText('SKOS: URI of the only concept scheme that is read.', { maxLength: maxUriLength }),
  root: optionalText('SKOS: URI of the concept that becomes the only tree.', { maxLength: maxUriLength }),
  roots: optionalChoice(
    'SKOS: whether the label of a scheme is the tree, or each of its top concepts; by default what fits the file.',
    skosChoices.roots,
  ),
  depth: skosOption('depth', 'what becomes of concepts below the fourth level.'),
  cycles: skosOption('cycles', 'what becomes of concepts that are their own ancestors.'),
  polyhierarchy: skosOption('polyhierarchy', 'where a concept of several parents is put.'),
  descriptions: skosOption('descriptions', 'what becomes of definitions that are too long.'),
  notation: skosOption('notation', 'whether notations are put before labels.'),
  keepUris: withDefault(
    optionalBoolean('SKOS: whether the URI of a concept becomes the source of its category.'),
    false,
  ),
}

type FileValues = Values<typeof fileParameters>

interface Reading {
  readonly reader: Dependencies['schemaFileReader']
  readonly limits: SchemaLimits
  readonly sender: FileSender
}

/** Reads the file or the text that is given; `bytes` are those of the file. What takes long is read in another thread. */
export async function readGivenFile(
  values: FileValues,
  bytes: Uint8Array | undefined,
  reading: Reading,
): Promise<SchemaFileReading> {
  const given = findText(values, bytes)
  return 'problems' in given ? given : readText(given.value, values, reading)
}

function findText({ file, text, encoding }: FileValues, bytes: Uint8Array | undefined): Parsed<string> {
  const plain = text ?? (bytes ? undefined : file)
  if (bytes && text !== undefined) return { problems: ['Give file or text, not both.'] }
  if (bytes) return decodeFile(bytes, encoding)
  if (plain === undefined) return { problems: ['file: give a file, or text.'] }
  return { value: plain.replace(/^\ufeff/, '') }
}

function readText(
  text: string,
  values: FileValues,
  { reader, limits, sender }: Reading,
): SchemaFileReading | Promise<SchemaFileReading> {
  if (looksLikeHtml(text)) return { problems: ['The file is HTML: a JSON, CSV or SKOS file is needed.'] }
  const format = values.format ?? recognizeFormat(text)
  if (format === 'json') return readJson(text)
  if (format === 'csv') {
    const { layout, header, delimiter, trim } = values
    const options = { layout, header, delimiter, trim }
    return isLongCsv(text) ? reader.read({ format, text, options }, sender) : readCsv(text, options)
  }
  const { syntax, language, scheme, root, roots, depth, cycles, polyhierarchy, descriptions, notation, keepUris } =
    values
  const options = {
    languages: language,
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
