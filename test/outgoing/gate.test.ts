import { describe, expect, test } from 'vitest'
import { judgedForm, tierOf } from '../../src/outgoing/addresses.ts'
import { openWorld, publicAddress } from './world.ts'

const scheme = 'url: Only https is allowed; WEBHOOK_ALLOWED_HOSTS has to name a host that may be reached by http.'
const self = 'url: That is this server itself, or one that it depends on.'
const privateOf = (host: string) =>
  `url: The address of ${host} is private; the setting WEBHOOK_ALLOWED_HOSTS has to name the host.`
const neverOf = (host: string) =>
  `url: The address of ${host} is not sent to; the setting WEBHOOK_ALLOWED_HOSTS has to name it exactly.`

/** First and last addresses of each range, and their neighbours outside. */
const tiers = {
  never: `0.0.0.0 0.255.255.255 127.0.0.0 127.255.255.255 169.254.0.0 169.254.255.255 192.0.0.0 192.0.0.255 192.0.2.0
    192.0.2.255 192.88.99.0 192.88.99.255 198.18.0.0 198.19.255.255 198.51.100.0 198.51.100.255 203.0.113.0 203.0.113.255
    224.0.0.0 239.255.255.255 240.0.0.0 255.255.255.255 :: ::1 1fff:ffff:: fbff:ffff:: fe00:: ffff:: 4000:: 2001::
    2001:0:ffff:: 2001:db8:: 2001:db8:ffff:: 3fff:: 3fff:fff:ffff:: 64:ff9b:1::8.8.8.8 ::8.8.8.8 ::ffff:127.0.0.1
    64:ff9b::127.0.0.1 2002:7f00:1:: fe80::1%eth0 localhost`,
  private: `10.0.0.0 10.255.255.255 100.64.0.0 100.127.255.255 172.16.0.0 172.31.255.255 192.168.0.0 192.168.255.255 fc00::
    fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff ::ffff:10.0.0.1 ::ffff:a00:1 64:ff9b::10.0.0.1 2002:a00:1::1`,
  public: `1.0.0.0 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 169.253.255.255 169.255.0.0
    172.15.255.255 172.32.0.0 191.255.255.255 192.0.1.0 192.0.3.0 192.88.98.255 192.88.100.0 192.167.255.255 192.169.0.0
    198.17.255.255 198.20.0.0 198.51.99.255 198.51.101.0 203.0.112.255 203.0.114.0 223.255.255.255 2000:: 2001:1:: 2001:db7::
    2001:db9:: 3ffe:ffff:: 3fff:1000:: 3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff ::ffff:8.8.8.8 64:ff9b::808:808 2002:808:808::1`,
}

test.each(Object.entries(tiers))('addresses that are %s', (tier, listed) => {
  const addresses = listed.split(/\s+/)
  expect(addresses.filter((address) => tierOf(judgedForm(address)) !== tier)).toEqual([])
})

const form = 'url: An address is like https://hook.example.com/path, without user, fragment, backslash or line feed.'

/** Addresses at public hosts by what is wrong with them. */
const judged: readonly (readonly [string | undefined, ...string[]])[] = [
  [
    undefined,
    'https://a.org/hook?key=a%20b@c',
    'HTTPS://A.org:8443',
    'https://[2a00:1450::1]/',
    'https://unknown.org/',
  ],
  [privateOf('two.org'), 'https://two.org/'],
  [scheme, 'http://a.org/', 'http://unknown.org/', 'ftp://a.org/', 'pull:'],
  [form, 'https:a.org', 'https:/a.org', 'https:///a.org', 'https:\\\\a.org', '//a.org', 'a.org', ' https://a.org', ''],
  [form, 'https://anna@a.org', 'https://anna:pw@a.org', 'https://@a.org', 'https://a.org/#x', 'https://a.org#'],
  [
    form,
    'https://a.org\\x',
    'https://a.org/\t',
    'https://a.org/\n',
    '\thttps://a.org',
    'https://a.org:65536',
    'https://',
  ],
]

test.each(judged.flatMap(([refusal, ...urls]) => urls.map((url) => [url, refusal] as const)))(
  '%j: %s',
  async (url, refusal) => {
    const world = openWorld({
      names: { 'a.org': [publicAddress, '2a00:1450::1'], 'two.org': [publicAddress, '10.0.0.1'] },
    })
    expect([await world.findRefusal(url), world.dialled]).toEqual([refusal, []])
  },
)

