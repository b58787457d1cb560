/** Markup that may go into a page as it is. Whatever else is put into `html` is escaped there. */
export class Html {
  readonly markup: string
  constructor(markup: string) {
    this.markup = markup
  }
}

/** What may stand in a template: markup, text, lists of both; `undefined` and `false` leave nothing. */
export type Content = Html | string | number | false | undefined | readonly Content[]

/** Markup with values in it: html`<b>${text}</b>`. Attribute values stand in double quotes. */
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
