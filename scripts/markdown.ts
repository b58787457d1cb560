/** Formatting of Markdown. */

export function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map(tableLine).join('\n')
}

function tableLine(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}

/** Escapes text for Markdown, except between backticks. */
export function escapeText(text: string): string {
  const pieces = text.split('`')
  return pieces.map((piece, position) => (position % 2 === 0 ? piece.replace(/[<*_[\]]/g, '\\$&') : piece)).join('`')
}

/** Link to an operation in docs/api.md. */
export function linkTo({ title, id }: { readonly title: string; readonly id: string }): string {
  return `[${title}](#${id.toLowerCase()})`
}
