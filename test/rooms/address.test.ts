import { expect, test } from 'vitest'
import { addressKey } from '../../src/tokens/address.ts'

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::FFFF:192.0.2.255', '192.0.2.255'],
  ['::ffff:c000:201', '192.0.2.1'],
  ['0:0:0:0:0:ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
  ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  ['1::', '1:0:0:0::/64'],
  ['1:2:3:4:5:6:7::', '1:2:3:4::/64'],
  ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
  ['fe80::1:2%eth0', 'fe80:0:0:0::/64'],
])('%s counts as %s', (address, key) => {
  expect(addressKey(address)).toBe(key)
})

test.each(['', 'localhost', '1:2', '1:2:3:4:5:6:7:8:9', '1::2::3', '12345::', 'g::', 'unknown:', '1:2:3:4:5:6:7:8::'])(
  '%j is no address, and counts as it is',
  (text) => {
    expect(addressKey(text)).toBe(text)
  },
)

test('text of any length has a short key', () => {
  expect(addressKey('x'.repeat(100_000))).toBe('x'.repeat(64))
})
