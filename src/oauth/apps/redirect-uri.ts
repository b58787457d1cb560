import type { Parsed } from '../../call/parsed.ts'
import { say } from '../../sentences/say.ts'

/** Stands for an address: the code is shown on a page (observed). */
export const outOfBand = 'urn:ietf:wg:oauth:2.0:oob'

/** Stands for the address of the server's own application, as only a running server knows it. */
export const publicRoot = '/'

/** Characters. */
export const maxRedirectUriLength = 2_048

/** Never the scheme of an app: a browser would run or show what follows. */
const dangerousSchemes = new Set([
  'javascript',
  'data',
  'vbscript',
  'file',
  'blob',
  'about',
  'view-source',
  'ws',
  'wss',
  'ftp',
])

const encodedLineEnd = /%0[0ad]/i

/** Parameters of an answer (RFC 6749 §4.1.2, RFC 9207), for which a client may take those in the query of an address. */
const answerName = /^\s*(code|state|error|error_description|error_uri|iss)\s*(?:\[|$)/i

export const loopbackHosts: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost'])

/**
 * An address as it is registered: https, http on this machine, the scheme of a native app with a dot in it (RFC 8252 §7.1), or
 * `urn:ietf:wg:oauth:2.0:oob`. It is compared character by character later, so it has to be in the form in which a browser
 * writes it; a path may be left out.
 */
export function parseRedirectUri(text: string): Parsed<string> {
  const problem = findProblem(text)
  return problem === undefined ? { value: text } : { problems: [problem] }
}

function findProblem(text: string): string | undefined {
  if (text === outOfBand) return undefined
  if (text.length > maxRedirectUriLength) return say('tooLong', { length: text.length, max: maxRedirectUriLength })
  if (!/^[\x21-\x7e]+$/.test(text)) return 'has a character that no URL has; encode it.'
  const forbidden = /[*#\\"<>^`{|}]|%0[0ad]/i.exec(text)
  if (forbidden) return `has the character ${forbidden[0]}, which is not allowed.`
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1]
  if (scheme === undefined || !URL.canParse(text)) return 'is not an absolute URL.'
  if (dangerousSchemes.has(scheme.toLowerCase())) return `has the scheme ${scheme}, which is not allowed.`
  const planted = findAnswerName(text)
  if (planted !== undefined) return `has ${planted} in its query, a parameter of the answer; leave it out.`
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') return 'has a username or a password.'
  if (scheme === 'http' && !loopbackHosts.has(url.hostname))
    return 'is not https; http is only for 127.0.0.1, [::1] and localhost.'
  // Others than these have a meaning in the policy of the page that names the host.
  if (!/^[A-Za-z0-9_.:[\]-]*$/.test(url.host))
    return `has the host ${url.host}, in which only letters, digits, - and . are allowed.`
  if (scheme !== 'http' && scheme !== 'https') {
    return scheme.includes('.') && scheme === scheme.toLowerCase()
      ? undefined
      : 'is neither https nor a scheme of an app, such as com.example.app.'
  }
  return url.href === text || url.href === `${text}/` ? undefined : `is not in its normal form: ${url.href}`
}

/** The parameter of an answer that the query has, in whatever case and encoding; undefined without one. */
function findAnswerName(uri: string): string | undefined {
  const mark = uri.indexOf('?')
  if (mark === -1) return undefined
  for (const name of new URLSearchParams(uri.slice(mark)).keys()) {
    const found = answerName.exec(name)?.[1]
    if (found !== undefined) return found.toLowerCase()
  }
  return undefined
}

/** Properties of an app that the comparison of addresses depends on. */
export interface RedirectTarget {
  readonly redirectUris: readonly string[]
  readonly appType: string
  readonly queryMayDiffer: boolean
}

/**
 * Whether the address is registered: the same characters, an empty path being `/`. The port of 127.0.0.1 and [::1] may be any
 * for apps of a machine (RFC 8252 §7.3), and the query of an https address for apps that are registered so (chosen).
 */
export function isRegistered(given: string, { redirectUris, appType, queryMayDiffer }: RedirectTarget): boolean {
  if (given === outOfBand) return redirectUris.includes(outOfBand)
  // Whatever is registered: nothing that browsers read in another way than it is compared here.
  if (given.length > maxRedirectUriLength || !/^[\x21-\x7e]+$/.test(given) || /[#\\]/.test(given)) return false
  // Who makes the link could write the answer.
  if (queryMayDiffer && (findAnswerName(given) !== undefined || encodedLineEnd.test(given))) return false
  const isOfMachine = appType === 'native' || appType === 'multiple'
  return redirectUris.some((uri) => {
    if (comparable(given) === comparable(uri)) return true
    if (queryMayDiffer && given.startsWith('https:')) return comparable(given.replace(/\?.*$/, '')) === comparable(uri)
    const loopback = isOfMachine ? withoutPort(uri) : undefined
    return loopback !== undefined && loopback === withoutPort(given)
  })
}

/** A bare origin has the path `/`. */
function comparable(uri: string): string {
  return /^https?:\/\/[^/?]+$/.test(uri) ? `${uri}/` : uri
}

const highestPort = 65_535

/** An address on this machine with an empty port; undefined for any other. */
function withoutPort(uri: string): string | undefined {
  const match = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]))(?::(\d{1,5}))?((?:[/?].*)?)$/.exec(uri)
  if (!match || Number(match[2] ?? 0) > highestPort) return undefined
  return `${match[1]}:${match[3] || '/'}`
}

/** The address with what is answered in its query. */
export function withAnswer(redirectUri: string, members: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(members).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  )
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${given.join('&')}`
}

/** Returns the origin or scheme that `form-action` of a page has to allow, so that its form may end at the address. */
export function formTargetOf(redirectUri: string): string | undefined {
  if (redirectUri === outOfBand) return undefined
  return /^https?:\/\/[^/?]+/.exec(redirectUri)?.[0] ?? /^[a-z][a-z0-9+.-]*:/.exec(redirectUri)?.[0]
}

/** Whether only the web site of the address gets the answer: no other program of a machine can take it. */
export function isOfOneSite(redirectUri: string): boolean {
  return redirectUri.startsWith('https:')
}
