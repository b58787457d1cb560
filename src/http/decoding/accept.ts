import { formats } from '../answer.ts'
import type { RequestParameters } from './request-parameters.ts'

/**
 * The format of `f`, or if it is absent, of the Accept header: HTML for browsers, JSON for all others (chosen). Without
 * parameters, of the header alone.
 * Undefined if `f` is not one of the formats.
 */
export function findFormat(
  parameters: RequestParameters | undefined,
  accept: string | undefined,
  known: readonly string[] = formats,
): string | undefined {
  const given = parameters?.find('f')
  if (!given) return prefersHtml(accept) ? 'html' : 'json'
  return 'text' in given ? known.find((format) => format === given.text.toLowerCase()) : undefined
}

/** Characters of an Accept header that is read, at most; those of browsers have less than 300. */
const maxAcceptLength = 1024

/**
 * A browser lists HTML, and JSON only by a wildcard; a client that lists JSON with equal weight gets JSON, as does one whose
 * header is too long to be read (chosen).
 */
function prefersHtml(accept: string | undefined): boolean {
  if (accept === undefined || accept.length > maxAcceptLength) return false
  const weights = new Map<string, number>()
  for (const range of accept.split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    const quality = parameters.find((parameter) => parameter.startsWith('q='))
    weights.set(type, quality === undefined ? 1 : Number(quality.slice(2)) || 0)
  }
  const html = weights.get('text/html') ?? 0
  const named = weights.get('application/json')
  if (named !== undefined) return html > named
  return html > 0 && html >= (weights.get('application/*') ?? weights.get('*/*') ?? 0)
}
