import { expect, test } from 'vitest'
import { listSignIns, readAgent, type Session } from '../../../pages/src/people/you/sign-ins.ts'

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0'
const edge =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0'
const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1'

test.each([
  [firefox, { browser: 'Firefox', system: 'Linux' }],
  [edge, { browser: 'Microsoft Edge', system: 'Windows' }],
  [iphone, { browser: 'Safari', system: 'iOS' }],
  ['node', undefined],
  ['', undefined],
  [undefined, undefined],
])('%s is a browser on a system, or neither', (agent, read) => {
  expect(readAgent(agent)).toEqual(read)
})

const session = (id: string, given: Partial<Session>): Session => ({
  id,
  kind: 'browser',
  way: 'password',
  created: 1,
  expires: 100,
  current: false,
  address: '192.0.2.1',
  userAgent: firefox,
  ...given,
})

test('a browser and the built-in apps that it opened are one sign-in, which ends as one', () => {
  const app = { kind: 'app', clientId: 'cartulary' } as const
  const found = listSignIns([
    session('tab 2', { ...app, created: 9, lastUsed: 12, expires: 200, current: true }),
    session('later', { created: 7 }),
    session('tab 1', { ...app, created: 6, lastUsed: 8 }),
    session('elsewhere', { ...app, created: 6, userAgent: edge }),
    session('other app', { kind: 'app', clientId: 'robot', created: 6 }),
    session('first', { created: 5, lastUsed: 6 }),
    session('before', { ...app, created: 4 }),
  ])
  expect(
    found.map(({ sessions, isCurrent, lastUsed, expires }) => [
      sessions.map(({ id }) => id),
      isCurrent,
      lastUsed,
      expires,
    ]),
  ).toEqual([
    [['later', 'tab 2'], true, 12, 200],
    [['elsewhere'], false, undefined, 100],
    [['other app'], false, undefined, 100],
    [['first', 'tab 1'], false, 8, 100],
    [['before'], false, undefined, 100],
  ])
})
