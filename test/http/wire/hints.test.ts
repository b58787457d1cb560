import { hostCollaboration } from '../../support/portal/collaboration-host.ts'
import { refused } from '../../support/portal/envelopes.ts'
import { adminPassword, startPortal, type TestPortal } from '../../support/portal/portal.ts'
import { aSchema } from '../../support/portal/schema-builder.ts'
import { describe, expect, test } from '../../support/portal/test.ts'

const browser = 'text/html,application/xhtml+xml,*/*;q=0.8'

async function reasonsOf(portal: TestPortal, url: string, headers: Readonly<Record<string, string>> = {}) {
  const { error } = (await portal.inject({ url, headers })).json()
  return error.reasons
}

describe('405 has the methods that are allowed, in the header Allow, and a reason', () => {
  test.for([
    ['PUT', '/portals/self', 'GET, POST', 'PUT is not used here: resources take GET and POST, operations POST.'],
    ['GET', '/community/createGroup', 'POST', 'Operations are sent by POST.'],
    [
      'GET',
      '/generateToken?username=admin',
      'POST',
      'Credentials belong in the body of a POST: addresses are kept in logs and histories.',
    ],
  ] as const)('for %s %s', async ([method, url, allow, reason], { portal }) => {
    const response = await portal.server.app.inject({ method, url: `${portal.base}${url}` })
    expect(response.headers['allow']).toBe(allow)
    expect(response.json().error).toEqual({ code: 405, message: 'Method not allowed.', details: [], reasons: [reason] })
  })
})

describe('a path that nothing has', () => {
  test.for([
    ['/portal/self', '/portals/self'],
    ['/community/group/abc', '/community/groups/abc'],
    ['/community/groups/abc/assignCategorySchem', '/community/groups/abc/assignCategorySchema'],
    ['/comunity/slef', '/community/self'],
  ] as const)('is near another: %s', async ([path, meant], { portal }) => {
    const reasons = [`There is no such path; did you mean ${portal.base}${meant}?`]
    expect(await reasonsOf(portal, `${path}?f=json`)).toEqual(reasons)
    const { token } = await portal.admin()
    expect(await reasonsOf(portal, `${path}?f=json&token=${token}`)).toEqual(reasons)
  })

  test.each(['/xy', '/portals/self/nothing', `/${'community/'.repeat(100)}`])('is near none: %s', async (path) => {
    await using portal = await startPortal()
    expect(await reasonsOf(portal, path)).toEqual(['There is no such path; /portal/openapi.json lists all of them.'])
  })

  test('is outside of the API: where that is', async ({ portal }) => {
    const reasonsAt = async (url: string) => (await portal.server.app.inject(url)).json().error.reasons
    const root = 'https://maps.example.com/portal/sharing/rest'
    expect(await reasonsAt('/portals/self')).toEqual([`The API is at ${root}: try ${root}/portals/self.`])
    expect(await reasonsAt('/portal/portals/self')).toEqual([`The API is at ${root}: try ${root}/portals/self.`])
    expect(await reasonsAt('/rest/community/self')).toEqual([`The API is at ${root}: try ${root}/community/self.`])
    expect(await reasonsAt('/elsewhere')).toEqual([`The API is at ${root}.`])
  })

  test('is no page of its own, and without the application leads browsers to the directory', async () => {
    await using portal = await startPortal({ findApplication: () => undefined })
    for (const path of ['/portal/home', '/portal/docs', '/portal/sharing']) {
      const response = await portal.server.app.inject({ url: path, headers: { accept: browser } })
      expect([response.statusCode, response.headers['location']]).toEqual([302, '/portal/sharing/rest'])
      expect((await portal.server.app.inject(path)).statusCode).toBe(404)
    }
    const elsewhere = await portal.server.app.inject({ url: '/elsewhere', headers: { accept: browser } })
    expect(elsewhere.statusCode).toBe(404)
    expect(elsewhere.body).toContain('<a href="/portal/sharing/rest">')
  })
})

describe('499 says what the headers have in place of a token', () => {
  const bearer = 'a token is sent as "Bearer <token>".'

  test.for([
    ['x-esri-authorization', 'abc', `X-Esri-Authorization is not understood: ${bearer}`],
    ['authorization', 'abc', `Authorization is not understood: ${bearer}`],
    [
      'authorization',
      'Basic YTpi',
      `Authorization: Basic is not supported; post username and password to generateToken. Then ${bearer}`,
    ],
  ] as const)('%s: %s', async ([name, value, reason], { portal }) => {
    expect(await reasonsOf(portal, '/community/self', { [name]: value })).toEqual([reason])
    // Where no token is needed, a proxy may have a header for itself.
    expect((await portal.inject({ url: '/portals/self', headers: { [name]: value } })).json()).toHaveProperty('name')
  })
})

