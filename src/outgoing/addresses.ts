import { BlockList, isIP } from 'node:net'
import type { AllowedHost } from '../settings/webhooks.ts'

const never = openRanges(
  ...['0.0.0.0/8', '127.0.0.0/8', '169.254.0.0/16', '192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '198.18.0.0/15'],
  ...['198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4', '2001::/32', '2001:db8::/32', '3fff::/20'],
)
const privates = openRanges('10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7')
/** Addresses of IPv6 that are given to networks of the internet. */
const unicast = openRanges('2000::/3')

/** Addresses of IPv6 with one of IPv4 in them (mapped, NAT64, 6to4): how they begin, and at which of their groups it does. */
const embeddings = [
  ['0000:0000:0000:0000:0000:ffff:', 6],
  ['0064:ff9b:0000:0000:0000:0000:', 6],
  ['2002:', 1],
] as const

/**
 * The form in which addresses are judged and compared: the IPv4 address that is in an IPv6 address, or else all groups of
 * the latter. A text that is no address, or one with a zone, stays as it is.
 */
export function judgedForm(address: string): string {
  if (isIP(address) !== 6 || address.includes('%')) return address
  const parts = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const [first = [], last = []] = parts.map((part) => part.split(':').filter((group) => group !== ''))
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => '0')
  const groups = [...first, ...zeros, ...last].map((group) => group.padStart(4, '0'))
  const all = groups.join(':')
  const [, at] = embeddings.find(([start]) => all.startsWith(start)) ?? []
  return at === undefined ? all : [...Buffer.from(groups.slice(at, at + 2).join(''), 'hex')].join('.')
}

/** The tier of an address in its judged form: never sent to, sent to where a setting has its range, or public. */
export function tierOf(address: string): 'never' | 'private' | 'public' {
  if (isIP(address) === 0) return 'never'
  if (isIn(privates, address)) return 'private'
  return isIn(never, address) || (isIP(address) === 6 && !isIn(unicast, address)) ? 'never' : 'public'
}

/** The ranges of a setting, as a test of addresses in their judged form: private ones in a range, others one by one. */
export function openAdmission(entries: readonly AllowedHost[]): (address: string) => boolean {
  const found = entries.flatMap((entry) => (entry.kind === 'range' ? entry : []))
  const ranges = openRanges(...found.map(({ text }) => text))
  const singles = found.filter(({ isSingle }) => isSingle).map(({ address }) => judgedForm(address))
  return (address) => singles.includes(address) || (tierOf(address) === 'private' && isIn(ranges, address))
}

function openRanges(...ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', prefix] = range.split('/')
    list.addSubnet(address, Number(prefix), familyOf(address))
  }
  return list
}

function isIn(list: BlockList, address: string): boolean {
  return list.check(address, familyOf(address))
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6'
}
