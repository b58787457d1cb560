import type { FileFormat } from './schema-file.ts'
import { looksLikeRdf } from './skos/syntaxes.ts'

/** The format of a file, by its beginning: what is neither RDF nor JSON is CSV. */
export function recognizeFormat(text: string): FileFormat {
  if (looksLikeRdf(text)) return 'skos'
  return /^\s*[{[]/.test(text) ? 'json' : 'csv'
}
