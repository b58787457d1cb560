import { type Html, html } from './html.ts'

/** A sentence of the table, in which what stands between backticks is code. */
export function formatProse(text: string): Html {
  const pieces = text.split('`')
  return html`${pieces.map((piece, position) => (position % 2 === 0 ? piece : html`<code>${piece}</code>`))}`
}

const directionMarks = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** A text in which what would turn the direction of a line round is written as JSON escapes it. */
export function escapeDirection(text: string): string {
  return text.replace(directionMarks, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
