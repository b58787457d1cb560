import { type Html, html } from './html.ts'

/** A sentence of the table, in which what stands between backticks is code. */
export function formatProse(text: string): Html {
  const pieces = text.split('`')
  return html`${pieces.map((piece, position) => (position % 2 === 0 ? piece : html`<code>${piece}</code>`))}`
}
