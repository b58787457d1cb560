import type { IncomingMessage } from 'node:http'

/** Longer than a UUID and shorter than a token, so that no token is taken for an id (chosen). */
const acceptable = /^[\w.:@-]{1,40}$/

/**
 * The id of a request, in its answer, the log and the audit: the proxy's `X-Request-Id` if proxies are trusted, otherwise a
 * new one (chosen).
 */
export function findRequestId({ headers }: IncomingMessage, trustProxy: boolean, makeId: () => string): string {
  const given = headers['x-request-id']
  return trustProxy && typeof given === 'string' && acceptable.test(given) ? given : makeId()
}
