import type { FileFormat } from './schema-file.ts'
import { looksLikeRdf } from './skos/syntaxes.ts'

const html =
  /^\s*(?:<\?xml[^>]*>\s*)?<(?:!doctype\s+html|html|head|body|meta|div|span|p|ul|ol|li|dl|table|tbody|thead|tr|td|h[1-6]|a|b|strong|!--)[\s>/-]/i

export const htmlGiven =
  'The file is HTML: a JSON, CSV or SKOS file is needed. Copy the cells or the list as the browser shows them, and paste that.'

/** Whether the text is a page, such as a server answers in place of a file. */
export function looksLikeHtml(text: string): boolean {
  return html.test(text)
}

/** The format of a file, by its beginning: what is neither RDF nor JSON is CSV. */
export function recognizeFormat(text: string): FileFormat {
  if (looksLikeRdf(text)) return 'skos'
  return /^\s*[{[]/.test(text) ? 'json' : 'csv'
}
