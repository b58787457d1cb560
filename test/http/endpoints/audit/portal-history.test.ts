import { readCsv } from '../../../support/inputs/read-csv.ts'
import { refused } from '../../../support/portal/envelopes.ts'
import {
  type Body,
  type Client,
  type Parameters,
  startOfTests,
  startPortal,
  type TestPortal,
} from '../../../support/portal/portal.ts'
import { describe, expect, test } from '../../../support/portal/test.ts'

const history = '/portals/self/history'

/** Sends the parameters in a POST, as the Python client does, and answers the text. */
const ask = ({ anonymous }: TestPortal, { token }: Client, parameters: Parameters) =>
  anonymous.send(history, { form: { ...parameters, token: token! } })

const outlineOf = ({ items }: Body): string[] =>
  items.map(({ actor, data }: Body) => `${actor} ${data.operation} ${data.outcome}`)

/** A few things that are done and refused, a second after each other. */
async function openWorld() {
  const portal = await startPortal()
  const admin = await portal.admin()
  const anna = await portal.user('anna')
  portal.clock.now += 1_000
  const { id: groupId } = await anna.createGroup('Maps')
  portal.clock.now += 1_000
  await admin.post(`/community/groups/${groupId}/update`, { snippet: 'of the coast' })
  portal.clock.now += 1_000
  await anna.post('/portals/self/update', { name: 'Mine' })
  portal.clock.now += 1_000
  await admin.post('/portals/self/update', { name: 'Ministry of Seas' })
  portal.clock.now += 1_000
  await portal.anonymous.post('/generateToken', { username: 'anna', password: 'not hers' })
  return { portal, admin, anna, groupId, [Symbol.asyncDispose]: () => portal[Symbol.asyncDispose]() }
}

describe('each parameter chooses entries', () => {
  const groupEntries = ['admin updateGroup success', 'anna createGroup success']
  const refusals = ['anna generateToken refused', 'anna updatePortal refused']
  const portalEntries = ['admin updatePortal success', 'anna updatePortal refused']
  const cases: readonly [string, Parameters, readonly string[]][] = [
    ['none: what was done to the organization', {}, [...portalEntries, 'admin createPortal success']],
    ['types', { types: 'g,a', num: 4 }, [...portalEntries, ...groupEntries]],
    ['sortOrder', { types: 'g', sortOrder: 'asc' }, groupEntries.toReversed()],
    [
      'actors',
      { all: true, actors: 'anna', actions: 'update,create,failedlogin' },
      ['anna generateToken refused', 'anna updatePortal refused', 'anna createGroup success'],
    ],
    ['actions: a word of the public API', { all: true, actions: 'failedlogin' }, ['anna generateToken refused']],
    ['actions: the name of an operation', { all: true, actions: 'updateGroup' }, ['admin updateGroup success']],
    [
      'without, which keeps refusals',
      { types: 'a,g', without: 'update,createPortal' },
      ['anna updatePortal refused', 'anna createGroup success'],
    ],
    ['outcome', { all: true, outcome: 'refused' }, ['anna generateToken refused', 'anna updatePortal refused']],
    [
      'fromDate',
      { all: true, fromDate: startOfTests + 4_000 },
      ['anna generateToken refused', 'admin updatePortal success'],
    ],
    [
      'fromDate and toDate in quotes',
      { all: true, fromDate: `"${iso(1_000)}"`, toDate: `"${iso(2_000)}"` },
      groupEntries,
    ],
    ['ips', { types: 'g', ips: '192.0.2.1,127.0.0.1' }, groupEntries],
    ['q', { all: true, q: 'ANNA updateportal' }, ['anna updatePortal refused']],
    [
      'q whose words mean operations to a reader',
      { all: true, q: 'anna Gründen', meanings: 'gründen:createGroup,gründen:updateGroup,other:updatePortal' },
      ['anna createGroup success'],
    ],
    ['q whose word means an outcome', { all: true, q: 'anna Nein', meanings: 'Nein:refused,Ja:success' }, refusals],
    ['q: the beginning of a word of a title', { all: true, q: 'map' }, groupEntries],
    [
      'meanings without the word in q',
      { all: true, q: 'ANNA updateportal', meanings: 'x:createGroup' },
      ['anna updatePortal refused'],
    ],
    ['owners', { all: true, owners: 'anna' }, ['admin updateGroup success']],
    ['start=0', { types: 'g', start: 0 }, groupEntries],
  ]
  test.each(cases)('%s', async (_name, parameters, expected) => {
    await using world = await openWorld()
    expect(outlineOf(await world.admin.get(history, parameters))).toEqual(expected)
  })

  test('id', async () => {
    await using world = await openWorld()
    expect(outlineOf(await world.admin.get(history, { all: true, id: world.groupId }))).toEqual(groupEntries)
  })
})

