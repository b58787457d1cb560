import { afterAll, beforeAll, describe, expect } from 'vitest'
import { permissionDenied, refused } from '../../../../support/portal/envelopes.ts'
import { type Client, type Parameters, startPortal, type TestPortal } from '../../../../support/portal/portal.ts'
import { test } from '../../../../support/portal/test.ts'

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
  [' accountid:PORTAL', all],
  ['LAND', ['Land cover', 'Land use']],
  ['lan', []],
  ['"use land"', []],
  ['tags:ÖL', ['Land cover']],
  ['title:etude', ['Étude des eaux']],
  ['access:PUBLIC', ['100% water']],
  ['NOT water NOT land', ['Étude des eaux', 'back\\slash']],
  ['(title:"land use" AND owner:admin) OR (title:"100 lakes" AND owner:x)', ['Land use']],
  ["' or 1=1 --", []],
])('q=%j', async (q, found) => {
  const { id } = await librarian.get('/portals/self')
  expect(await titles(librarian, { q: q.replace('PORTAL', id) })).toEqual([...found].sort(byLowerCase))
})

/** Compares titles in the order of the search. */
function byLowerCase(one: string, other: string): number {
  return one.toLowerCase() < other.toLowerCase() ? -1 : 1
}

test('filter narrows what q finds, by whole values', async ({ portal }) => {
  const admin = await library(portal)
  expect(await titles(admin, { q: 'land', filter: 'title:"Land use" or title:"100 lakes"' })).toEqual(['Land use'])
  expect(await titles(admin, { filter: 'title:"land"' })).toEqual([])
})

describe('searchUserAccess', () => {
  test('finds the groups of the caller, or of a user whom an administrator names', async ({ portal, admin }) => {
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

test('what has no effect is taken', async ({ portal }) => {
  const admin = await library(portal)
  const parameters = { q: 'water', categoryFilters: 'x', categories: '/x', bbox: '1,2,3,4', sortField: 'avgRating' }
  expect(await titles(admin, parameters)).toEqual(['100 lakes', '100% water'])
})

test('what is not understood is refused rather than misread', async () => {
  expect(await shared.anonymous.get('/community/groups', { q: '(a' })).toEqual(
    refused('search groups', 'q: the bracket at character 1 is not closed.'),
  )
})

test('groups come by title unless something else is wished', async ({ portal, admin, anna }) => {
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
  expect(await titles(admin, { sortField: 'modified', sortOrder: 'desc' })).toEqual(['B', 'A', 'C'])
})
