import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { permissionDenied, refused } from '../../../../support/portal/envelopes.ts'
import { type Client, type Parameters, startPortal, type TestPortal } from '../../../../support/portal/portal.ts'

async function titles(client: Client, parameters: Parameters): Promise<readonly string[]> {
  const answer = await client.get('/community/groups', parameters)
  expect(answer).toHaveProperty('results')
  return answer.results.map(({ title }: { title: string }) => title)
}

const groups = [
  ['Land use', { tags: 'land,soil', snippet: 'Who uses what', description: 'Fields and woods' }],
  ['Land cover', { tags: 'land,Öl', snippet: 'Was das Land bedeckt', access: 'org' }],
  ['Étude des eaux', { tags: 'eau', description: 'Wasser' }],
  ['100% water', { tags: 'water,h_o', access: 'public' }],
  ['100 lakes', { tags: 'water,h2o', snippet: 'a_b' }],
  ['back\\slash', { tags: 'axb' }],
] as const

async function library(portal: TestPortal): Promise<Client> {
  const admin = await portal.admin()
  for (const [title, parameters] of groups) {
    await admin.createGroup(title, parameters)
    portal.clock.now += 1000
  }
  return admin
}

const all = groups.map(([title]) => title)

/** Portal for tests that only search. */
let shared: TestPortal
let librarian: Client

beforeAll(async () => {
  shared = await startPortal()
  librarian = await library(shared)
})
afterAll(() => shared[Symbol.asyncDispose]())

test.each([
  ['', all],
  ['*', all],
  [' accountid:PORTAL', all],
  ['accountid:ffffffffffffffff', []],
  ['land', ['Land cover', 'Land use']],
  ['LAND', ['Land cover', 'Land use']],
  ['lan*', ['Land cover', 'Land use']],
  ['lan', []],
  ['land use', ['Land use']],
  ['land AND use', ['Land use']],
  ['"land use"', ['Land use']],
  ['"use land"', []],
  ['woods', ['Land use']],
  ['bedeckt', ['Land cover']],
  ['Title:LAND', ['Land cover', 'Land use']],
  ['title:woods', []],
  ['title:etude', ['Étude des eaux']],
  ['tags:ÖL', ['Land cover']],
  ['tags:land tags:soil', ['Land use']],
  ['tags:land -tags:soil', ['Land cover']],
  ['access:PUBLIC', ['100% water']],
  ['owner:ADMIN title:lakes', ['100 lakes']],
  ['owner:adm', []],
  ['woods OR lakes', ['Land use', '100 lakes']],
  ['NOT water NOT land', ['Étude des eaux', 'back\\slash']],
  ['* AND owner:admin', all],
  ['* AND owner:nobody', []],
  [
    '(title:"land use" AND owner:admin) OR (title:"100 lakes" AND owner:admin) OR (title:"100 lakes" AND owner:x)',
    ['Land use', '100 lakes'],
  ],
  ['isinvitationonly:true -access:private', ['Land cover', '100% water']],
  ['isopendata:true', []],
  ['typekeywords:x', []],
  ["' or 1=1 --", []],
  ['orgid:__proto__', []],
])('q=%j', async (q, found) => {
  const { id } = await librarian.get('/portals/self')
  expect(await titles(librarian, { q: q.replace('PORTAL', id) })).toEqual([...found].sort(byLowerCase))
})

/** Compares titles in the order of the search. */
function byLowerCase(one: string, other: string): number {
  return one.toLowerCase() < other.toLowerCase() ? -1 : 1
}

test('a group is found by its id and by its organization', async () => {
  await using portal = await startPortal()
  const admin = await library(portal)
  const { id, orgId } = await admin.createGroup('Wanted').then((group) => admin.get(`/community/groups/${group.id}`))
  expect(await titles(admin, { q: `id:${id}` })).toEqual(['Wanted'])
  expect(await titles(admin, { q: `id:${id.toUpperCase()}` })).toEqual(['Wanted'])
  expect(await titles(admin, { q: `orgid:${orgId} title:wanted` })).toEqual(['Wanted'])
})

test('several ids find each of their groups in one search', async () => {
  await using portal = await startPortal()
  const admin = await portal.admin()
  const [a, b, c] = [await admin.createGroup('A'), await admin.createGroup('B'), await admin.createGroup('C')]
  expect(await titles(admin, { q: `id:(${a.id} OR ${c.id})` })).toEqual(['A', 'C'])
  expect(await titles(admin, { q: `id:${a.id} OR id:${b.id}` })).toEqual(['A', 'B'])
  expect(await titles(admin, { q: `-id:(${a.id} OR ${b.id})` })).toEqual(['C'])
  await admin.post(`/community/groups/${c.id}/delete`)
  expect(await titles(admin, { q: `id:(${a.id} OR ${c.id})` })).toEqual(['A'])
})

test('filter narrows what q finds, by whole values', async () => {
  await using portal = await startPortal()
  const admin = await library(portal)
  expect(await titles(admin, { q: 'land', filter: 'title:"Land use" or title:"100 lakes"' })).toEqual(['Land use'])
  expect(await titles(admin, { filter: 'title:"land"' })).toEqual([])
})