test('whom and what the log shows by name is found by the beginnings of its words', async () => {
  await using world = await openWorld()
  const { portal, admin, anna } = world
  await anna.post('/content/users/anna/addItem', { title: 'Water levels', type: 'Web Map' })
  await admin.post('/community/users/anna/update', { fullname: "Zoë O'Brien" })
  const outsider = await portal.otherOrganization()
  await outsider.createGroup('Brienz')
  const find = async (q: string, types = 'a,g,i,u') => outlineOf(await admin.get(history, { types, q }))
  expect(await find('zoe BRI', 'a')).toEqual(['anna updatePortal refused'])
  expect(await find("o'brien", 'u')).toContain('admin updateUser success')
  expect(await find('leve wat')).toEqual(['anna addItem success'])
  expect(await find('evels')).toEqual([])
  expect(outlineOf(await outsider.get(history, { types: 'a,g,u', q: 'brien' }))).toEqual([
    'outsider createGroup success',
  ])
})

function iso(after: number): string {
  return new Date(startOfTests + after).toISOString()
}

test('an entry has the names of what still exists, and that of a refusal its code', async () => {
  await using world = await openWorld()
  const { items } = await world.admin.get(history, { types: 'g', num: 1 })
  expect(items).toMatchObject([{ itemTitle: 'Maps', orgName: 'Ministry of Seas', owner: 'anna', actor: 'admin' }])
  const [refusal] = (await world.admin.get(history, { outcome: 'refused' })).items
  expect(refusal.data).toEqual({ operation: 'updatePortal', outcome: 'refused', error: 403 })
})

describe('pages', () => {
  async function readPages(
    { admin }: Awaited<ReturnType<typeof openWorld>>,
    parameters: Parameters,
    between: () => Promise<unknown>,
  ): Promise<readonly string[]> {
    const found: string[] = []
    let start: string | undefined
    while (true) {
      const page = await admin.get(history, { ...parameters, ...(start && { start }) })
      found.push(...page.items.map(({ reqId }: Body) => reqId))
      if (page.nextKey === null) return found
      start = page.nextKey
      await between()
    }
  }

  test.each(['asc', 'desc'])('%s: nothing is left out or comes twice while others write', async (sortOrder) => {
    await using world = await openWorld()
    const parameters = { all: true, sortOrder, num: 3 }
    const before = await readPages(world, parameters, async () => undefined)
    let writes = 0
    const found = await readPages(world, parameters, async () => {
      if (writes === 4) return
      writes += 1
      await world.anna.createGroup(`Group ${writes}`)
    })
    expect(writes).toBeGreaterThan(2)
    expect(new Set(found).size).toBe(found.length)
    expect(found.slice(0, before.length)).toEqual(before)
    expect(found).toHaveLength(sortOrder === 'asc' ? before.length + writes : before.length)
  })

  test('a key is refused if it is altered, or of another filter, order or organization', async () => {
    await using world = await openWorld()
    const { portal, admin } = world
    const parameters = { all: true, num: 2 }
    const { nextKey } = await admin.get(history, parameters)
    const { items } = await admin.get(history, { ...parameters, start: nextKey })
    expect(items).toHaveLength(2)
    const foreign = refused(
      'list history',
      'start: is not a nextKey of this organization with this filter and this sortOrder.',
    )
    const [portalId, number, digest] = JSON.parse(Buffer.from(nextKey, 'base64url').toString())
    const forge = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url')
    const changed: readonly Parameters[] = [
      { start: forge(portalId, number + 1, digest) },
      { start: forge(portalId, number, `${digest.slice(0, -1)}${digest.endsWith('A') ? 'E' : 'A'}`) },
      { start: forge(portalId, number, '') },
      { start: `${nextKey}=` },
      { start: nextKey.slice(0, -2) },
      { start: '2' },
      { start: 'null' },
      { start: nextKey, sortOrder: 'asc' },
      { start: nextKey, all: false },
      { start: nextKey, actors: 'anna' },
      { start: nextKey, owners: 'anna' },
    ]
    for (const change of changed) {
      expect(await admin.get(history, { ...parameters, ...change }), JSON.stringify(change)).toEqual(foreign)
    }
    const outsider = await portal.otherOrganization()
    expect(await outsider.get(history, { ...parameters, start: nextKey })).toEqual(foreign)
    expect((await admin.get(history, { ...parameters, num: 5, start: nextKey })).items).toHaveLength(5)
  })
})

