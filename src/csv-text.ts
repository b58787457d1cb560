/** What spreadsheets need to see that a file is UTF-8. */
export const byteOrderMark = '\ufeff'

/** One row in the form of RFC 4180, with its line end. */
export function formatCsvRow(cells: readonly string[], delimiter = ','): string {
  return `${cells.map((cell) => formatCell(cell, delimiter)).join(delimiter)}\r\n`
}

function formatCell(cell: string, delimiter: string): string {
  const isQuoted = cell.includes(delimiter) || /["\r\n]/.test(cell)
  return isQuoted ? `"${cell.replaceAll('"', '""')}"` : cell
}

/**
 * The text with an apostrophe before it, where a spreadsheet would take it for a formula. It is put before apostrophes too,
 * so that a reader who drops one gets exactly the text (chosen).
 */
export function guardFormula(text: string): string {
  return /^'*[=+\-@\t\r]/.test(text) ? `'${text}` : text
}

/** The text before `guardFormula`. */
export function unguardFormula(text: string): string {
  return /^'+[=+\-@\t\r]/.test(text) ? text.slice(1) : text
}
