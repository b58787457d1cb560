/** Addresses that no webhook is sent to unless a setting names them, as they may be written. */

/** Addresses of IPv4: of this machine, of private networks, of clouds, of nothing. */
const addresses = [
  ...['127.0.0.1', '127.1.2.3', '0.0.0.0', '10.0.0.1', '172.31.255.255', '192.168.0.1', '100.100.100.200'],
  ...['169.254.169.254', '198.18.0.1', '255.255.255.255'],
]

const hex = (value: number, length = 0) => value.toString(16).padStart(length, '0')
const octal = (value: number) => `0${value.toString(8)}`
const join = (parts: readonly string[]) => parts.join('.')

/** An address of IPv4 as URLs may have it. */
function spellingsOfFour(address: string): readonly string[] {
  const bytes = address.split('.').map(Number) as [number, number, number, number]
  const [a, b, c, d] = bytes
  const whole = Buffer.from(bytes).readUInt32BE()
  const letters = (text: string, first: number) => text.replace(/\d/g, (digit) => String.fromCodePoint(first + +digit))
  return [
    ...[address, `${address}.`, String(whole), octal(whole), `0x${hex(whole)}`, `0X${hex(whole).toUpperCase()}`],
    ...[bytes.map((byte) => `0x${hex(byte)}`), bytes.map(octal), bytes.map((byte) => `000${octal(byte)}`)].map(join),
    ...[`${a}.${b}.${c * 256 + d}`, `${a}.${(b * 256 + c) * 256 + d}`, `0x${hex(a)}.${b}.${octal(c)}.${d}.`],
    ...[letters(address, 0xff10), letters(address, 0x1d7ce), address.replace(/\d/g, (digit) => `%3${digit}`)],
    ...['%2e', '。', '．', '\u{ad}.'].map((dot) => address.replaceAll('.', dot)),
    `\u{200b}${address}`,
  ]
}

/** An address of IPv4 inside addresses of IPv6. */
function spellingsInSix(address: string): readonly string[] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number)
  const [high, low] = [`${hex(a)}${hex(b, 2)}`, `${hex(c)}${hex(d, 2)}`]
  const starts = ['::ffff:', '0:0:0:0:0:ffff:', '64:ff9b::', '::', '::ffff:0:', '64:ff9b:1::', '2001::']
  return [
    ...starts.map((start) => `${start}${address}`),
    ...[
      `::FFFF:${high}:${low}`.toUpperCase(),
      `0000:0000:0000:0000:0000:ffff:${high}:${low}`,
      `64:ff9b::${high}:${low}`,
    ],
    ...[`2002:${high}:${low}::`, `2002:${high}:${low}:1:2:3:4:5`],
  ].map((spelling) => `[${spelling}]`)
}

const six = [
  ...[
    '::',
    '::1',
    '0:0:0:0:0:0:0:1',
    '0000:0000:0000:0000:0000:0000:0000:0001',
    '::0.0.0.1',
    '100::1',
    '1::1',
    '1fff::1',
  ],
  ...['fe80::1', 'feBF::1', 'fec0::1', 'fc00::1', 'FD12:3456::1', 'fd00:ec2::254', 'ff02::1', '4000::1', '8000::1'],
  ...['2001:db8::1', '2001:0:1::1', '3fff:0fff::1', 'fe80::1%25lo', '::1%25lo'],
].map((address) => `[${address}]`)

/** Names that lead to inner addresses, whatever their letters. */
export const innerNames: Readonly<Record<string, readonly string[]>> = {
  localhost: ['127.0.0.1'],
  'localhost.': ['::1', '127.0.0.1'],
  'inner.example.com': ['10.0.0.1'],
  'mixed.example.com': ['93.184.216.34', '127.0.0.1'],
  'xn--mnchen-3ya.example.com': ['::ffff:127.0.0.1'],
  'zone.example.com': ['fe80::1%eth0'],
  'strange.example.com': ['no address'],
  'metadata.google.internal': ['93.184.216.34'],
  'metadata.google.internal.': ['93.184.216.34'],
}

const names = [
  ...Object.keys(innerNames),
  'LOCALHOST',
  'loc%61lhost',
  'ｌｏｃａｌｈｏｓｔ',
  'local\u{ad}host',
  'München.example.com',
]

const hosts = [
  ...addresses.flatMap((address) => [...spellingsOfFour(address), ...spellingsInSix(address)]),
  ...six,
  ...names,
]

/** Every spelling of an inner address, at a port. */
export function spellInnerAddresses(port: number): readonly string[] {
  const place = `127.0.0.1:${port}`
  return [
    ...hosts.map((host) => `https://${host}:${port}/hook`),
    ...['https:', 'https:/', 'https:///', 'https://///', 'https:\\\\', 'https:/\\', 'https:?', '//', ''].map(
      (start) => `${start}${place}/hook`,
    ),
    ...['http', 'ftp', 'ws', 'wss', 'file', 'gopher', 'tel', 'unix', 'blob:https'].map(
      (scheme) => `${scheme}://${place}/`,
    ),
    ...['hook.example.com@', 'hook.example.com:443@', '@', ':@', 'a:b@c@', 'hook.example.com%40', '%2f@'].map(
      (user) => `https://${user}${place}/hook`,
    ),
    ...['\\@hook.example.com', '\\.hook.example.com', '#@hook.example.com', '/#x', '/\t', '/\n', '\t/', '\r\n/'].map(
      (end) => `https://${place}${end}`,
    ),
    ...[' ', '\t', '\n', '\u{0}', '\u{feff}'].map((start) => `${start}https://${place}/hook`),
    ...['ht\ttps', 'https\n', 'HTTPS ', 'HtTpS\t'].map((scheme) => `${scheme}://${place}/hook`),
    `data:text/html,https://${place}/`,
    `javascript:fetch('https://${place}/')`,
    `HTTPS://${place}`,
  ]
}
