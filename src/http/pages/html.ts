/** Markup that is inserted into a page unescaped. `html` escapes everything else. */
export class Html {
  readonly markup: string
  constructor(markup: string) {
    this.markup = markup
  }
}

/** Contents of a template: markup, text, or lists of both; `undefined` and `false` insert nothing. */
export type Content = Html | string | number | false | undefined | readonly Content[]

/** Markup with escaped values: html`<b>${text}</b>`. Attribute values have to be in double quotes. */
export function html(markup: TemplateStringsArray, ...contents: readonly Content[]): Html {
  let text = markup[0]!
  for (const [position, content] of contents.entries()) text += format(content) + markup[position + 1]!
  return new Html(text)
}

function format(content: Content): string {
  if (content instanceof Html) return content.markup
  if (content === undefined || content === false) return ''
  return typeof content === 'object' ? content.map(format).join('') : escapeText(String(content))
}

/** Twice as fast as one replacement by a function, for texts of many such characters. */
function escapeText(text: string): string {
  if (!/[&<>"']/.test(text)) return text
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}

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