describe('403 names', () => {
  test('the privilege that is missing', async ({ admin }) => {
    const viewer = await admin.invite('viewer', 'org_viewer')
    const { error } = await viewer.post('/community/createGroup', { title: 'Maps' })
    expect(error.reasons).toEqual(['Your role does not have the privilege portal:user:createGroup.'])
    expect(error.details).toEqual([])
    const roleId = await admin.createRole('Makers', ['portal:user:createGroup'])
    const maker = await admin.invite('maker', roleId)
    const shared = await maker.post('/community/createGroup', { title: 'Maps', access: 'org' })
    expect(shared.error.reasons).toEqual(['Your role does not have the privilege portal:user:shareGroupToOrg.'])
  })

  test('who may call, where no privilege would do', async ({ admin }) => {
    const { id } = await admin.createGroup('Maps', { access: 'org' })
    const user = await admin.invite('anna')
    const { error } = await user.post(`/community/groups/${id}/assignCategorySchema`)
    expect(error.reasons).toEqual(['Who may call: Owner and managers of the group.'])
  })
})

describe('a parameter that the operation does not have', () => {
  const pageOf = async (portal: TestPortal, url: string, form: string) =>
    (await (await portal.admin()).send(url, { form })).body

  test('is named in the answer, with the one that was perhaps meant', async ({ admin }) => {
    const { warnings, group } = await admin.post('/community/createGroup', { title: 'Maps', acces: 'org', x: 'y' })
    expect(warnings).toEqual(['acces is unknown; did you mean access?', 'x is unknown.'])
    expect(group.access).toBe('private')
  })

  test('is named ten times at most, and 60 characters of it', async ({ portal }) => {
    const names = Array.from({ length: 12 }, (_, at) => [`${at}`.padEnd(61, 'x'), 'y'])
    const { warnings } = await portal.anonymous.get('/portals/self', Object.fromEntries(names))
    expect(warnings).toHaveLength(10)
    expect(warnings[1]).toBe(`${'1'.padEnd(60, 'x')}… is unknown.`)
  })

  test('is not named where it keeps a cache from answering', async ({ portal }) => {
    const caching = { _: '1', _ts: '1', ts: '1', 'dojo.preventCache': '1', '': '1' }
    expect(await portal.anonymous.get('/portals/self', caching)).not.toHaveProperty('warnings')
  })

  test('is not named where programs sign in', async ({ portal }) => {
    const given = { username: 'admin', password: adminPassword, request: 'getToken', wibble: '1' }
    expect(await portal.anonymous.post('/generateToken', given)).not.toHaveProperty('warnings')
    expect(await portal.anonymous.get('/info', { wibble: '1' })).not.toHaveProperty('warnings')
  })

  test.for([
    ['a plan', '/portals/self/categorySchema/plan', { categorySchema: aSchema({ title: 'A' }), moevs: '[]' }, 'moves'],
    ['a search', '/search', { q: 'lakes', sortFeild: 'title' }, 'sortField'],
    ['a search for groups', '/community/groups', { filtr: 'title:"x"' }, 'filter'],
    ['a search for users', '/community/users', { q: 'a', sortOder: 'asc' }, 'sortOrder'],
    ['the log', '/portals/self/history', { outcme: 'refused' }, 'outcome'],
  ] as const)('is named in the answer of %s: %j', async ([_what, path, parameters, meant], { portal }) => {
    const answer = await (await portal.admin()).post(path, parameters)
    const name = Object.keys(parameters).at(-1)
    const warnings = [`${name} is unknown; did you mean ${meant}?`]
    expect(answer).toMatchObject({ warnings })
  })

  test('is named where items are shared and unshared', async ({ admin }) => {
    const group = await admin.createGroup('Maps')
    const { id } = await admin.post('/content/users/admin/addItem', { title: 'Lakes', type: 'Web Map' })
    const groups = { groups: group.id, group: group.id }
    const warnings = ['group is unknown.', 'evryone is unknown; did you mean everyone?']
    const where = '/content/users/admin'
    expect(await admin.post(`/content/items/${id}/share`, { ...groups, evryone: true })).toEqual({
      notSharedWith: [],
      itemId: id,
      warnings,
    })
    expect(await admin.post(`${where}/shareItems`, { items: id, ...groups, evryone: true })).toMatchObject({ warnings })
    expect(await admin.post(`${where}/unshareItems`, { itmes: id, items: id, ...groups })).toMatchObject({
      warnings: ['itmes is unknown.', 'group is unknown.'],
    })
  })

  test('is not named in a stored document, whose bytes are the answer', async ({ admin }) => {
    await admin.post('/portals/self/assignCategorySchema', { categorySchema: aSchema({ title: 'A' }) })
    expect(await admin.get('/portals/self/categorySchema', { wibble: '1' })).toEqual(aSchema({ title: 'A' }))
  })

  test('is refused if it is near one and the answer is a signed file', async ({ portal }) => {
    const { client: admin, path, workspaceId } = await hostCollaboration(portal)
    const given = {
      guestPortalUrl: 'https://guest.example/portal',
      collaborationWorkspacesParticipantConfigJSON: [{ [workspaceId]: 'send' }],
      x: 'y',
    }
    expect(await admin.post(`${path}/inviteParticipant`, { ...given, expirations: 1 })).toEqual(
      refused('invite participant', 'expirations is unknown; did you mean expiration?'),
    )
    expect(await admin.get(`${path}/invitations`)).toMatchObject({ total: 0 })
    expect(await admin.post(`${path}/inviteParticipant`, given)).not.toHaveProperty('error')
  })

  test('is named on pages in any case, as a number is that was reduced', async ({ portal }) => {
    const page = await pageOf(portal, '/community/createGroup', 'title=Maps&x=%3Cb%3E&%3Ci%3E=1&f=html')
    expect(page).toContain('x is unknown.')
    expect(page).toContain('…i… is unknown.')
    const list = await pageOf(portal, '/community/groups', 'num=1000&f=html')
    expect(list).toContain('num: 1000 was reduced to 100, the maximum.')
  })

  test('is refused if the client relies on nothing being changed', async ({ admin }) => {
    const { id } = await admin.createGroup('Maps')
    const { error } = await admin.post(`/community/groups/${id}/delete`, { dryRun: 'true' })
    expect(error.details).toEqual(['dryRun: there is none here; without it, the change is made.'])
    expect(await admin.get(`/community/groups/${id}`)).toHaveProperty('title')
    expect(await admin.post(`/community/groups/${id}/delete`, { dryRun: 'false' })).toMatchObject({ success: true })
  })
})

