import { describe, expect, test } from 'vitest'
import {
  expiresAt,
  findTransition,
  formatFileName,
  type InvitationEvent,
  type InvitationState,
  maxHours,
  parsePortalUrl,
  parseWorkspaceAccess,
  rootOfCopied,
  type Transition,
  transitions,
} from '../../src/collaborations/invitation.ts'
import { isSameRoot } from '../../src/collaborations/known-address.ts'

const now = 1_768_478_400_000
const accepted = { refused: 'Invitation has already been accepted.' }
const invalidated = { refused: 'Invitation has been invalidated.' }
const expired = { refused: 'Invitation has expired.' }
const unchanged = { unchanged: true }

/** The table of the contract, cell by cell. `late`: past its expiration. */
const cells: readonly [InvitationState, 'in time' | 'late', InvitationEvent, Transition | object][] = [
  ['host_created', 'in time', 'invalidate', { to: 'host_invalidated' }],
  ['host_created', 'in time', 'import', { to: 'host_accepted' }],
  ['host_created', 'in time', 'refresh', { to: 'host_created' }],
  ['host_created', 'late', 'invalidate', { to: 'host_invalidated' }],
  ['host_created', 'late', 'import', expired],
  ['host_created', 'late', 'refresh', { to: 'host_created' }],
  ['host_invalidated', 'in time', 'invalidate', unchanged],
  ['host_invalidated', 'in time', 'import', invalidated],
  ['host_invalidated', 'in time', 'refresh', invalidated],
  ['host_invalidated', 'late', 'invalidate', unchanged],
  ['host_invalidated', 'late', 'import', invalidated],
  ['host_invalidated', 'late', 'refresh', invalidated],
  ['host_accepted', 'in time', 'invalidate', accepted],
  ['host_accepted', 'in time', 'import', accepted],
  ['host_accepted', 'in time', 'refresh', accepted],
  ['host_accepted', 'late', 'invalidate', accepted],
  ['host_accepted', 'late', 'import', accepted],
  ['host_accepted', 'late', 'refresh', accepted],
]

describe('the life of an invitation', () => {
  test.each(cells)('%s, %s: %s', (state, when, event, transition) => {
    const invitation = { state, expiresAt: when === 'late' ? now - 1 : now + 1 }
    expect(findTransition(invitation, event, now)).toEqual(transition)
  })

  test('the table has these cells and no other', () => {
    const events: readonly InvitationEvent[] = ['invalidate', 'import', 'refresh']
    expect(Object.keys(transitions)).toEqual(['host_created', 'expired', 'host_invalidated', 'host_accepted'])
    for (const row of Object.values(transitions)) expect(Object.keys(row)).toEqual(events)
    expect(cells).toHaveLength(18)
  })

  test('the last millisecond is in time, the next is not', () => {
    const invitation = { state: 'host_created', expiresAt: now } as const
    expect(findTransition(invitation, 'import', now - 1)).toEqual({ to: 'host_accepted' })
    expect(findTransition(invitation, 'import', now)).toEqual(expired)
  })
})

describe('the time of an invitation', () => {
  test.each([
    [undefined, 72],
    [1, 1],
    [71, 71],
    [72, 72],
    [73, 72],
    [Number.MAX_SAFE_INTEGER, 72],
  ])('a wish for %s hours gives %i', (wish, hours) => {
    expect(maxHours).toBe(72)
    expect(expiresAt(now, wish)).toBe(now + hours * 3_600_000)
  })
})

