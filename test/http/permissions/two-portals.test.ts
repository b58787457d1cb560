import { type Endpoint, kindOf } from '../../../src/http/endpoints/endpoint.ts'
import { endpointTable } from '../../../src/http/endpoints/table.ts'
import { seededRandom } from '../../support/inputs/seeded-random.ts'
import { countOf, timeoutOf } from '../../support/length.ts'
import { hostCollaboration } from '../../support/portal/collaboration-host.ts'
import { type Client, formEncode, type TestPortal } from '../../support/portal/portal.ts'
import { expect, test } from '../../support/portal/test.ts'
import { Draw } from '../../support/search/random-items.ts'

const requests = countOf({ sample: 600, long: 10_000 })

/** Part of every private text of the first organization. Requests have only its beginning, so that no echo has it. */
const marker = 'Zq7Unseen'
const beginning = 'zq7unse'

/** Names of ids in paths, each with those of both organizations. */
type Ids = Readonly<Record<string, readonly string[]>>

const schema = { categorySchema: [{ title: `${marker} themes`, categories: [{ title: `${marker} water` }] }] }

/** Everything that has texts, private, shared and of the organization. */
async function fill(client: Client, text: string) {
  const { id: portalId } = await client.get('/portals/self')
  const { username } = await client.get('/community/self')
  await client.post(`/community/users/${username}/update`, { description: text, tags: text })
  await client.post('/portals/self/update', { description: text })
  const roleId = await client.createRole(`${text} role`, ['portal:user:createGroup'])
  await client.post('/portals/self/assignCategorySchema', { categorySchema: schema })
  await client.post('/portals/self/categorySchemaTemplates', { name: 'themes', title: text, from: 'org' })
  const groups: string[] = []
  for (const access of ['private', 'org']) {
    const { id } = await client.createGroup(`${text} group`, { access, description: text, snippet: text, tags: text })
    await client.post(`/community/groups/${id}/assignCategorySchema`, { categorySchema: schema })
    groups.push(id)
  }
  const items: string[] = []
  for (const [at, sharing] of [{}, { org: 'true' }, { groups: groups.join() }].entries()) {
    const given = { title: `${text} ${at}`, type: `${text} Map`, snippet: text, description: text, tags: text, text }
    const categories = JSON.stringify([`/${marker} themes/${marker} water`])
    const { id } = await client.post(`/content/users/${username}/addItem`, { ...given, categories })
    await client.post(`/content/users/${username}/items/${id}/share`, sharing)
    items.push(id)
  }
  return { portalId, username, roleId, groups, items }
}

/** A query for what the text begins with, by words, fields, groups and owners. */
function drawQuery(draw: Draw, ids: Ids): string {
  const id = (name: string) => draw.one(ids[name]!)
  const clauses = [
    `${beginning}*`,
    `title:${beginning}*`,
    `tags:${beginning}* OR description:${beginning}*`,
    `type:"${beginning} map"`,
    `owner:${id('username')}`,
    `group:${id('groupId')}`,
    `id:${id('itemId')} OR id:${id('groupId')}`,
    `orgid:${id('portalId')}`,
    'access:private OR access:org OR access:shared',
    'categories:*',
    '-categories:*',
    '*',
    `NOT owner:${id('username')}`,
    `fullname:${beginning}* OR username:${id('username')}`,
  ]
  return draw
    .some(3, () => draw.one(clauses))
    .map((clause) => `(${clause})`)
    .join(draw.one([' OR ', ' AND ']))
}

function drawParameters(draw: Draw, row: Endpoint, ids: Ids): Record<string, string> {
  const drawn: Record<string, string> = {}
  for (const [name, { type }] of Object.entries(row.parameters)) {
    if (type === 'file') continue
    const example = row.example.parameters?.[name]
    if (name === 'q' || name === 'filter') drawn[name] = drawQuery(draw, ids)
    else if (name === 'countFields') drawn[name] = 'tags,type,categories'
    else if (name === 'num') drawn[name] = '100'
    else if (/user|owner/i.test(name)) drawn[name] = draw.one(ids.username!)
    else if (/group/i.test(name)) drawn[name] = draw.one(ids.groupId!)
    else if (name === 'items') drawn[name] = draw.one(ids.itemId!)
    else if (example !== undefined && draw.once(2)) drawn[name] = example
  }
  return drawn
}

