import { say } from '../../sentences/say.ts'
import { damagedWorkbook, WorkbookRefused } from './refusal.ts'
import { TextReader, unescapeText } from './strings.ts'
import { isTrue, readXml, type XmlElement, type XmlEvents } from './xml.ts'

/** Content of a sheet, before the texts and styles of the workbook are known. */
export interface SheetCells {
  /** Rows that have something in them, by their numbers. */
  readonly rows: readonly SheetRow[]
  readonly merged: readonly Range[]
  /** Ranges of hidden columns. */
  readonly hiddenColumns: readonly (readonly [number, number])[]
}

export interface SheetRow {
  readonly row: number
  readonly isHidden: boolean
  /** Keyed by column, from 1. */
  readonly cells: ReadonlyMap<number, Cell>
}

/** A cell that is not empty. */
export type Cell =
  | { readonly text: string }
  /** Number of a shared text. */
  | { readonly shared: number }
  | { readonly number: string; readonly style: number }
  /** A date in ISO 8601. */
  | { readonly date: string }
  /** Such as `#REF!`. */
  | { readonly error: string }
  | { readonly formulaWithoutValue: true }

/** Rows and columns from 1, with the last. */
export interface Range {
  readonly top: number
  readonly left: number
  readonly bottom: number
  readonly right: number
  readonly name: string
}

/** Rows and cells, empty ones too (chosen): twice those of the largest sheet. */
const maxElements = 500_000
export const maxColumns = 50
/** Limits of Excel. */
const maxRow = 1_048_576
const maxColumn = 16_384

/** Cells of a part; refused for more rows and a heading. */
export function readCells(bytes: Uint8Array, maxRows: number): SheetCells {
  const sheet = new SheetEvents(maxRows)
  readXml(bytes, sheet)
  return sheet
}

/** Events of the part of a sheet. Empty rows and cells leave nothing behind. */
class SheetEvents implements SheetCells, XmlEvents {
  readonly rows: SheetRow[] = []
  readonly merged: Range[] = []
  readonly hiddenColumns: (readonly [number, number])[] = []
  readonly #maxRows: number
  #elements = 0
  #row = 0
  #isRowHidden = false
  #cells = new Map<number, Cell>()
  #column = 0
  #cell: OpenCell | undefined

  constructor(maxRows: number) {
    this.#maxRows = maxRows
  }

  open(element: XmlElement): void {
    switch (element.name) {
      case 'row':
        this.#count()
        this.#openRow(element)
        break
      case 'c':
        this.#count()
        this.#openCell(element)
        break
      case 'mergeCell':
        this.merged.push(parseRange(element.attribute('ref') ?? ''))
        break
      case 'col':
        if (isTrue(element.attribute('hidden'))) {
          this.hiddenColumns.push([Number(element.attribute('min')), Number(element.attribute('max'))])
        }
        break
      default:
        this.#cell?.open(element.name)
    }
  }

  text(text: string): void {
    this.#cell?.text(text)
  }

  close(name: string): void {
    if (name === 'c') this.#closeCell()
    else if (name === 'row') this.#closeRow()
    else this.#cell?.close(name)
  }

  #count(): void {
    this.#elements += 1
    if (this.#elements <= maxElements) return
    throw new WorkbookRefused(say('cellsInSheet', { max: maxElements }))
  }

  #openRow(element: XmlElement): void {
    const given = element.attribute('r')
    const row = given === undefined ? this.#row + 1 : Number(given)
    if (!Number.isInteger(row) || row <= this.#row || row > maxRow) throw damagedWorkbook()
    this.#row = row
    this.#column = 0
    this.#isRowHidden = isTrue(element.attribute('hidden'))
  }

  #openCell(element: XmlElement): void {
    const given = element.attribute('r')
    const column = given === undefined ? this.#column + 1 : parseCell(given).column
    if (column <= this.#column || column > maxColumn) throw damagedWorkbook()
    this.#column = column
    this.#cell = new OpenCell(element.attribute('t') ?? 'n', Number(element.attribute('s') ?? '0'))
  }

