import { expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { refusalsOf } from './refusals.ts'

test('webhooks are not sent unless WEBHOOKS is on', () => {
  expect(readConfig({}).webhooks).toEqual({ isOn: false, allowedHosts: [], authorityFile: undefined })
  expect(readConfig({ WEBHOOKS: 'on', WEBHOOK_CA_FILE: 'ca.pem' }).webhooks).toMatchObject({
    isOn: true,
    authorityFile: 'ca.pem',
  })
  expect(refusalsOf(() => readConfig({ WEBHOOKS: 'true' }))).toEqual(['WEBHOOKS is true; it has to be one of off, on.'])
})

test.each([
  ['Hook.Example.com', { kind: 'host', host: 'hook.example.com', port: undefined }],
  ['hook.example.com.:443', { kind: 'host', host: 'hook.example.com', port: 443 }],
  ['münchen.example.com', { kind: 'host', host: 'xn--mnchen-3ya.example.com', port: undefined }],
  ['my_host', { kind: 'host', host: 'my_host', port: undefined }],
  ['192.168.1.20:80', { kind: 'host', host: '192.168.1.20', port: 80 }],
  ['FD00:0::20', { kind: 'host', host: 'fd00::20', port: undefined }],
  ['[fd00::20]:8443', { kind: 'host', host: 'fd00::20', port: 8_443 }],
  ['10.0.0.0/8', { kind: 'range', address: '10.0.0.0', isSingle: false }],
  ['127.0.0.1/32', { kind: 'range', address: '127.0.0.1', isSingle: true }],
  ['fd00::/8', { kind: 'range', address: 'fd00::', isSingle: false }],
  ['::1/128', { kind: 'range', address: '::1', isSingle: true }],
])('WEBHOOK_ALLOWED_HOSTS takes %s', (text, expected) => {
  const { allowedHosts } = readConfig({ WEBHOOK_ALLOWED_HOSTS: `${text}, other` }).webhooks
  expect(allowedHosts).toEqual([{ text, ...expected }, expect.objectContaining({ host: 'other' })])
})

test.each([
  ...[
    'https://hook.example.com',
    'hook.example.com/hook',
    '*.example.com',
    'hook example',
    'hook:',
    'hook:0',
    'hook:65536',
  ],
  ...[
    'hook:x',
    '[fd00::20',
    '[hook]:80',
    'fd00::20]',
    '10.0.0.0/33',
    '10.0/8',
    'fd00::/129',
    '10.0.0.0/8/8',
    '/8',
    '::/x',
  ],
  ...['hook.example.com/8', '1.2.3.4.5:80', '256.1.1.1', 'fe80::1%eth0', 'a..%00'],
])('WEBHOOK_ALLOWED_HOSTS refuses %s in a sentence', (entry) => {
  expect(refusalsOf(() => readConfig({ WEBHOOK_ALLOWED_HOSTS: `hook.example.com,${entry}` }))).toEqual([
    `WEBHOOK_ALLOWED_HOSTS has ${entry}; an entry is like hook.example.com, hook.example.com:8443, 192.168.1.20, ` +
      '[fd00::20]:8443 or 10.0.0.0/8.',
  ])
})

test.each([
  ['hook.example.com,', 'an empty entry'],
  ['anna:password@hook.example.com', 'an entry with @'],
])('WEBHOOK_ALLOWED_HOSTS %s has %s, which is refused without what may be a password', (value, shown) => {
  expect(refusalsOf(() => readConfig({ WEBHOOK_ALLOWED_HOSTS: value }))).toEqual([
    expect.stringMatching(`^WEBHOOK_ALLOWED_HOSTS has ${shown}; `),
  ])
})
