import { mapParsed, type Parsed } from '../../call/parsed.ts'
import { maxSheetBytes, maxSheetRows } from '../../item-sheets/read-sheet.ts'
import { type NameableRoles, readNamed } from '../../schema-files/csv/named-columns.ts'
import { type GivenTable, isLongCsv } from '../../schema-files/csv/read.ts'
import { readTable } from '../../schema-files/csv/table.ts'
import { decodeFile, encodings, htmlGiven, looksLikeHtml, tooManyBytes } from '../../schema-files/decode.ts'
import type { FileSender, SchemaFileReader } from '../../schema-files/schema-file-reader.ts'
import { looksLikeWorkbook } from '../../schema-files/workbooks.ts'
import { delimiter } from './delimiter.ts'
import {
  optionalChoice,
  optionalFile,
  optionalInteger,
  optionalJson,
  optionalJsonText,
  optionalList,
  optionalText,
  type Parameter,
  type Values,
  Wrong,
} from './parameter-types.ts'

/** How a table is given, and how it is read: the same in every operation that takes one. */

/** Characters that Excel allows the name of a sheet to have. */
const maxSheetLength = 31
/** Rows that may be named (chosen). */
const maxIgnoredRows = 1_000

const headers: Readonly<Record<string, boolean | undefined>> = { true: true, yes: true, false: false, no: false }

const header: Parameter<boolean | undefined> = {
  type: 'string',
  isRequired: false,
  meaning: 'Tables: whether a row names the columns; auto (default) finds out.',
  choices: ['auto', 'true', 'false'],
  read(given) {
    const text = given?.trim().toLowerCase() ?? ''
    if (text === '' || text === 'auto') return undefined
    return headers[text] ?? new Wrong('has to be auto, true or false.')
  },
}

const rowList = optionalList('Tables: numbers of rows that are left out, such as those of sums.', {
  max: maxIgnoredRows,
  maxLength: 7,
})

const ignoreRows: Parameter<readonly number[] | undefined> = {
  type: rowList.type,
  isRequired: false,
  meaning: rowList.meaning,
  read(given) {
    const rows = rowList.read(given)
    if (rows instanceof Wrong || rows === undefined) return rows
    return rows.every((row) => /^[1-9]\d*$/.test(row))
      ? rows.map(Number)
      : new Wrong('has to have numbers of rows, from 1.')
  },
}

/** The file or text, and its form; `limit` says how much it may have. */
export const tableParameters = (limit: string) => ({
  file: {
    ...optionalFile(`The file, in a multipart body; at most ${limit}.`),
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
  encoding: optionalChoice('Encoding of a file that is neither UTF-8 nor begins with a byte order mark.', encodings),
  delimiter,
  sheet: optionalText('Excel: name of the sheet, or its number from 1; by default the first one.', {
    maxLength: maxSheetLength,
  }),
  header,
  headerRow: optionalInteger(
    'Tables: row of the heading, from 1; rows above it are left out. By default, it is found.',
    { minimum: 1 },
  ),
  ignoreRows,
})

/** Columns by their roles. */
export function columnsOf<Of extends string>(roles: NameableRoles<Of>) {
  const { names, example } = roles
  return optionalJson(
    `Tables: JSON object of columns by role: ${names}. Each is a heading, a number from 1, or a list of them: ${example}.`,
    (value) => readNamed(value, roles),
  )
}

type TableValues = Values<ReturnType<typeof tableParameters>>

/** The text of the file, or the text that is given. */
export function findText(
  { file, text, encoding }: Pick<TableValues, 'file' | 'text' | 'encoding'>,
  bytes: Uint8Array | undefined,
  limits?: Parameters<typeof decodeFile>[2],
): Parsed<string> {
  if (bytes && text !== undefined) return { problems: ['Give file or text, not both.'] }
  if (bytes) return decodeFile(bytes, encoding, limits)
  const plain = text ?? file
  if (plain === undefined) return { problems: ['file: give a file, or text.'] }
  return { value: plain.replace(/^\ufeff/, '') }
}

interface TableReading {
  readonly reader: Pick<SchemaFileReader, 'readTable'>
  /** Does what has a queue of its own. */
  readonly elsewhere: <Result>(work: () => Promise<Result>) => Promise<Result>
  readonly sender: FileSender
}

/** Reads the rows of a table; what takes long is read in another thread. */
export async function readGivenTable(
  values: Pick<TableValues, 'file' | 'text' | 'encoding' | 'delimiter' | 'sheet'>,
  bytes: Uint8Array | undefined,
  { reader, elsewhere, sender }: TableReading,
): Promise<Parsed<GivenTable>> {
  const { delimiter: sign, sheet } = values
  const options = { delimiter: sign, trim: true, maxRows: maxSheetRows, sheet }
  const readElsewhere = (source: string | Uint8Array) =>
    elsewhere(() => reader.readTable({ format: 'table', source, options }, sender))
  if (bytes && values.text === undefined && looksLikeWorkbook(bytes)) {
    return bytes.length > maxSheetBytes ? { problems: [tooManyBytes(bytes, maxSheetBytes)] } : readElsewhere(bytes)
  }
  const text = findText(values, bytes, { maxBytes: maxSheetBytes, forms: 'CSV or an Excel workbook (.xlsx)' })
  if ('problems' in text) return text
  if (looksLikeHtml(text.value)) return { problems: [htmlGiven] }
  if (isLongCsv(text.value)) return readElsewhere(text.value)
  return mapParsed(readTable(text.value, options), (rows): GivenTable => ({ format: 'csv', rows }))
}
