import { maxColumns, nameCell, type Range } from './cells.ts'
import { damagedWorkbook } from './refusal.ts'

/** Texts of a row, by column from 1. */
export interface TextRow {
  readonly row: number
  readonly texts: Map<number, string>
}

/**
 * Fills the value of a merged cell into the rows that it spans, as far as they have something themselves. Below the cell and
 * beside it, nothing is seen in a spreadsheet: texts that are kept there are removed, and their cells returned.
 */
export function fillMerged(rows: readonly TextRow[], merged: readonly Range[]): readonly string[] {
  /** Cells of which a merged cell is known: none is in two, so that the work is limited by the rows. */
  const taken = new Set<number>()
  const removed: string[] = []
  for (const { top, left, bottom, right } of merged) {
    const first = findFirst(rows, top)
    const value = (rows[first]?.row === top && rows[first].texts.get(left)) || ''
    for (let at = first; at < rows.length && rows[at]!.row <= bottom; at += 1) {
      const { row, texts } = rows[at]!
      for (let column = left; column <= Math.min(right, maxColumns); column += 1) {
        if (taken.size === taken.add(row * maxColumns + column).size) throw damagedWorkbook()
        if (row === top && column === left) continue
        if (texts.delete(column)) removed.push(nameCell(row, column))
        if (column === left && value !== '' && texts.size > 0) texts.set(column, value)
      }
    }
  }
  return removed
}

/** Position of the first row from this number on. */
function findFirst(rows: readonly TextRow[], number: number): number {
  let [low, high] = [0, rows.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (rows[middle]!.row < number) low = middle + 1
    else high = middle
  }
  return low
}
