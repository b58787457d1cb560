/** Byte order mark, by which spreadsheets see that a file is UTF-8. */
export const byteOrderMark = '\ufeff'

/** One row in the form of RFC 4180, with its line end. */
export function formatCsvRow(cells: readonly string[], delimiter = ','): string {
  return `${cells.map(formatCell).join(delimiter)}\r\n`
}

/** Quotes a cell that has any character at which a spreadsheet may split, whatever the delimiter is. */
function formatCell(cell: string): string {
  return /["\r\n,;\t|]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

/** Beginnings that spreadsheets take for a formula, in wide and small forms too, after invisible characters. */
const formula = '[\\s\\p{Cc}\\p{Cf}\\p{DI}]*[=+\\-@＝＋－＠﹦﹢﹣﹫\\t\\r]'
const beginsAsFormula = new RegExp(`^'*${formula}`, 'u')
const isGuarded = new RegExp(`^'+${formula}`, 'u')

/**
 * The text with an apostrophe before it, where a spreadsheet would take it for a formula. It is put before apostrophes too,
 * so that a reader who drops one gets exactly the text (chosen).
 */
export function guardFormula(text: string): string {
  return beginsAsFormula.test(text) ? `'${text}` : text
}

/** The text before `guardFormula`. */
export function unguardFormula(text: string): string {
  return isGuarded.test(text) ? text.slice(1) : text
}
