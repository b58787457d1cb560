/**
 * Whether a pasted text is a list whose levels are indented by blanks, which a table of one column would look like too. Tabs are
 * cells, as spreadsheets copy them.
 */
export function isIndentedList(text: string): boolean {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '')
  const [first = ''] = lines
  return /^[^\s{[<@#]/.test(first) && !text.includes('\t') && lines.some((line) => /^ +\S/.test(line))
}
