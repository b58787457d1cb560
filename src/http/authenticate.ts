import { tokenInvalid } from '../errors.ts'
import type { Params } from './params.ts'

/** Headers that may carry a token (documented, observed). */
interface Headers {
  readonly authorization?: string | undefined
  readonly 'x-esri-authorization'?: string | readonly string[] | undefined
}

const bearer = /^Bearer +(\S+)$/i

/**
 * The token of a request, from the query, the body, `X-Esri-Authorization` or `Authorization`.
 * Undefined where there is none; 498 for two different ones (chosen). Never from a cookie.
 */
export function findToken(params: Params, headers: Headers): string | undefined {
  const esri = headers['x-esri-authorization']
  // Sent twice, this header arrives as one with a comma.
  const given = [headers.authorization, ...[esri ?? []].flat().flatMap((text) => text.split(/, */))]
  const tokens = new Set(params.tokens.filter((token) => token !== ''))
  for (const header of given) {
    const token = header === undefined ? undefined : bearer.exec(header)?.[1]
    if (token !== undefined) tokens.add(token)
  }
  if (tokens.size > 1) throw tokenInvalid()
  return [...tokens][0]
}