describe('a parameter that has no effect', () => {
  test.for([
    ['a level of a user', '/community/users/admin/update', { level: '2' }, 'level'],
    ['a flag of a group', '/community/createGroup', { title: 'A', isReadOnly: 'true' }, 'isReadOnly'],
    ['a flag that is not set', '/community/createGroup', { title: 'A', isReadOnly: 'false', isOpenData: '' }, ''],
    ['a filter of a search', '/search', { q: 'a', BandCount: '3' }, 'BandCount'],
    ['an item with its own name', '/content/users/admin/addItem', { title: 'A', type: 'Map', owner: 'admin' }, ''],
    ['a member of an item', '/content/users/admin/addItem', { title: 'A', type: 'Map', access: 'public' }, 'access'],
  ] as const)('is named: %s', async ([_what, path, given, name], { portal }) => {
    const { warnings = [] } = await (await portal.admin()).post(path, given)
    expect(warnings).toEqual(name === '' ? [] : [`${name} has no effect here.`])
  })

  test('is not named in an item, a group or a user that is sent back whole', async ({ admin }) => {
    const { id } = await admin.post('/content/users/admin/addItem', { title: 'Lakes', type: 'Map' })
    const group = await admin.createGroup('Maps')
    for (const [path, change] of [
      [`/content/items/${id}`, `/content/users/admin/items/${id}/update`],
      [`/community/groups/${group.id}`, `/community/groups/${group.id}/update`],
      ['/community/users/admin', '/community/users/admin/update'],
    ] as const) {
      const given = Object.entries<string | null>(await admin.get(path)).filter(([, value]) => value !== null)
      const answer = await admin.post(change, Object.fromEntries(given))
      expect([path, answer.error, answer.warnings]).toEqual([path, undefined, undefined])
    }
  })

  test('is not named where it is deleted for good, as clients ask', async ({ admin }) => {
    const { id } = await admin.post('/content/users/admin/addItem', { title: 'Lakes', type: 'Map' })
    const forGood = { permanentDelete: true, force: true }
    const answer = await admin.post(`/content/users/admin/items/${id}/delete`, forGood)
    expect(answer).toEqual({ success: true, itemId: id })
  })

  test('is refused where it would promise what is not done', async ({ admin }) => {
    const update = (categories: string) => admin.post('/community/users/admin/update', { categories })
    expect(await update('["/Staff"]')).toHaveProperty('error')
    for (const none of ['', '[]']) expect(await update(none)).toEqual({ success: true, username: 'admin' })
  })

  test('costs little, however many blanks its value has, and so does a comment', async ({ portal }) => {
    const blanks = ' '.repeat(900_000)
    const given = { displaySublayers: `${blanks}x`, q: 'zzz' }
    expect((await portal.anonymous.post('/search', given)).warnings).toEqual(['displaySublayers has no effect here.'])
    const change = { categorySchema: aSchema({ title: 'A' }), comment: `x${blanks}x` }
    const { error } = await (await portal.admin()).post('/portals/self/assignCategorySchema', change)
    expect(error.details).toEqual([expect.stringMatching(/^comment: has 900002 characters/)])
  })

  test('shows a name without what would make a sentence of it, or turn its direction', async ({ portal }) => {
    const name = 'Sign in at https://evil.example/x\u202e\u0007'
    expect((await portal.anonymous.get('/', { [name]: '1' })).warnings).toEqual([
      'Sign…in…at…https…evil.example…x… is unknown.',
    ])
  })
})