describe('the root of a guest', () => {
  test.each([
    ['https://guest.example.org', 'https://guest.example.org'],
    ['https://guest.example.org/', 'https://guest.example.org'],
    ['https://guest.example.org/portal', 'https://guest.example.org/portal'],
    ['https://guest.example.org/portal///', 'https://guest.example.org/portal'],
    ['HTTPS://GUEST.Example.ORG/Portal', 'https://guest.example.org/Portal'],
    ['http://guest.example.org:80/portal', 'http://guest.example.org/portal'],
    ['https://guest.example.org:7443/portal', 'https://guest.example.org:7443/portal'],
    ['https://bücher.example/karten', 'https://xn--bcher-kva.example/karten'],
    ['https://my_host.example/ä b', 'https://my_host.example/%C3%A4%20b'],
    ['http://192.0.2.7/portal', 'http://192.0.2.7/portal'],
    ['http://[2001:db8::1]:8080/portal', 'http://[2001:db8::1]:8080/portal'],
    ['http://localhost', 'http://localhost'],
    ['https://0.example.org', 'https://0.example.org'],
    ['https://0.de', 'https://0.de'],
    ['https://0.0.0.example.org', 'https://0.0.0.example.org'],
    ['http://[::ffff:192.0.2.1]', 'http://[::ffff:c000:201]'],
    ['https://guest.example.org./portal', 'https://guest.example.org./portal'],
    ['http://[::1]', 'http://[::1]'],
    [`https://guest.example.org/${'a'.repeat(2022)}`, `https://guest.example.org/${'a'.repeat(2022)}`],
  ])('%s is %s', (text, root) => {
    expect(parsePortalUrl(text)).toBe(root)
  })

  test.each([
    ['https://guest.example.org/portal/home', 'https://guest.example.org/portal'],
    ['https://guest.example.org/home/index.html', 'https://guest.example.org'],
    ['https://guest.example.org/portal/sharing/rest', 'https://guest.example.org/portal'],
    ['https://guest.example.org/Sharing', 'https://guest.example.org'],
    ['https://home', 'https://home'],
    ['https://guest.example.org/home/maps', 'https://guest.example.org/home/maps'],
    ['https://guest.example.org/my-home', 'https://guest.example.org/my-home'],
  ])('%s is copied from %s', (copied, root) => {
    expect(rootOfCopied(copied)).toBe(root)
  })

  test.each([
    '',
    'guest.example.org',
    '/portal',
    '//guest.example.org/portal',
    'https://',
    'ftp://guest.example.org',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'mailto:anna@example.org',
    'https://anna@guest.example.org',
    'https://anna:secret@guest.example.org',
    'https://guest.example.org/portal?f=json',
    'https://guest.example.org/portal#home',
    'https://gu est.example.org',
    'https://guest.example.org:99999',
    'https://a"b.example.org',
    'https://a%22b.example.org',
    'https://a;b.example.org',
    "https://a'b.example.org",
    'https://.',
    'https://..',
    'https://a..b',
    'https://.guest.example.org',
    'https://guest.example.org..',
    'http://1',
    'http://0.0.0.0',
    'http://[::]',
    'http://[::ffff:0.0.0.0]',
    'https://a*b.example.org',
    `https://guest.example.org/${'a'.repeat(2023)}`,
  ])('%s is none', (text) => {
    expect(parsePortalUrl(text)).toBeUndefined()
  })

  test('one that is none is not the same as another', () => {
    expect(isSameRoot('https://.', 'https://..')).toBe(false)
    expect(isSameRoot('https://guest.example.org/', 'https://guest.example.org')).toBe(true)
  })

  test.each([
    ['https://guest.example.org/portal', 'collaboration-guest.example.org.invite'],
    ['https://guest.example.org:7443', 'collaboration-guest.example.org.invite'],
    ['https://xn--bcher-kva.example', 'collaboration-xn--bcher-kva.example.invite'],
  ])('the file for %s is %s', (url, fileName) => {
    expect(formatFileName(url)).toBe(fileName)
  })
})

describe('what a guest is invited to do', () => {
  const example = '[{"<workspaceId>":"send"}]'

  test.each([
    ['[{"a":"send"}]', [['a', 'send']]],
    [
      '[{"a":"receive"},{"b":"sendAndReceive"}]',
      [
        ['a', 'receive'],
        ['b', 'sendAndReceive'],
      ],
    ],
    [
      '[{"a":"send","b":"receive"}]',
      [
        ['a', 'send'],
        ['b', 'receive'],
      ],
    ],
    ['[{"__proto__":"send"}]', [['__proto__', 'send']]],
  ])('%s is understood', (text, expected) => {
    const value = expected.map(([workspaceId, accessMode]) => ({ workspaceId, accessMode }))
    expect(parseWorkspaceAccess(JSON.parse(text))).toEqual({ value })
  })

  test.each([
    ['null', `give a list such as ${example}.`],
    ['{"a":"send"}', `give a list such as ${example}.`],
    ['"send"', `give a list such as ${example}.`],
    ['[]', `names no workspace; give a list such as ${example}.`],
    ['[{}]', `names no workspace; give a list such as ${example}.`],
    ['["a"]', '/0 is not an object.'],
    ['[{"a":"send"},null]', '/1 is not an object.'],
    ['[{"a":"send"},["b"]]', '/1 is not an object.'],
    ['[{"a":"write"}]', '/0/a is not one of send, receive, sendAndReceive.'],
    ['[{"a":"SEND"}]', '/0/a is not one of send, receive, sendAndReceive.'],
    ['[{"a":"send"},{"b":1}]', '/1/b is not one of send, receive, sendAndReceive.'],
    ['[{"a":"send"},{"a":"send"}]', '/1/a names a workspace twice.'],
  ])('%s is not, and the problem says why', (text, problem) => {
    expect(parseWorkspaceAccess(JSON.parse(text))).toEqual({ problems: [problem] })
  })
})
