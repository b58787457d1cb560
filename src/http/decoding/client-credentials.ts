/** Id and secret by which a client authenticates (RFC 6749 §2.3.1). */
export interface ClientCredentials {
  readonly clientId: string
  readonly clientSecret: string
}

/** Characters. */
const maxHeaderLength = 4_096

/** The credentials of `Authorization: Basic`, whose parts are encoded as in a form; undefined for any other header. */
export function findClient(authorization: string | undefined): ClientCredentials | undefined {
  if (authorization === undefined || authorization.length > maxHeaderLength) return undefined
  const encoded = /^Basic +([A-Za-z0-9+/]+=*)$/i.exec(authorization)?.[1]
  const [clientId, clientSecret] =
    (encoded && /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString())?.slice(1).map(decodePart)) || []
  return clientId === undefined || clientSecret === undefined ? undefined : { clientId, clientSecret }
}

function decodePart(part: string): string | undefined {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}
