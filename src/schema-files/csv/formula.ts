/**
 * A spreadsheet evaluates a cell that begins with one of these signs. The prefix is one apostrophe more than the text has, so
 * that every text can be told from every prefixed one: what is written is read back exactly (chosen).
 */
const formula = /^'*[=+\-@\t\r]/
const prefixedFormula = /^'+[=+\-@\t\r]/

export function escapeFormula(text: string): string {
  return formula.test(text) ? `'${text}` : text
}

export function isEscapedFormula(text: string): boolean {
  return prefixedFormula.test(text)
}

/** The text before `escapeFormula`. */
export function unescapeFormula(text: string): string {
  return isEscapedFormula(text) ? text.slice(1) : text
}
