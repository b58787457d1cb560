import type { Row } from './table.ts'

/** Rows below from which on a shape is no chance, and characters that a heading of unknown words may have (chosen). */
const minRows = 6
const maxLength = 40

/** Numbers, sums of money, shares and dates. */
const figure = /^[\p{Sc}\d\s.,:/%+-]*\d[\p{Sc}\d\s.,:/%+-]*$/u

/**
 * Whether a row has the shape of a heading, whatever its words: short, distinct texts over all columns, none of which stands
 * below, and columns of another kind. Figures are enough. Otherwise there are two of long texts, values that repeat, values that
 * repeat in several groups, and a known word (chosen): levels repeat together, and the first group may have one row.
 */
export function isHeadingByShape(rows: readonly Row[], position: number, hasKnownWord: boolean): boolean {
  const below = rows.slice(position + 1)
  const headings = rows[position]!.cells.map((cell) => cell.trim())
  const columns = headings.map((_, at) => below.map(({ cells }) => cells[at]?.trim() ?? ''))
  const named = [...headings.keys()].filter((at) => headings[at] !== '')
  const isWhole =
    below.every(({ cells }) => cells.length <= headings.length) &&
    columns.every((cells, at) => headings[at] !== '' || cells.every((cell) => cell === ''))
  if (
    below.length < minRows ||
    !isWiderThanAbove(rows, position) ||
    !isWhole ||
    named.length < 2 ||
    new Set(headings).size < named.length
  )
    return false
  const isName = (at: number) => headings[at]!.length <= maxLength && /\p{L}/u.test(headings[at]!)
  if (!named.every((at) => isName(at) && !columns[at]!.includes(headings[at]!))) return false
  if (columns.some(isOfFigures)) return true
  const repeated = columns.filter(isRepeated)
  const signs = [
    hasKnownWord,
    columns.some((cells, at) => isLong(cells, headings[at]!)),
    repeated.length > 0,
    repeated.some((cells) => isAcross(cells, repeated[0]!)),
  ]
  return signs.filter(Boolean).length > 1
}

/** Whether a row is the first one, or has more in it than each above, as the heading below a title has. */
export function isWiderThanAbove(rows: readonly Row[], position: number): boolean {
  const filled = ({ cells }: Row) => cells.filter((cell) => cell.trim() !== '').length
  const width = filled(rows[position]!)
  return position === 0 || (width > 1 && rows.slice(0, position).every((row) => filled(row) < width))
}

function isOfFigures(cells: readonly string[]): boolean {
  const filled = cells.filter((cell) => cell !== '')
  return filled.length * 2 >= cells.length && filled.every((cell) => figure.test(cell))
}

/** Whether half of the texts are more than twice as long as the heading, as descriptions are. */
function isLong(cells: readonly string[], heading: string): boolean {
  return cells.filter((cell) => cell.length > Math.max(25, 2 * heading.length)).length * 2 > cells.length
}

/** Whether nine of ten cells have a value that others have, too. An empty one is of the group above. */
function isRepeated(cells: readonly string[]): boolean {
  const values = fillDown(cells)
  const counts = Map.groupBy(values, (value) => value)
  return values.filter((value) => value !== '' && counts.get(value)!.length > 1).length >= 0.9 * cells.length
}

/** Whether half of the values stand with several values of the first column. */
function isAcross(cells: readonly string[], first: readonly string[]): boolean {
  const groups = fillDown(first)
  const byValue = Map.groupBy(
    cells.keys().filter((at) => cells[at] !== ''),
    (at) => cells[at],
  )
  const isOfSeveral = (rows: readonly number[]) => new Set(rows.map((at) => groups[at])).size > 1
  return [...byValue.values()].filter(isOfSeveral).length * 2 >= byValue.size
}

function fillDown(cells: readonly string[]): readonly string[] {
  let above = ''
  return cells.map((cell) => (above = cell || above))
}
