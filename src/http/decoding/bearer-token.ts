import { tokenInvalid } from '../../errors.ts'
import type { RequestParameters } from './request-parameters.ts'

/** Headers that may carry a token (documented, observed). */
interface Headers {
  readonly authorization?: string | undefined
  readonly 'x-esri-authorization'?: string | readonly string[] | undefined
}

const bearer = /^Bearer +(\S+)$/i

/** Maximum length of an `X-Esri-Authorization` that is split, in characters: a token has 43. */
const maxHeaderLength = 1024

/**
 * The token of a request, from the query, the body, `X-Esri-Authorization` or `Authorization`.
 * Undefined if there is none; 498 for two different ones, and for one that is not UTF-8 (chosen). Never from a cookie.
 */
export function findToken(params: RequestParameters, headers: Headers): string | undefined {
  const tokens = [...params.tokens]
  if (headers.authorization !== undefined) tokens.push(...readBearer(headers.authorization))
  const esri = headers['x-esri-authorization']
  // A repeated header arrives as one, joined by a comma.
  if (esri !== undefined) tokens.push(...[esri].flat().flatMap(readRepeated))
  const [token] = tokens
  if (tokens.includes(undefined)) throw tokenInvalid()
  if (tokens.some((other) => other !== token)) throw tokenInvalid(['Different tokens are given; give one.'])
  return token
}

/** The token that a request was sent with. */
export interface GivenToken {
  /** Undefined without a token, and beside a refusal. */
  readonly hash: string | undefined
  /** Why none of what was given is a token; only endpoints that look at tokens refuse it. */
  readonly refusal?: unknown
}

/** The hash of that token, or why there is none; the token itself is not kept. */
export function readToken(
  params: RequestParameters,
  headers: Headers,
  hashToken: (token: string) => string,
): GivenToken {
  let token: string | undefined
  try {
    token = findToken(params, headers)
  } catch (refusal) {
    return { hash: undefined, refusal }
  }
  return { hash: token === undefined ? undefined : hashToken(token) }
}

function readRepeated(header: string): readonly (string | undefined)[] {
  return header.length > maxHeaderLength ? [undefined] : header.split(/, */).flatMap(readBearer)
}

function readBearer(header: string): readonly string[] {
  const token = bearer.exec(header)?.[1]
  return token === undefined ? [] : [token]
}

const tokenInQuery = /[?&]token=([\w-]{43})(?=&|$)/

/** A token that stands in the headers or in the query, found without parsing. It is a hint only: nothing is granted by it. */
export function peekToken(url: string, headers: Headers): string | undefined {
  const { authorization, 'x-esri-authorization': esri } = headers
  const header = typeof esri === 'string' ? esri : authorization
  return (header && bearer.exec(header)?.[1]) ?? tokenInQuery.exec(url.slice(0, maxPeekedLength))?.[1]
}

/** Characters. */
const maxPeekedLength = 1_024
