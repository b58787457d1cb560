import { isIP } from 'node:net'
import { type AllowedHost, canonicalHost } from '../settings/webhooks.ts'
import { judgedForm, openAdmission, tierOf } from './addresses.ts'

export interface Place {
  readonly host: string
  readonly port: number
}

/** Places that nothing is sent to, whatever a setting says. */
export interface RefusedPlaces {
  /** Root of the URLs of this server. */
  readonly publicUrl: string
  /** Ports of this server, at each address of this machine. */
  readonly ports: readonly number[]
  /** The database and the mail server. */
  readonly services: readonly Place[]
}

/** Addresses of a name; none where there are none, or no answer. An address stands for itself. */
export type LookUp = (host: string) => Promise<readonly string[]>

export interface Judgement extends Place {
  readonly problem: keyof typeof problems | undefined
  /** Addresses of the host, all of which were judged. */
  readonly addresses: readonly string[]
  /** Whether the setting names the host or one of its addresses. */
  readonly isNamed: boolean
}

export type Gate = (url: URL, lookUp: LookUp) => Promise<Judgement>

/** The sentences for what is wrong with an address. */
export const problems = {
  form: () => 'url: An address is like https://hook.example.com/path, without user, fragment, backslash or line feed.',
  scheme: () => 'url: Only https is allowed; WEBHOOK_ALLOWED_HOSTS has to name a host that may be reached by http.',
  self: () => 'url: That is this server itself, or one that it depends on.',
  never: (host: string) =>
    `url: The address of ${host} is not sent to; the setting WEBHOOK_ALLOWED_HOSTS has to name it exactly.`,
  private: (host: string) =>
    `url: The address of ${host} is private; the setting WEBHOOK_ALLOWED_HOSTS has to name the host.`,
} as const

/** The URL, or the problem of a text that has another form or could be read in two ways. */
export function parseAddress(text: string): URL | 'form' | 'scheme' {
  const [, scheme, authority = ''] = /^([a-z][a-z\d+.-]*):(?:\/\/([^/?#]*))?/i.exec(text) ?? []
  if (scheme !== undefined && !/^https?$/i.test(scheme)) return 'scheme'
  if (authority === '' || authority.includes('@') || /[\\#\p{Cc}]/u.test(text) || !URL.canParse(text)) return 'form'
  return new URL(text)
}

/** Places where clouds keep the credentials of machines. */
const metadata = ['169.254.169.254', 'fd00:ec2::254', '100.100.100.200', 'metadata.google.internal'].map(judgedForm)
/** Addresses of each machine itself; 0.0.0.0 and `::` lead there, too. */
const ownAddress = /^(?:127|0)\.|^(?:0000:){7}000[01]$/

/** The judge of addresses, where one is stored and where it is sent to. Looks up each name once, and requests nothing. */
export function openGate(
  allowedHosts: readonly AllowedHost[],
  { publicUrl, ports, services }: RefusedPlaces,
  listOwnAddresses: () => readonly string[],
): Gate {
  const admits = openAdmission(allowedHosts)
  const places = [placeOf(new URL(publicUrl)), ...services.map((at) => ({ ...at, host: canonicalHost(at.host) }))]
  // Further names may lead to the proxy before this server, but not to an address of its own.
  const compared = places.filter(({ host }, at) => at > 0 || isIP(host) > 0)
  const isOwn = (address: string) =>
    ownAddress.test(address) || listOwnAddresses().some((own) => judgedForm(own) === address)

  return async (url, lookUp) => {
    const { host, port } = placeOf(url)
    const isAt = (place: Place) => place.host === host && place.port === port
    const besides = compared.filter((place) => place.port === port).map((place) => lookUp(place.host))
    const [addresses, ...others] = await Promise.all([lookUp(host), ...besides])
    const judged = addresses.map(judgedForm)
    const taken = others.flat().map(judgedForm)
    const isTaken = (address: string) =>
      metadata.includes(address) ||
      taken.includes(address) ||
      ((ports.includes(port) || taken.some(isOwn)) && isOwn(address))
    const isHostNamed = allowedHosts.some(
      (entry) => entry.kind === 'host' && isAt({ host: entry.host, port: entry.port ?? port }),
    )
    const admitted = judged.filter(admits)
    const tiers = judged.filter((address) => !isHostNamed && !admits(address)).map(tierOf)

    function findProblem(): Judgement['problem'] {
      if (metadata.includes(host) || places.some(isAt) || judged.some(isTaken)) return 'self'
      const isPlainAllowed = isHostNamed || (admitted.length > 0 && admitted.length === judged.length)
      if (url.protocol === 'http:' && !isPlainAllowed) return 'scheme'
      return tiers.includes('never') ? 'never' : tiers.includes('private') ? 'private' : undefined
    }

    return { host, port, addresses, problem: findProblem(), isNamed: isHostNamed || admitted.length > 0 }
  }
}

function placeOf({ protocol, hostname, port }: URL): Place {
  return { host: canonicalHost(hostname), port: Number(port || (protocol === 'https:' ? 443 : 80)) }
}
