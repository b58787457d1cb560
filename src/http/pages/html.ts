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
  return new Html(String.raw({ raw: markup }, ...contents.map(format)))
}

function format(content: Content): string {
  if (content instanceof Html) return content.markup
  if (content === undefined || content === false) return ''
  return typeof content === 'object' ? content.map(format).join('') : escapeText(String(content))
}

const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => references[character]!)
}