describe('WEBHOOK_ALLOWED_HOSTS', () => {
  const names = {
    'hook.internal': ['10.0.0.1'],
    'other.internal': ['10.0.0.1', 'fd00::1'],
    'evilhook.internal': ['10.0.0.1'],
    'a.hook.internal': ['10.0.0.1'],
    'hook.internal.example.com': ['10.0.0.1'],
    'this.machine': ['127.0.0.1'],
    'hook.example.com': [publicAddress],
    'both.internal': [publicAddress, '10.0.0.1'],
  }

  test.each([
    ['hook.internal', 'https://hook.internal/', undefined],
    ['hook.internal', 'http://HOOK.internal.:8080/', undefined],
    ['HOOK.internal.', 'https://hook.internal/', undefined],
    ['hook.internal', 'https://evilhook.internal/', privateOf('evilhook.internal')],
    ['hook.internal', 'https://a.hook.internal/', privateOf('a.hook.internal')],
    ['hook.internal', 'https://hook.internal.example.com/', privateOf('hook.internal.example.com')],
    ['hook.internal', 'https://10.0.0.1/', privateOf('10.0.0.1')],
    ['hook.internal:8443', 'https://hook.internal:8443/', undefined],
    ['hook.internal:8443', 'https://hook.internal/', privateOf('hook.internal')],
    ['hook.internal:443', 'https://hook.internal/', undefined],
    ['hook.internal:80', 'http://hook.internal/', undefined],
    ['hook.internal:443', 'http://hook.internal/', scheme],
    ['[fd00::1]:8443', 'https://[fd00:0::1]:8443/', undefined],
    ['fd00::1', 'http://[fd00::1]/', undefined],
    ['[fd00::1]:8443', 'https://[fd00::1]/', privateOf('fd00::1')],
    ['hook.example.com', 'http://hook.example.com/', undefined],
    ['127.0.0.1', 'https://127.0.0.1/', undefined],
    ['127.0.0.1', 'https://this.machine/', neverOf('this.machine')],
    ['127.0.0.1/32', 'http://this.machine/', undefined],
    ['127.0.0.1/8', 'https://127.0.0.1/', neverOf('127.0.0.1')],
    ['0.0.0.0/0,::/0', 'https://127.0.0.1/', neverOf('127.0.0.1')],
    ['::1/128', 'https://[::1]/', undefined],
    ['10.0.0.0/8', 'http://hook.internal/', undefined],
    ['10.0.0.0/8', 'https://[::ffff:10.0.0.1]/', undefined],
    ['10.0.0.0/8', 'https://other.internal/', privateOf('other.internal')],
    ['10.0.0.0/8,fd00::/16', 'http://other.internal/', undefined],
    ['10.1.0.0/16', 'https://hook.internal/', privateOf('hook.internal')],
    ['10.0.0.0/8', 'https://both.internal/', undefined],
    ['10.0.0.0/8', 'http://both.internal/', scheme],
    ['0.0.0.0/0', 'http://hook.example.com/', scheme],
  ])('%s and %s: %s', async (allowed, url, refusal) => {
    expect(await openWorld({ names, allowed }).findRefusal(url)).toBe(refusal)
  })
})

describe('the server itself, and those that it depends on, are refused whatever the setting says:', () => {
  const names = {
    'maps.example.com': [publicAddress],
    'alias.example.com': [publicAddress],
    'database.internal': ['10.0.0.5'],
    'mine.example.com': ['192.168.7.7'],
    localhost: ['127.0.0.1'],
  }
  const world = openWorld({
    names,
    allowed:
      'maps.example.com,127.0.0.1,localhost,169.254.169.254,169.254.169.254/32,metadata.google.internal,192.168.7.7,' +
      '10.0.0.0/8,100.64.0.0/10,fd00::/8,[::1],mine.example.com,database.internal,mail.internal,192.168.0.0/16,[::],0.0.0.0',
    ports: [8080, 9464],
    services: [
      { host: 'database.internal', port: 5432 },
      { host: 'MAIL.internal', port: 465 },
      { host: 'localhost', port: 6432 },
    ],
  })

  test.each([
    ...['https://maps.example.com/sharing/rest', 'https://MAPS.example.com.:443/', 'http://127.0.0.1:8080/'],
    ...['http://127.0.0.1:9464/metrics', 'http://[::1]:8080/', 'http://[::]:8080/', 'http://0.0.0.0:8080/'],
    ...['http://192.168.7.7:8080/', 'http://mine.example.com:8080/', 'https://[2a00:1450::7]:8080/'],
    ...['https://[::ffff:192.168.7.7]:8080/', 'https://database.internal:5432/', 'https://10.0.0.5:5432/'],
    ...['https://mail.internal:465/', 'http://169.254.169.254/latest', 'http://100.100.100.200/'],
    ...['https://[fd00:ec2::254]/', 'https://metadata.google.internal/', 'http://192.168.7.7:6432/'],
  ])('%s', async (url) => {
    expect([await world.findRefusal(url), await world.post(url), world.dialled]).toEqual([
      self,
      { failure: 'address not allowed', tookMs: 0 },
      [],
    ])
  })

  test.each([
    ...['https://maps.example.com:8443/', 'https://alias.example.com/', 'http://127.0.0.1:8081/'],
    ...['http://mine.example.com/', 'https://10.0.0.5/', 'https://database.internal:5433/'],
  ])('but not %s', async (url) => {
    expect(await world.findRefusal(url)).toBeUndefined()
  })
})

test('a name that is not found within two seconds is stored', async () => {
  const names = { 'slow.example.com': () => new Promise<never>(() => undefined) }
  const world = openWorld({ names })
  const refusal = world.findRefusal('https://slow.example.com/')
  expect([...world.clock.waiting].map(({ milliseconds }) => milliseconds)).toEqual([2_000])
  world.clock.pass(2_000)
  expect(await refusal).toBeUndefined()
})
