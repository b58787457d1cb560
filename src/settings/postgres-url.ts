/** URLs of PostgreSQL databases, which may have several hosts as in libpq: `postgres://user:password@h1:5432,h2:5433/database`. */

/** Scheme with user and password, hosts, and the rest. */
const parts = /^(\w+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s

export function hostsOf(url: string): readonly string[] {
  return (parts.exec(url)?.[2] ?? '').split(',')
}

/** The URL with other hosts. */
export function withHosts(url: string, hosts: string): string {
  return url.replace(parts, (_all, before: string, _hosts, after: string) => `${before}${hosts}${after}`)
}

/** A URL for each host. */
export function urlsOf(url: string): readonly string[] {
  return hostsOf(url).map((host) => withHosts(url, host))
}

/** Hosts and database, without user, password and parameters. */
export function placeOf(url: string): string {
  return `${hostsOf(url).join(',')}${new URL(withHosts(url, 'host')).pathname}`
}

/** Which of several hosts is taken: the first that answers; or that takes writes; or that is no standby. */
export const sessionAttributes = ['any', 'read-write', 'primary'] as const
export type SessionAttributes = (typeof sessionAttributes)[number]

const attributesName = 'target_session_attrs'

/** Session attributes in the URL; `any`, as in libpq, where it has none. */
export function readSessionAttributes(url: string): string {
  return new URL(withHosts(url, 'host')).searchParams.get(attributesName) ?? 'any'
}

/** Returns the problem of the URL, behind the name of its setting; undefined if there is none. */
export function findUrlProblem(url: string): string | undefined {
  if (!parts.test(url) || !urlsOf(url).every((one) => URL.canParse(one))) {
    return 'begins with "postgres:", but is not a URL such as postgres://user:password@host:5432/database.'
  }
  if (/[?&]host=[^&]*(?:,|%2c)/i.test(url)) {
    return 'names several hosts as a parameter; they have to be before the path, as in postgres://user:password@h1,h2:5433/database.'
  }
  const attributes = readSessionAttributes(url)
  if ((sessionAttributes as readonly string[]).includes(attributes)) return undefined
  return `has a ${attributesName} that Cartulary does not take; it has to be one of ${sessionAttributes.join(', ')}.`
}