describe('searchUserAccess', () => {
  test('finds the groups of the caller, or of a user whom an administrator names', async () => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    const [anna, bert] = [await admin.invite('anna'), await admin.invite('bert')]
    await admin.createGroup('Everybody', { access: 'org' })
    await anna.createGroup('Hers', { access: 'org' })
    await bert.createGroup('His', { access: 'private' })
    const mine = { q: '', searchUserAccess: 'groupMember' }
    expect(await titles(anna, mine)).toEqual(['Hers'])
    expect(await titles(anna, { ...mine, searchUserName: 'ANNA' })).toEqual(['Hers'])
    expect(await titles(admin, { ...mine, searchUserName: '' })).toEqual(['Everybody'])
    expect(await titles(admin, { ...mine, searchUserName: 'bert' })).toEqual(['His'])
    expect(await titles(admin, { ...mine, q: 'hers', searchUserName: 'bert' })).toEqual([])
    expect(await titles(anna, { searchUserName: 'bert' })).toEqual(['Everybody', 'Hers'])
    expect(await titles(portal.anonymous, mine)).toEqual([])
  })

  test('does not tell others which groups a user belongs to', async () => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    const anna = await admin.invite('anna')
    const ask = (client: Client, searchUserName: string) =>
      client.get('/community/groups', { searchUserAccess: 'groupMember', searchUserName })
    expect(await ask(anna, 'admin')).toEqual(permissionDenied)
    expect(await ask(anna, 'nobody')).toHaveProperty('error.code', 400)
    expect(await ask(portal.anonymous, 'admin')).toHaveProperty('error.code', 499)
  })
})

test('what has no effect is taken', async () => {
  await using portal = await startPortal()
  const admin = await library(portal)
  const parameters = { q: 'water', categoryFilters: 'x', categories: '/x', bbox: '1,2,3,4', sortField: 'avgRating' }
  expect(await titles(admin, parameters)).toEqual(['100 lakes', '100% water'])
})

describe('refused rather than misread', () => {
  test.each([
    ['(a', 'q: the bracket at character 1 is not closed.'],
    ['"a', 'q: the quotation mark at character 1 is not closed.'],
  ])('q=%j', async (q, problem) => {
    await using portal = await startPortal()
    expect(await portal.anonymous.get('/community/groups', { q })).toEqual(refused('search groups', problem))
  })

  test('a field that is not searched', async () => {
    await using portal = await startPortal()
    const { error } = await portal.anonymous.get('/community/groups', { q: 'password:x' })
    expect(error.details[0]).toBe('q: the field password at character 1 is not searched.')
  })

  test.each([
    ['sortField', 'views'],
    ['sortOrder', 'up'],
    ['searchUserAccess', 'groupOwner'],
    ['start', '-1'],
    ['start', 'x'],
    ['num', '-1'],
  ])('%s=%s', async (name, value) => {
    await using portal = await startPortal()
    const { error } = await portal.anonymous.get('/community/groups', { [name]: value })
    expect(error).toMatchObject({ code: 400, message: 'Unable to search groups.' })
    expect(error.details).toEqual([expect.stringMatching(`^${name}: `)])
  })
})

test('a page has the query, the total and where the next one begins', async () => {
  await using portal = await startPortal()
  const admin = await library(portal)
  const first = await admin.get('/community/groups', { q: 'owner:admin', num: '4' })
  expect(first).toMatchObject({ query: 'owner:admin', total: 6, start: 1, num: 4, nextStart: 5 })
  const second = await admin.get('/community/groups', { q: 'owner:admin', num: '4', start: '5' })
  expect(second).toMatchObject({ total: 6, start: 5, num: 4, nextStart: -1 })
  const ids = [...first.results, ...second.results].map(({ id }) => id)
  expect(new Set(ids).size).toBe(6)
})

test.each([
  [{ num: '6' }, 6, 6, -1],
  [{ num: '5' }, 5, 5, 6],
  [{ num: '0' }, 0, 0, -1],
  [{ num: '100' }, 100, 6, -1],
  [{ num: '101' }, 100, 6, -1],
  [{ num: '9'.repeat(30) }, 100, 6, -1],
  [{ start: '6' }, 10, 1, -1],
  [{ start: '7' }, 10, 0, -1],
  [{ start: '9007199254740991' }, 10, 0, -1],
  [{ start: '', num: '' }, 10, 6, -1],
])('the page %j', async (page, num, length, nextStart) => {
  await using portal = await startPortal()
  const answer = await (await library(portal)).get('/community/groups', page)
  expect(answer).toMatchObject({ total: 6, num, nextStart })
  expect(answer.results).toHaveLength(length)
})

test('groups come by title unless something else is wished', async () => {
  await using portal = await startPortal()
  const admin = await portal.admin()
  const anna = await admin.invite('anna')
  const make = async (client: Client, title: string) => {
    portal.clock.now += 1000
    return client.createGroup(title, { access: 'org' })
  }
  const { id } = await make(admin, 'B')
  await make(anna, 'C')
  await make(admin, 'A')
  portal.clock.now += 1000
  await admin.post(`/community/groups/${id}/update`, { snippet: 'x' })
  expect(await titles(admin, {})).toEqual(['A', 'B', 'C'])
  expect(await titles(admin, { sortOrder: 'desc' })).toEqual(['C', 'B', 'A'])
  expect(await titles(admin, { sortField: 'created' })).toEqual(['B', 'C', 'A'])
  expect(await titles(admin, { sortField: 'created', sortOrder: 'desc' })).toEqual(['A', 'C', 'B'])
  expect(await titles(admin, { sortField: 'modified', sortOrder: 'desc' })).toEqual(['B', 'A', 'C'])
  expect((await titles(admin, { sortField: 'owner', sortOrder: 'desc' }))[0]).toBe('C')
})

test('GET and POST find the same', async () => {
  await using portal = await startPortal()
  const admin = await library(portal)
  expect(await admin.post('/community/groups', { q: 'land' })).toEqual(
    await admin.get('/community/groups', { q: 'land' }),
  )
})