test('organizations never see the entries of each other', async ({ admin, outsider }) => {
  const { id } = await admin.createGroup('Maps')
  await outsider.post(`/community/groups/${id}/delete`)
  await outsider.createGroup('Seas')
  const own = await admin.get(history, { all: true, num: 100 })
  expect(own.items.map(({ actor }: Body) => actor)).not.toContain('outsider')
  const others = await outsider.get(history, { all: true, types: 'g' })
  expect(outlineOf(others)).toEqual(['outsider createGroup success', 'outsider deleteGroup refused'])
  // Nor are titles of the others' items shown.
  expect(others.items[1]).toMatchObject({ id, itemTitle: null })
})

test('a token in the place of an id does not come into the log', async ({ admin, anna }) => {
  for (const path of [`/community/groups/${anna.token}/delete`, `/community/users/token=${anna.token}/update`]) {
    await anna.post(path)
  }
  const { items } = await admin.get(history, { actors: 'anna', types: 'g,u', outcome: 'refused' })
  expect(items.map(({ request }: Body) => request)).toEqual([
    '/community/users/token=…/update',
    '/community/groups/…/delete',
  ])
})

describe('files', () => {
  const columns =
    'id,itemTitle,idType,orgId,orgName,owner,ownerFullName,actor,actorFullName,ip,action,created_utc,request,reqId,clientId,data,outcome'

  test('the Python client gets every entry as CSV, which spreadsheets read as text', async () => {
    await using world = await openWorld()
    const { portal, admin } = world
    await admin.post('/portals/self/update', { name: '=1+1, "all"' })
    const response = await ask(portal, admin, { all: 'True', num: 10000, sortOrder: 'desc', f: 'csv' })
    expect(response.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="history.csv"',
    })
    expect(response.headers).not.toHaveProperty('x-next-key')
    expect(response.body.startsWith(`\ufeff${columns}\r\n`)).toBe(true)
    const [head, ...rows] = readCsv(response.body.slice(1))
    const { items } = await admin.get(history, { all: true, num: 100 })
    expect(rows).toHaveLength(items.length)
    for (const [at, row] of rows.entries()) {
      const cells = Object.fromEntries(row.map((cell, column) => [head![column], cell]))
      // The public log has no column for what this server adds.
      const { created, data, revertId: _, ...entry } = items[at]
      expect(cells).toEqual({
        ...Object.fromEntries(Object.entries(entry).map(([name, value]) => [name, value ?? ''])),
        orgName: '\'=1+1, "all"',
        created_utc: new Date(created).toISOString(),
        data: JSON.stringify(data),
        outcome: data.outcome,
      })
      for (const cell of row) expect(cell).not.toMatch(/^[=+\-@\t\r]/)
    }
  })

  test('the key of the next file is in a header', async () => {
    await using world = await openWorld()
    const { portal, admin } = world
    const parameters = { all: true, f: 'ndjson', num: 4 }
    const first = await ask(portal, admin, parameters)
    const second = await ask(portal, admin, { ...parameters, start: String(first.headers['x-next-key']) })
    const lines = [first, second].flatMap(({ body }) => body.trimEnd().split('\n'))
    const { items } = await admin.get(history, { all: true, num: 8 })
    expect(lines.map((line) => JSON.parse(line))).toEqual(items)
  })
})

test('the page of the organization leads to its log, whose page shows everything, with a form and the next page', async () => {
  await using world = await openWorld()
  const { portal, admin } = world
  const show = async (path: string) => (await admin.send(path, { headers: { accept: 'text/html' } })).body
  expect(await show('/portals/self')).toContain(`href="${portal.base}/portals/self/history"`)
  const page = await show(`${history}?num=2&q=anna`)
  expect(page).toContain('<input type="text" id="parameter-actors" name="actors"')
  expect(page).toContain('value="anna"')
  expect(page).toContain('failedlogin')
  const [, next] = /rel="next" href="([^"]+)"/.exec(page) ?? []
  expect(await show(next!.replaceAll('&amp;', '&').replace(portal.base, ''))).toContain('createGroup')
})
