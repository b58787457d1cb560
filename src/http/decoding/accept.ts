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

/** Languages that are read of a header: a browser names a few (chosen). */
const maxLanguages = 20

/** Tags of `Accept-Language` by their weights, the preferred first; those of weight 0, and `*`, are left out (RFC 9110 §12.5.4). */
export function readLanguages(header: string | undefined): readonly string[] {
  if (header === undefined) return []
  const weighed = header
    .split(',', maxLanguages)
    .flatMap((entry) => {
      const match = /^\s*([A-Za-z]{1,8}(?:-[A-Za-z\d]{1,8})*)\s*(?:;\s*q\s*=\s*(\d(?:\.\d{0,3})?)\s*)?$/.exec(entry)
      const weight = Number(match?.[2] ?? 1)
      return match && weight > 0 ? [{ tag: match[1]!, weight }] : []
    })
    .sort((one, other) => other.weight - one.weight)
  return weighed.map(({ tag }) => tag)
}
