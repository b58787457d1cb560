import { describe, expect, test } from 'vitest'
import { refused } from '../../../../support/portal/envelopes.ts'
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

test.each([
  ['', groups.map(([title]) => title)],
  ['*', groups.map(([title]) => title)],
  ['land', ['Land cover', 'Land use']],
  ['LAND', ['Land cover', 'Land use']],
  ['and', ['Land cover', 'Land use']],
  ['land use', ['Land use']],
  ['land AND use', ['Land use']],
  ['"land use"', ['Land use']],
  ['"use land"', []],
  ['woods', ['Land use']],
  ['soil', ['Land use']],
  ['bedeckt', ['Land cover']],
  ['title:land', ['Land cover', 'Land use']],
  ['Title:LAND', ['Land cover', 'Land use']],
  ['title:land*', ['Land cover', 'Land use']],
  ['*cover', ['Land cover']],
  ['title:*', groups.map(([title]) => title)],
  ['title:"land use"', ['Land use']],
  ['title:woods', []],
  ['title:étude', ['Étude des eaux']],
  ['title:ÉTUDE', ['Étude des eaux']],
  ['éTUDE', ['Étude des eaux']],
  ['tags:land', ['Land cover', 'Land use']],
  ['tags:lan', []],
  ['tags:öl', ['Land cover']],
  ['tags:ÖL', ['Land cover']],
  ['tags:land tags:soil', ['Land use']],
  ['access:org', ['Land cover']],
  ['access:PUBLIC', ['100% water']],
  ['owner:admin title:lakes', ['100 lakes']],
  ['owner:ADMIN title:lakes', ['100 lakes']],
  ['owner:adm', []],
  ['owner:nobody', []],
  ['100%', ['100% water']],
  ['%', ['100% water']],
  ['a_b', ['100 lakes']],
  ['_', ['100 lakes', '100% water']],
  ['h_o', ['100% water']],
  ['tags:h_o', ['100% water']],
  ['\\', ['back\\slash']],
  ["'", []],
  ["' or 1=1 --", undefined],
  ['id:ffffffffffffffffffffffffffffffff', []],
  ['orgid:nowhere', []],
  ['orgid:__proto__', []],
])('q=%j', async (q, found) => {
  await using portal = await startPortal()
  const admin = await library(portal)
  if (found) expect(await titles(admin, { q })).toEqual([...found].sort(byLowerCase))
  else expect(await admin.get('/community/groups', { q })).toHaveProperty('error.code', 400)
})

/** As the search sorts titles. */
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

describe('refused rather than misread', () => {
  const notUnderstood = (word: string) =>
    `q: ${word} is not understood; give words and field:value pairs, all of which must match.`
  test.each([
    ['a OR b', notUnderstood('OR')],
    ['NOT a', notUnderstood('NOT')],
    ['-a', notUnderstood('-a')],
    ['+a', notUnderstood('+a')],
    ['!a', notUnderstood('!a')],
    ['(a', notUnderstood('(a')],
    ['a(b)', notUnderstood('a(b)')],
    ['title:(a', notUnderstood('(a')],
    ['owner:an*', notUnderstood('an*')],
    ['tags:wat*', notUnderstood('wat*')],
    ['wa*er', notUnderstood('wa*er')],
    ['"a', 'q: a quotation mark is not closed.'],
    ['title:"a b', 'q: a quotation mark is not closed.'],
    ['password:x', 'q: the field password is not searched; fields are id, title, owner, tags, access, orgid.'],
    ['constructor:x', 'q: the field constructor is not searched; fields are id, title, owner, tags, access, orgid.'],
  ])('q=%j', async (q, problem) => {
    await using portal = await startPortal()
    expect(await portal.anonymous.get('/community/groups', { q })).toEqual(refused('search groups', problem))
  })

  test('11 terms, not 10', async () => {
    await using portal = await startPortal()
    const q = (count: number) => Array.from({ length: count }, (_, term) => `w${term}`).join(' ')
    expect(await portal.anonymous.get('/community/groups', { q: q(10) })).toMatchObject({ total: 0 })
    expect(await portal.anonymous.get('/community/groups', { q: q(11) })).toEqual(
      refused('search groups', 'q: 11 terms; at most 10 are allowed.'),
    )
  })

  test('a term of 101 characters, not 100; and 1,001 characters, not 1,000', async () => {
    await using portal = await startPortal()
    const search = (q: string) => portal.anonymous.post('/community/groups', { q })
    const terms = Array.from({ length: 10 }, () => 'x'.repeat(99)).join(' ')
    expect(await search('x'.repeat(100))).toMatchObject({ total: 0 })
    expect(await search('x'.repeat(101))).toEqual(refused('search groups', 'q: a term is longer than 100 characters.'))
    expect(await search(`${terms} `)).toMatchObject({ total: 0 })
    expect(await search(`${terms}  `)).toEqual(
      refused('search groups', 'q: has 1001 characters; at most 1000 are allowed.'),
    )
  })

  test.each([
    ['sortField', 'views'],
    ['sortOrder', 'up'],
    ['start', '0'],
    ['start', 'x'],
    ['num', '-1'],
  ])('%s=%s', async (name, value) => {
    await using portal = await startPortal()
    const { error } = await portal.anonymous.get('/community/groups', { [name]: value })
    expect(error).toMatchObject({ code: 400, message: 'Unable to search groups.' })
    expect(error.details).toEqual([expect.stringMatching(`^${name}: `)])
  })
})

test('quoted text means itself, whatever is in it', async () => {
  await using portal = await startPortal()
  const admin = await portal.admin()
  for (const title of ['Plan (draft)', 'a OR b', 'say title:x', '-5 degrees', 'five * stars']) {
    await admin.createGroup(title)
    expect(await titles(admin, { q: `"${title}"` })).toEqual([title])
  }
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
