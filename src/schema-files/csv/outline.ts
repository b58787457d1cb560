import { say } from '../../sentences/say.ts'
import { maxCategoryRows, type Row } from './table.ts'

/** Lists whose lines have levels by bullets, numbers or blanks, before anything is known of cells. */

/** A line of a list: its number from 1, what indents it, and the text behind that. */
interface Line {
  readonly row: number
  readonly indent: string
  readonly text: string
}

export interface Outline {
  /** Rows of one cell each, indented by their level. */
  readonly rows: readonly Row[]
  /** Note on what was left out. */
  readonly note?: string
}

const bullet = /^([-*+•–—‣◦▪▫■□●○·‧∙→»o])(?:[ \u00a0]+|\t\s*)(\S.*)$/u
const numbered = /^(\d{1,3}(?:\.\d{1,3})*)[.)]?[\s\u00a0]+(\S.*)$/u

/** The list that the text is by its markers; undefined where lines have none. */
export function readMarkedList(text: string): Outline | undefined {
  const lines = linesOf(text)
  if (!lines || lines.length < 2) return undefined
  return readBullets(lines) ?? readNumbers(lines)
}

/**
 * The list that blanks indent; undefined if it may be a table. Tabs are cells, as spreadsheets copy them, and quotes are of
 * cells.
 */
export function readBlankIndented(text: string): Outline | undefined {
  if (/["\t]/.test(text)) return undefined
  const lines = linesOf(text)
  if (!lines) return undefined
  const isList = lines[0]?.indent === '' && lines.some(({ indent }) => /^[ \u00a0]+$/.test(indent))
  return isList ? { rows: lines.map(({ row, indent, text: title }) => ({ row, cells: [indent + title] })) } : undefined
}

/** All lines as they are, for a caller who says that the text is a list. */
export function readLines(text: string): Outline | undefined {
  const lines = linesOf(text)
  return lines && { rows: lines.map(({ row, indent, text: title }) => ({ row, cells: [indent + title] })) }
}

/** Undefined for more lines than a table has rows. */
function linesOf(text: string): readonly Line[] | undefined {
  const lines = text.split(/\r\n?|\n/).flatMap((line, at) => {
    const [, indent = '', rest = ''] = /^([\s\u00a0]*)(.*)$/u.exec(line) ?? []
    return rest === '' ? [] : [{ row: at + 1, indent, text: rest }]
  })
  return lines.length > maxCategoryRows + 1 ? undefined : lines
}

/** Every line has a bullet, or every line below another one has. Without blanks, each new sign is a level. */
function readBullets(lines: readonly Line[]): Outline | undefined {
  const matches = lines.map((line) => ({ line, match: bullet.exec(line.text) }))
  const outer = matches[0]!.line.indent
  const isMarked = matches.every(({ line, match }) => match !== null || line.indent === outer)
  const marked = matches.filter(({ match }) => match !== null)
  const isEach = marked.length === matches.length
  if (!isMarked || marked.length < 2 || (!isEach && marked.some(({ line }) => line.indent === outer))) return undefined
  const signs = [...new Set(marked.map(({ match }) => match![1]!))]
  const isFlat = isEach && matches.every(({ line }) => line.indent === outer)
  const rows = matches.map(({ line, match }) => {
    const indent = isFlat ? '  '.repeat(signs.indexOf(match![1]!)) : line.indent
    return { row: line.row, cells: [indent + (match?.[2] ?? line.text)] }
  })
  return { rows, note: say('markersRemoved') }
}

/** Every line has a number that follows from the one above: 1, 1.1, 1.2, 1.2.1, 2. */
function readNumbers(lines: readonly Line[]): Outline | undefined {
  let above: readonly number[] = []
  const rows: Row[] = []
  for (const line of lines) {
    const match = numbered.exec(line.text)
    if (!match) return undefined
    const numbers = match[1]!.split('.').map(Number)
    if (!follows(numbers, above)) return undefined
    above = numbers
    rows.push({ row: line.row, cells: ['  '.repeat(numbers.length - 1) + match[2]!] })
  }
  return { rows, note: say('numbersRemoved') }
}

function follows(numbers: readonly number[], above: readonly number[]): boolean {
  const last = numbers.length - 1
  const isBelow = numbers.slice(0, last).every((number, at) => number === above[at])
  if (!isBelow || numbers.length > above.length + 1) return false
  return numbers[last] === (above[last] ?? 0) + 1
}
