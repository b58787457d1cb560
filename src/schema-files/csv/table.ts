import { CsvError, parse } from 'csv-parse/sync'
import type { Parsed } from '../../call/parsed.ts'
import { say } from '../../sentences/say.ts'

/** Cells of a CSV file, before anything is known of their meaning. */

export const delimiters = [',', ';', '\t', '|'] as const
export type Delimiter = (typeof delimiters)[number]

const named: Readonly<Record<string, Delimiter | undefined>> = { comma: ',', semicolon: ';', tab: '\t', bar: '|' }
export const delimiterNames: readonly string[] = Object.keys(named)

/** The delimiter that is given as itself or by its name. */
export function delimiterOf(given: string): Delimiter | undefined {
  return named[given.trim().toLowerCase()] ?? delimiters.find((one) => one === given)
}

/** Limits of a file (contract §6.2; columns chosen, as tables of offices have more than 20). */
export const maxCategoryRows = 5_000
const maxColumns = 50
/** Maximum length of a row, in bytes: what a quote that is never closed may swallow (chosen). */
const maxRowBytes = 64 * 1024

export interface Row {
  /** Counts from 1, as a spreadsheet does: empty rows too, and a cell of several lines is in one row. */
  readonly row: number
  /** Cells without the empty ones at the end; never empty. */
  readonly cells: readonly string[]
}

export interface TableOptions {
  readonly delimiter: Delimiter | undefined
  /** Whether a cell of nothing but blanks is empty. */
  readonly trim: boolean
  /** The limit of a file of categories by default. */
  readonly maxRows?: number
  /** Name or number of the sheet of a workbook; by default the first one. */
  readonly sheet?: string | undefined
}

/** The rows that have something in them. */
export function readTable(text: string, options: TableOptions): Parsed<readonly Row[]> {
  const rows: Row[] = []
  const problem = readEachRow(text, options, (row) => rows.push(row))
  return problem === undefined ? { value: rows } : { problems: [problem] }
}

/**
 * Gives each row that has something in it to `take`; returns why the text is no table, where it is none. Where the text is but the first
 * lines of a long one, `bytes` are all of it in UTF-8.
 */
export function readEachRow(
  text: string,
  { delimiter, trim, maxRows = maxCategoryRows }: TableOptions,
  take: (row: Row) => void,
  bytes?: Uint8Array,
): string | undefined {
  const separator = /^"?sep=(.)"?(?:\r\n?|\n|$)/i.exec(text)
  const named = delimiters.find((one) => one === separator?.[1])
  if (separator && !named) return 'Row 1: sep= has to name a comma, a semicolon, a tab or a bar.'
  const body = separator ? text.slice(separator[0].length) : text
  const sign = delimiter ?? named ?? findDelimiter(body)
  let taken = 0
  const isEmpty = (cell: string) => (trim ? cell.trim() === '' : cell === '')
  try {
    parse(bytes?.subarray(separator?.[0].length ?? 0) ?? body, {
      delimiter: sign,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: maxRowBytes,
      // Copied cells have no quotes around them.
      relax_quotes: sign === '\t',
      onRecord(cells: string[], { records, empty_lines }) {
        const row = records + empty_lines
        const filled = cells.findLastIndex((cell) => !isEmpty(cell)) + 1
        if (filled > maxColumns) {
          throw new TableRefused(`Row ${row} has ${filled} columns; at most ${maxColumns} are allowed.`)
        }
        if (filled === 0) return null
        take({ row, cells: cells.slice(0, filled) })
        taken += 1
        if (taken > maxRows + 1) throw new TableRefused(say('tooManyRows', { max: maxRows }))
        return null
      },
    })
  } catch (error) {
    if (error instanceof TableRefused) return error.message
    if (error instanceof CsvError) return sentenceOf(error)
    throw error
  }
  return undefined
}

class TableRefused extends Error {}

/** Lines by which the sign between cells is found (chosen). */
const maxLooked = 20

/**
 * The sign that is most frequent in the first line that has one, outside of quotes; a comma where there is none. Where most lines
 * do not have it, as below a line about the file, the sign that most lines have. Commas of which each has a blank behind it are
 * those of a list of texts, unless all rows have as many.
 */
function findDelimiter(text: string): Delimiter {
  const lines = countSigns(text).filter((counts) => [...counts.values()].some((count) => count > 0))
  const [first] = lines
  if (!first) return ','
  const inLines = (sign: Delimiter) => lines.filter((counts) => counts.get(sign)! > 0).length
  const frequent = maxOf((sign) => first.get(sign)!)
  const common = maxOf(inLines)
  const found = 2 * inLines(frequent) < inLines(common) ? common : frequent
  return found === ',' && hasCommasOfTexts(text) ? '|' : found
}

function maxOf(count: (sign: Delimiter) => number): Delimiter {
  const max = Math.max(...delimiters.map(count))
  return delimiters.find((sign) => count(sign) === max)!
}

/** How often each sign stands outside of quotes, by line. Tabs before a text indent it. */
function countSigns(text: string): readonly ReadonlyMap<Delimiter, number>[] {
  const lines: Map<Delimiter, number>[] = []
  const begin = () => new Map(delimiters.map((delimiter) => [delimiter, 0]))
  let counts = begin()
  let [isQuoted, isIndent] = [false, true]
  for (let at = 0; at < text.length && lines.length < maxLooked; at += 1) {
    const sign = text[at]!
    if (sign === '"') isQuoted = !isQuoted
    else if (isQuoted) continue
    else if (sign === '\n' || sign === '\r') {
      lines.push(counts)
      counts = begin()
      isIndent = true
      continue
    } else if (isIndent && sign === '\t') continue
    else if (isDelimiter(sign)) counts.set(sign, counts.get(sign)! + 1)
    isIndent = false
  }
  return [...lines, counts]
}

function isDelimiter(sign: string): sign is Delimiter {
  return delimiters.some((one) => one === sign)
}

function hasCommasOfTexts(text: string): boolean {
  if (/["|]|,(?! )/.test(text)) return false
  const lines = text.split(/\r\n?|\n/).filter((line) => line.trim() !== '')
  return new Set(lines.map((line) => line.split(',').length)).size > 1
}

function sentenceOf(error: CsvError): string {
  const row = `Row ${Number(error['records']) + Number(error['empty_lines']) + 1}`
  switch (error.code) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return `${row}: ${say('quoteOpen')}`
    case 'CSV_MAX_RECORD_SIZE':
      return `${row} has more than ${maxRowBytes} bytes; a quote may be opened and never closed.`
    case 'CSV_INVALID_CLOSING_QUOTE':
      return `${row}: a closing quote is followed by text; a quote inside a cell is written twice.`
    default:
      return `${row}: ${say('quoteInside')}`
  }
}
