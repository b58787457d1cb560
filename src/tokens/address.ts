/**
 * The client that an address stands for: the address itself, or the /64 of an IPv6 address, as one client has all of it.
 * IPv4 within IPv6 (`::ffff:192.0.2.1`) is IPv4.
 */
export function addressKey(address: string): string {
  const groups = parseIpv6(address)
  if (!groups) return address.slice(0, maxKeyLength)
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff) {
    return [groups[6]! >> 8, groups[6]! & 255, groups[7]! >> 8, groups[7]! & 255].join('.')
  }
  const network = groups.slice(0, 4).map((group) => group.toString(16))
  return `${network.join(':')}::/64`
}

/** Characters: behind a proxy that sets no address, a client writes any text in its place. */
const maxKeyLength = 64

/** The 8 groups of an IPv6 address; undefined for any other text. */
function parseIpv6(text: string): readonly number[] | undefined {
  const [address = ''] = text.split('%', 1)
  if (!address.includes(':')) return undefined
  const halves = withoutDots(address).split('::')
  if (halves.length > 2) return undefined
  const [left = [], right = []] = halves.map((half) => (half === '' ? [] : half.split(':')))
  const missing = 8 - left.length - right.length
  if (halves.length === 1 ? missing !== 0 : missing < 1) return undefined
  const groups = [...left, ...Array<string>(missing).fill('0'), ...right]
  return groups.every((group) => /^[\da-f]{1,4}$/i.test(group)) ? groups.map((group) => parseInt(group, 16)) : undefined
}

/** Writes the last 32 bits as groups, where they are written as IPv4. */
function withoutDots(address: string): string {
  return address.replace(/(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/, (_, ...parts: string[]) => {
    const [first, second, third, fourth] = parts.map(Number)
    return `${(first! * 256 + second!).toString(16)}:${(third! * 256 + fourth!).toString(16)}`
  })
}
