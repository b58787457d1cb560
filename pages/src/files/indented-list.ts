/**
 * Whether a pasted text is a list with levels indented by blanks, which resembles a table of one column. Tabs are
 * cells, as spreadsheets copy them.
 */
export function isIndentedList(text: string): boolean {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '')
  const [first = ''] = lines
  return /^[^\s{[<@#]/.test(first) && !text.includes('\t') && lines.some((line) => /^ +\S/.test(line))
}
