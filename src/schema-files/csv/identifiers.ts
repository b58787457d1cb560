import type { Row } from './table.ts'

/** Identifiers of registries: UUIDs, URIs, numbers and codes with a digit, without a blank. */
const identifier =
  /^(?:[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|(?:https?|urn):\S+|[\p{L}]{0,6}[-_.:]?\d[\d\p{Lu}._:/-]*)$/iu
/** Rows from which on it is no chance that all have one (chosen). */
const minRows = 3

/**
 * Positions of columns in which all rows have an identifier, and no two the same. With a heading, only those whose heading is
 * none.
 */
export function identifierColumns(rows: readonly Row[], heading?: Row): ReadonlySet<number> {
  const found = new Set<number>()
  if (rows.length < minRows) return found
  const width = Math.max(...rows.map(({ cells }) => cells.length))
  for (let at = 0; at < width; at += 1) {
    const values = new Set<string>()
    const isEach = rows.every(({ cells }) => {
      const cell = (cells[at] ?? '').trim()
      return identifier.test(cell) && values.size < values.add(cell).size
    })
    const own = heading?.cells[at]?.trim() ?? ''
    if (isEach && (heading === undefined || (own !== '' && !identifier.test(own)))) found.add(at)
  }
  return found
}

/** Positions of the columns before a table that does not begin in the first one. */
export function columnsBefore(rows: readonly Row[]): ReadonlySet<number> {
  const first = Math.min(...rows.map(({ cells }) => cells.findIndex((cell) => cell.trim() !== '')))
  return new Set(Array.from({ length: Math.max(0, first) }, (_, at) => at))
}
