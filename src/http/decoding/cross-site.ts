import type { IncomingHttpHeaders } from 'node:http'

/** Characters of an origin that are compared: as many as the longest host name has, with scheme and port. */
const maxOriginLength = 270

/**
 * The other origin whose page sent the request, where a browser says so; undefined for requests of programs, of the pages
 * of this server, and of the origins that are allowed by name.
 */
export function findCrossSiteOrigin(
  headers: IncomingHttpHeaders,
  publicUrl: string,
  allowedOrigins: readonly string[] | undefined,
): string | undefined {
  const { origin, 'sec-fetch-site': site } = headers
  if (origin !== undefined && allowedOrigins?.includes(origin)) return undefined
  const isOfOther = origin !== undefined && origin !== new URL(publicUrl).origin
  if (!isOfOther && site !== 'cross-site' && site !== 'same-site') return undefined
  // A page without an origin of its own, such as a sandboxed frame, sends "null".
  return (origin ?? 'null').slice(0, maxOriginLength)
}
