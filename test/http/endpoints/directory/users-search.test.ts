import { refused } from '../../../support/portal/envelopes.ts'
import { type Client, type Parameters, startPortal, type TestPortal } from '../../../support/portal/portal.ts'
import { describe, expect, test } from '../../../support/portal/test.ts'

/** Three users beside the administrator; one is private, one disabled. */
async function people(portal: TestPortal): Promise<{ readonly admin: Client; readonly anna: Client }> {
  const admin = await portal.admin()
  const anna = await admin.invite('anna')
  for (const username of ['bert', 'carla']) await admin.invite(username, 'org_viewer')
  await admin.post('/community/users/anna/update', { fullName: 'Anna Åkerman', email: 'anna@maps.example' })
  await admin.post('/community/users/bert/update', { fullName: 'Bert Akerman', email: 'bert@maps.example' })
  await admin.post('/community/users/carla/update', { fullName: 'Carla Berg', access: 'private' })
  await admin.post('/community/users/bert/disable')
  return { admin, anna }
}

async function names(client: Client, parameters: Parameters, path = '/community/users'): Promise<readonly string[]> {
  const answer = await client.get(path, parameters)
  expect(answer).toHaveProperty('results')
  expect(answer.total).toBe(answer.results.length)
  return answer.results.map(({ username }: { username: string }) => username)
}

test('users are found by words, fields and the organization', async ({ portal }) => {
  const { admin } = await people(portal)
  const { id } = await admin.get('/portals/self')
  const { id: annasId } = await admin.get('/community/users/anna')
  const found: readonly (readonly [string, readonly string[]])[] = [
    ['', ['admin', 'anna', 'bert', 'carla']],
    [`akerman accountid:${id}`, ['anna', 'bert']],
    ['username:ber* OR fullname:"carla berg"', ['bert', 'carla']],
    [`id:(${annasId} OR ffffffffffffffffffffffffffffffff)`, ['anna']],
    ['role:org_viewer NOT username:bert', ['carla']],
    ['disabled:true', ['bert']],
  ]
  for (const [q, usernames] of found) {
    expect(await names(admin, { q }), q).toEqual(usernames)
    expect(await names(admin, { q }, `/portals/${id}/users/search`), q).toEqual(usernames)
  }
  expect(await names(admin, { q: 'akerman', filter: 'username:"bert"' })).toEqual(['bert'])
})

describe('a member who sees no personal details', () => {
  test('finds no private user but themselves, and others neither by e-mail address nor by disabled', async () => {
    await using portal = await startPortal()
    const { anna } = await people(portal)
    expect(await names(anna, { q: '' })).toEqual(['admin', 'anna', 'bert'])
    expect(await names(anna, { q: 'carla' })).toEqual([])
    expect(await names(anna, { q: 'email:anna@maps.example' })).toEqual(['anna'])
    expect(await names(anna, { q: 'email:bert@maps.example OR disabled:true' })).toEqual([])
    expect(await names(anna, { q: '-email:bert@maps.example -disabled:true' })).toEqual(['admin', 'anna', 'bert'])
  })

  test('reads none of them', async ({ portal }) => {
    const { anna } = await people(portal)
    const { results } = await anna.get('/community/users', { q: 'akerman' })
    expect(results).toMatchObject([{ email: 'anna@maps.example', disabled: false }, { username: 'bert' }])
    expect(results[1]).not.toHaveProperty('email')
    expect(results[1]).not.toHaveProperty('disabled')
  })
})

test('users of another organization are not found', async ({ portal }) => {
  await people(portal)
  const outsider = await portal.otherOrganization()
  expect(await names(outsider, { q: 'anna OR bert OR akerman' })).toEqual([])
})

test('in the order that is given, which their pages keep', async ({ portal }) => {
  const { admin } = await people(portal)
  const page = { q: '', num: '3', sortField: 'fullName', sortOrder: 'desc', excludeSystemUsers: 'true' }
  const first = await admin.get('/community/users', page)
  const second = await admin.post('/community/users', { ...page, start: '4' })
  const order = [...first.results, ...second.results].map(({ fullName }) => fullName)
  expect(order).toEqual(order.toSorted().toReversed())
  expect(new Set(order).size).toBe(4)
})

test('what is not understood is refused', async ({ portal }) => {
  const { admin } = await people(portal)
  for (const path of ['/community/users', '/portals/self/users/search']) {
    expect(await admin.get(path, { q: '(' })).toEqual(
      refused('search users', 'q: the bracket at character 1 is not closed.'),
    )
  }
})

test('the list of users has those who are asked for, by what the caller sees of them', async ({ portal }) => {
  const { admin, anna } = await people(portal)
  const names = async (client: Client, asked: Record<string, string>) => {
    const { total, users, warnings } = await client.get('/portals/self/users', asked)
    expect(warnings).toBeUndefined()
    return [total, ...users.map(({ username }: { username: string }) => username)]
  }
  for (const client of [admin, anna]) {
    expect(await names(client, { username: 'ANN' })).toEqual([1, 'anna'])
    expect(await names(client, { fullname: 'bert ak', firstname: 'x', username: 'a' })).toEqual([
      3,
      'admin',
      'anna',
      'bert',
    ])
    expect(await names(client, { fullname: 'anna', lastname: 'x', filterIntersection: 'true' })).toEqual([0])
    expect(await names(client, { provider: 'google' })).toEqual([0])
  }
  expect(await names(admin, { username: ' ', email: '' })).toEqual([4, 'admin', 'anna', 'bert', 'carla'])
  expect(await names(anna, { username: 'carla' })).toEqual([0])
  expect(await names(admin, { email: 'BERT@' })).toEqual([1, 'bert'])
  expect(await names(anna, { email: 'bert@' })).toEqual([0])
  expect(await names(anna, { email: 'anna@' })).toEqual([1, 'anna'])
  expect(await names(admin, { provider: 'ArcGIS', username: 'b' })).toEqual([1, 'bert'])
  expect(await names(anna, { provider: 'arcgis' })).toEqual([1, 'anna'])
})
