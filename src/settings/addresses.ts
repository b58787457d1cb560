/** Settings of addresses: where the server listens, and how clients reach it. */
import { type GivenSettings, readInteger, shown } from './given.ts'

export function readHost({ value, defaultOf, refuse }: GivenSettings, name: 'HOST' | 'METRICS_HOST'): string {
  const given = value(name)
  const isIpv6 = /^[\da-f:.]*:[\da-f:.]*:[\da-f:.]*(%\w+)?$/i.test(given)
  if (isIpv6 || /^[\w.-]+$/.test(given)) return given
  refuse(`${name} is ${shown(given)}; it has to be an address or the name of a machine, without scheme, port or path.`)
  return defaultOf(name)
}

export function isLoopback(host: string): boolean {
  return /^(127\.\d+\.\d+\.\d+|localhost|::1)$/i.test(host)
}

export function readPublicUrl({ text, refuse }: GivenSettings, isTls: boolean): string | undefined {
  const given = text('PUBLIC_URL')
  if (given === undefined) return undefined
  if (!URL.canParse(given)) {
    // A user and a password may stand before an at sign.
    const value = given.includes('@') ? '' : ` is ${shown(given)}; it`
    return refuse(`PUBLIC_URL${value} has to be an absolute URL, such as https://maps.example.com.`)
  }
  const url = new URL(given)
  if (!/^https?:$/.test(url.protocol) || url.search || url.hash || url.username || url.password) {
    // The URL itself is left out: it may have a password in it.
    return refuse('PUBLIC_URL has to be an http or https URL without query, hash or user.')
  }
  if (!/^(\/[\w.~-]+)*\/?$/.test(url.pathname)) {
    const rule = 'it may have letters, digits, dots, hyphens, underscores and tildes between single slashes'
    return refuse(`PUBLIC_URL has the path ${shown(url.pathname)}; ${rule}.`)
  }
  const root = `${url.origin}${url.pathname}`.replace(/\/+$/, '')
  const shorter = root.replace(/\/sharing\/rest$/i, '')
  if (shorter !== root) {
    const rule = `clients add /sharing/rest to it themselves: set it to ${shorter}`
    return refuse(`PUBLIC_URL is ${shown(root)}; ${rule}.`)
  }
  if (url.hostname === '0.0.0.0' || url.hostname === '[::]') {
    const rule = 'an address to listen on, which clients cannot call: give the one that they use'
    return refuse(`PUBLIC_URL is ${root}, ${rule}.`)
  }
  if (isTls && url.protocol === 'http:') {
    refuse('PUBLIC_URL begins with http:, but TLS_CERT_FILE makes the server speak https only.')
  }
  return root
}

export function readMetrics(given: GivenSettings): { readonly port: number; readonly host: string } | undefined {
  const host = given.text('METRICS_HOST')
  if (given.text('METRICS_PORT') !== undefined) {
    return { port: readInteger(given, 'METRICS_PORT', 0, 65_535), host: readHost(given, 'METRICS_HOST') }
  }
  if (host !== undefined) {
    given.refuse(`METRICS_HOST is ${shown(host)}, but METRICS_PORT is not set: metrics are beside the API then.`)
  }
  return undefined
}

export function readTls({
  text,
  refuse,
}: GivenSettings): { readonly certFile: string; readonly keyFile: string } | undefined {
  const certFile = text('TLS_CERT_FILE')
  const keyFile = text('TLS_KEY_FILE')
  if (certFile && keyFile) return { certFile, keyFile }
  if (!certFile && !keyFile) return undefined
  const [set, missing] = certFile ? ['TLS_CERT_FILE', 'TLS_KEY_FILE'] : ['TLS_KEY_FILE', 'TLS_CERT_FILE']
  return refuse(`${set} is set without ${missing}; HTTPS needs both.`)
}

export function readOrigins({ value, refuse }: GivenSettings): readonly string[] | undefined {
  const given = value('ALLOWED_ORIGINS')
  if (given === '*') return undefined
  const origins = given.split(',').map((entry) => entry.trim())
  for (const origin of origins) {
    if (URL.canParse(origin) && new URL(origin).origin === origin) continue
    refuse(`ALLOWED_ORIGINS has ${shown(origin) || 'an empty entry'}; an origin is like https://maps.example.com.`)
  }
  return origins
}