async function send(portal: TestPortal, client: Client, draw: Draw, row: Endpoint, ids: Ids): Promise<string> {
  const path = row.path.replace(/:(\w+)/g, (_whole, name: string) => draw.one(ids[name] ?? ['self']))
  const parameters = { ...drawParameters(draw, row, ids), f: draw.one(['json', 'pjson', 'html']) }
  const method = kindOf(row) === 'resource' && draw.once(2) ? 'GET' : 'POST'
  const encoded = formEncode(parameters).toString()
  const response = await portal.inject({
    method,
    url: method === 'GET' ? `${path}?${encoded}` : path,
    headers: {
      ...(client.token === undefined ? {} : { 'x-esri-authorization': `Bearer ${client.token}` }),
      ...(method === 'GET' ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
    },
    ...(method === 'GET' ? {} : { payload: encoded }),
  })
  return `${method} ${path} ${JSON.stringify(parameters)}\n${JSON.stringify(response.headers)}\n${response.body}`
}

test(
  'no request of one organization shows a byte of what is private to another one in the same database',
  async ({ portal, admin }) => {
    await admin.invite('inside')
    await admin.post('/community/users/inside/update', { fullName: `${marker} Person`, description: marker })
    const first = await fill(admin, marker)
    const hosted = await hostCollaboration(portal)
    await hosted.client.post(`${hosted.path}/updateInfo`, { description: marker })
    const outsider = await portal.otherOrganization()
    await outsider.post('/portals/self/assignCategorySchema', {
      categorySchema: { categorySchema: [{ title: 'Region', categories: [] }] },
    })
    const { id: ownGroup } = await outsider.createGroup('Own', { access: 'org' })
    const { username, id: ownItem } = {
      ...(await outsider.get('/community/self')),
      ...(await outsider.post('/content/users/outsider/addItem', { title: 'Own', type: 'Web Map' })),
    }
    const { id: ownPortal } = await outsider.get('/portals/self')
    const member = await outsider.invite('neighbour')
    const foreign: Ids = {
      portalId: [first.portalId],
      username: [first.username, 'inside'],
      roleId: [first.roleId],
      templateName: ['themes'],
      groupId: first.groups,
      itemId: first.items,
      collaborationId: [hosted.path.split('/').at(-1)!],
      workspaceId: [hosted.workspaceId],
    }
    const own: Ids = {
      portalId: [ownPortal, 'self'],
      username: [username, 'neighbour'],
      groupId: [ownGroup],
      itemId: [ownItem],
    }
    const all = Object.fromEntries(Object.entries(foreign).map(([name, ids]) => [name, [...ids, ...(own[name] ?? [])]]))
    const draw = new Draw(seededRandom(7))
    const callers = [outsider, outsider, member, portal.anonymous]
    // Changes name what is of the first organization, so that the callers stay who they are.
    const rows = endpointTable.filter(
      ({ room, effect, path }) => room !== 'tokens' && (effect !== 'change' || path.includes(':')),
    )
    const seen = await send(portal, admin, draw, endpointTable.find(({ id }) => id === 'readItem')!, foreign)
    expect(seen).toContain(marker)
    expect(await admin.get('/search', { q: `${beginning}*` })).toMatchObject({ total: 3 })
    expect(await admin.get('/community/groups', { q: `${beginning}*` })).toMatchObject({ total: 2 })
    for (let number = 0; number < requests; number += 1) {
      const row = draw.one(rows)
      const exchanged = await send(portal, draw.one(callers), draw, row, row.effect === 'change' ? foreign : all)
      expect(exchanged.toLowerCase().includes(marker.toLowerCase()) ? exchanged : '').toBe('')
    }
    for (const client of [outsider, member]) {
      for (const path of ['/search', '/community/groups', '/community/users']) {
        expect(await client.get(path, { q: `${beginning}*` }), path).toMatchObject({ total: 0 })
      }
    }
  },
  timeoutOf(requests, 100),
)
