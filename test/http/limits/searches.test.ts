import { expect, onTestFinished, vi } from 'vitest'
import { startPortal } from '../../support/portal/portal.ts'
import { test } from '../../support/portal/test.ts'

const searchPaths = (groupId: string) => [
  '/community/groups',
  '/portals/self/users',
  `/community/groups/${groupId}/users`,
]

test('searches run beside reads and writes, which begin no thread for them', async () => {
  await using portal = await startPortal({ isReused: false })
  const admin = await portal.admin()
  const connections = () => portal.server.dependencies.storage.figures().connections.open
  const { id } = await admin.createGroup('Maps')
  await admin.get('/community/self')
  await admin.get(`/community/groups/${id}`)
  expect(connections()).toBe(2)
  for (const path of searchPaths(id)) {
    expect(await admin.get(path)).not.toHaveProperty('error')
    expect(connections()).toBe(3)
  }
})

test('a search sees the write that was acknowledged before it, as the caller that it changed', async ({
  admin,
  anna,
}) => {
  for (let number = 1; number <= 10; number += 1) {
    await anna.createGroup(`Group ${number}`)
    expect(await anna.get('/community/groups')).toMatchObject({ total: number })
  }
  await admin.post('/community/users/anna/disable')
  expect(await anna.get('/community/groups')).toMatchObject({ error: { code: 498 } })
})

test('searches without a token count to their network, those of members to their organization and themselves', async () => {
  await using portal = await startPortal()
  const admin = await portal.admin()
  const { id } = await admin.get('/portals/self')
  const searched = vi.spyOn(portal.server.dependencies.storage, 'search')
  onTestFinished(() => searched.mockRestore())
  for (const remoteAddress of ['2001:db8::1', '2001:db8::2:3', '192.0.2.7']) {
    await portal.server.app.inject({ url: '/sharing/rest/search?q=maps', remoteAddress })
  }
  await admin.get('/search', { q: 'maps' })
  expect(searched.mock.calls.map(([, caller]) => caller)).toEqual([
    'anonymous 2001:db8:0:0::/64',
    'anonymous 2001:db8:0:0::/64',
    'anonymous 192.0.2.7',
    expect.stringMatching(`^${id} \\S+$`),
  ])
})

const itemSearches = ['/search', '/community/groups', '/portals/self/users', '/content/groups/{group}/search']

test.each(itemSearches)(
  'a search that takes longer than it may is refused with 503, and when to ask again: %s',
  async (path) => {
    await using portal = await startPortal({ environment: { LIMIT_SEARCH_MILLISECONDS: '0' } })
    const admin = await portal.admin()
    const { id } = await admin.createGroup('Maps')
    const url = path.replace('{group}', id)
    const { statusCode, headers, body } = await portal.inject({
      url,
      headers: { authorization: `Bearer ${admin.token}` },
    })
    expect([statusCode, headers['retry-after'], JSON.parse(body)]).toEqual([
      503,
      '5',
      { error: { code: 503, message: 'The service is temporarily unavailable.', details: [] } },
    ])
    // A request that is no search is answered.
    expect(await admin.get(`/community/groups/${id}`)).toMatchObject({ title: 'Maps' })
  },
)

test('a query that looks up too much is refused by its parameter, with what it counts', async ({ admin }) => {
  const or = (count: number, word: (at: number) => string) =>
    Array.from({ length: count }, (_, at) => word(at)).join(' OR ')
  const detailsOf = async (parameters: Readonly<Record<string, string>>, path = '/search') =>
    (await admin.post(path, parameters)).error?.details
  const refused = (name: string, count: string) => [
    `${name}: looks up ${count} words and values; at most 1,024 are allowed. A word counts once for each field that it is ` +
      'searched in, and with a wildcard eight times: give fewer of them, or fields.',
  ]
  expect(await detailsOf({ q: or(170, (at) => `w${at}`) })).toBeUndefined()
  expect(await detailsOf({ q: or(171, (at) => `w${at}`) })).toEqual(refused('q', '1,026'))
  expect(await detailsOf({ q: or(21, (at) => `w${at}*`) })).toBeUndefined()
  expect(await detailsOf({ q: or(22, (at) => `w${at}*`) })).toEqual(refused('q', '1,056'))
  expect(await detailsOf({ q: or(1_000, () => 'w*') })).toBeUndefined()
  expect(await detailsOf({ filter: or(129, (at) => `owner:a${at}*b`) })).toEqual(refused('filter', '1,032'))
  expect(await detailsOf({ q: or(205, (at) => `w${at}`) }, '/community/groups')).toEqual(refused('q', '1,025'))
})