  #closeCell(): void {
    const cell = this.#cell?.finish(nameCell(this.#row, this.#column))
    this.#cell = undefined
    if (cell === undefined) return
    if (this.#column > maxColumns) {
      throw new WorkbookRefused(
        `Row ${this.#row} has a value in column ${nameColumn(this.#column)}; at most ${maxColumns} columns are allowed.`,
      )
    }
    this.#cells.set(this.#column, cell)
  }

  #closeRow(): void {
    if (this.#cells.size === 0) return
    this.rows.push({ row: this.#row, isHidden: this.#isRowHidden, cells: this.#cells })
    this.#cells = new Map()
    const max = this.#maxRows
    if (this.rows.length > max + 1) throw new WorkbookRefused(say('rowsInSheet', { max }))
  }
}

/** A cell between its beginning and its end. */
class OpenCell {
  readonly #type: string
  readonly #style: number
  readonly #inline = new TextReader()
  #value = ''
  #isInValue = false
  #hasFormula = false
  #hasValue = false

  constructor(type: string, style: number) {
    this.#type = type
    this.#style = style
  }

  open(name: string): void {
    if (name === 'v') this.#isInValue = this.#hasValue = true
    else if (name === 'f') this.#hasFormula = true
    else this.#inline.open(name)
  }

  text(text: string): void {
    if (this.#isInValue) this.#value += text
    else this.#inline.text(text)
  }

  close(name: string): void {
    if (name === 'v') this.#isInValue = false
    else this.#inline.close(name)
  }

  /** Undefined for an empty one. */
  finish(name: string): Cell | undefined {
    const value = this.#value
    if (this.#type === 'inlineStr') return textCell(this.#inline.take())
    // An empty text is a value, too.
    if (this.#hasFormula && (this.#type === 'str' ? !this.#hasValue : value.trim() === '')) {
      return { formulaWithoutValue: true }
    }
    if (this.#type === 'str') return textCell(unescapeText(value))
    if (value.trim() === '') return undefined
    switch (this.#type) {
      case 's':
        return { shared: parseInteger(value) }
      case 'b':
        return { text: isTrue(value.trim()) ? 'TRUE' : 'FALSE' }
      case 'e':
        return { error: value.trim() }
      case 'd':
        return { date: value.trim() }
      case 'n':
        return { number: parseNumber(value, name), style: this.#style }
      default:
        throw damagedWorkbook()
    }
  }
}

function textCell(text: string): Cell | undefined {
  return text === '' ? undefined : { text }
}

function parseInteger(value: string): number {
  if (!/^\s*\d{1,9}\s*$/.test(value)) throw damagedWorkbook()
  return Number(value)
}

/** Rounds to the 15 digits that spreadsheets have. */
function parseNumber(value: string, cell: string): string {
  const number = Number(value)
  if (!Number.isFinite(number)) throw new WorkbookRefused(`${cell} has a number that is none: write it again.`)
  return String(Number(number.toPrecision(15)))
}

function parseCell(name: string): { readonly row: number; readonly column: number } {
  const [, letters, digits] = /^\$?([A-Z]{1,3})\$?([1-9]\d{0,6})$/i.exec(name) ?? []
  if (letters === undefined) throw damagedWorkbook()
  let column = 0
  for (const letter of letters.toUpperCase()) column = column * 26 + letter.charCodeAt(0) - 64
  return { row: Number(digits), column }
}

function parseRange(name: string): Range {
  const [first = '', last = first] = name.split(':')
  const [{ row: top, column: left }, { row: bottom, column: right }] = [parseCell(first), parseCell(last)]
  if (bottom < top || right < left) throw damagedWorkbook()
  return { top, left, bottom, right, name }
}

/** Name in spreadsheets: A, B, and AA after Z. */
export function nameColumn(column: number): string {
  const last = String.fromCharCode(65 + ((column - 1) % 26))
  return column > 26 ? nameColumn(Math.floor((column - 1) / 26)) + last : last
}

export function nameCell(row: number, column: number): string {
  return nameColumn(column) + row
}
