import { describe, expect, test } from 'vitest'
import {
  groupNotFound,
  permissionDenied,
  resourceNotFound,
  tokenInvalid,
  tokenRequired,
} from '../../support/portal/envelopes.ts'
import { adminPassword, type Body, startPortal, type TestPortal } from '../../support/portal/portal.ts'

const unknownId = '0'.repeat(32)
const match = { environment: { HTTP_ERROR_STATUS: 'match' } }

/** Requests whose answers are errors, with the code of each. */
const failures: readonly (readonly [string, number, (portal: TestPortal) => Promise<Request>])[] = [
  ['an unknown path', 404, async () => ({ url: '/nothing' })],
  ['another method', 405, async () => ({ method: 'DELETE', url: '/portals/self' })],
  ['an operation by GET', 405, async () => ({ url: '/community/createGroup' })],
  ['an unknown format', 400, async () => ({ url: '/?f=xml' })],
  ['a missing token', 499, async () => ({ url: '/community/self' })],
  ['a wrong token', 498, async () => ({ url: '/community/self?token=wrong' })],
  ['bad credentials', 400, async () => form('/generateToken', 'username=admin&password=wrong')],
  ['bad input', 400, async (portal) => form(`/community/createGroup?token=${(await portal.admin()).token}`, 'title=')],
  [
    'a missing permission',
    403,
    async (portal) => form(`/portals/self/update?token=${(await portal.user('user')).token}`, 'name=Mine'),
  ],
  [
    'an unknown group',
    400,
    async (portal) => ({ url: `/community/groups/${unknownId}?token=${(await portal.admin()).token}` }),
  ],
  [
    'a schema that breaks a rule',
    400,
    async (portal) => form(`/portals/self/assignCategorySchema?token=${(await portal.admin()).token}`, 'x=1'),
  ],
]

interface Request {
  readonly url: string
  readonly method?: 'GET' | 'POST' | 'DELETE'
  readonly headers?: Readonly<Record<string, string>>
  readonly payload?: string
}

function form(url: string, payload: string): Request {
  return { method: 'POST', url, payload, headers: { 'content-type': 'application/x-www-form-urlencoded' } }
}

describe('an error', () => {
  test.each(failures)(
    'of %s has its code as HTTP status with HTTP_ERROR_STATUS=match',
    async (_what, code, request) => {
      await using portal = await startPortal(match)
      const response = await portal.inject(await request(portal))
      expect(response.statusCode).toBe(code)
      expect(response.json().error.code).toBe(code)
    },
  )

  test.each(failures)('of %s is an envelope and nothing else, in HTTP 200', async (_what, code, request) => {
    await using portal = await startPortal()
    const response = await portal.inject(await request(portal))
    expect(response.statusCode).toBe(200)
    const { error, ...rest } = response.json()
    expect(rest).toEqual({})
    expect(error.code).toBe(code)
    const members = Object.keys(error)
    const order = ['code', 'messageCode', 'message', 'details', 'reasons']
    const isOptional = (member: string) => member === 'messageCode' || member === 'reasons'
    expect(members).toEqual(order.filter((member) => !isOptional(member) || members.includes(member)))
    expect(error.message).toMatch(/\S/)
    if ('messageCode' in error) expect(error.messageCode).toMatch(/^[A-Z]+_\d{4}$/)
    expect(Array.isArray(error.details)).toBe(true)
    for (const detail of error.details) expect(detail).toMatch(/\S/)
  })

  test('of a rate limit keeps its HTTP status, and says how long to wait', async () => {
    await using portal = await startPortal({ environment: { RATE_LIMIT_SIGN_IN_FAILURES: '1' } })
    const wrong = form('/generateToken', 'username=admin&password=wrong')
    expect((await portal.inject(wrong)).statusCode).toBe(200)
    const response = await portal.inject(wrong)
    expect(response.statusCode).toBe(429)
    expect(response.headers['retry-after']).toBe(String(15 * 60))
    expect(response.json()).toEqual({
      error: {
        code: 429,
        message: 'Too many requests.',
        details: [],
        reasons: [
          'There were too many failed sign-ins for this username from this address; until then the right password is refused too. Try again in 15 minutes.',
        ],
      },
    })
  })
})

describe('checks come in order:', () => {
  const schema = '{"categorySchema":[]}'

  test('the method before the token', async () => {
    await using portal = await startPortal()
    expect((await portal.inject({ url: '/community/createGroup?token=wrong' })).json().error.code).toBe(405)
  })

  test('the token before the resource, which is 499 and 498 whether it exists or not', async () => {
    await using portal = await startPortal()
    const { id } = await (await portal.admin()).createGroup('Maps', { access: 'private' })
    for (const groupId of [id, unknownId]) {
      const path = `/community/groups/${groupId}/assignCategorySchema`
      expect(await portal.anonymous.post(path, { categorySchema: schema })).toEqual(tokenRequired)
      expect(await portal.anonymous.post(path, { categorySchema: schema, token: 'wrong' })).toEqual(tokenInvalid)
    }
    for (const portalId of ['self', '0123456789abcdef']) {
      expect(await portal.anonymous.post(`/portals/${portalId}/deleteCategorySchema`)).toEqual(tokenRequired)
    }
  })

  test('the resource before the permission: what a caller may not see does not exist', async () => {
    await using portal = await startPortal()
    const { id } = await (await portal.admin()).createGroup('Maps', { access: 'private' })
    const outsider = await portal.otherOrganization()
    const path = `/community/groups/${id}/assignCategorySchema`
    expect(await outsider.post(path, { categorySchema: schema })).toEqual(groupNotFound)
    const { id: portalId } = await (await portal.admin()).get('/portals/self')
    expect(await outsider.post(`/portals/${portalId}/deleteCategorySchema`)).toEqual(resourceNotFound)
  })

  test('the permission before the input and the state', async () => {
    await using portal = await startPortal()
    const user = await portal.user('user')
    const { id } = await (await portal.admin()).createGroup('Maps', { access: 'org' })
    const path = `/community/groups/${id}/assignCategorySchema`
    expect(await user.post(path, { categorySchema: schema })).toEqual(permissionDenied)
    expect(await user.post('/portals/self/deleteCategorySchema')).toEqual(permissionDenied)
    expect(await (await portal.admin()).post('/portals/self/deleteCategorySchema')).toEqual(resourceNotFound)
  })
})

/** Calls of every kind that succeed, with their answers. */
async function successes(portal: TestPortal): Promise<readonly Body[]> {
  const admin = await portal.admin()
  const user = await portal.user('user')
  const { id } = await admin.createGroup('Maps')
  const group = `/community/groups/${id}`
  const categorySchema = { categorySchema: [{ title: 'error' }, { title: 'code' }] }
  const created = await admin.post('/portals/self/createCollaboration', {
    name: 'Alpine data',
    workspaceName: 'Land cover',
    accessMode: 'sendAndReceive',
  })
  const collaboration = `/portals/self/collaborations/${created.collaboration.id}`
  const { workspaces } = await admin.get(`${collaboration}/workspaces`)
  const invited = await admin.post(`${collaboration}/inviteParticipant`, {
    guestPortalUrl: 'https://guest.example.org/portal',
    collaborationWorkspacesParticipantConfigJSON: [{ [workspaces[0].id]: 'send' }],
  })
  const invitation = `${collaboration}/invitations/${invited.invitationRequest.id}`
  const roleId = await admin.createRole('Cataloguer', ['portal:admin:updateItemCategorySchema'])
  return [
    created,
    invited,
    await admin.get('/'),
    await admin.get('/info'),
    await admin.get('/portals/self'),
    await portal.anonymous.get('/portals/self'),
    await admin.get('/portals/self/users'),
    await admin.get('/portals/self/roles'),
    await admin.get(`/portals/self/roles/${roleId}`),
    await admin.get(`/portals/self/roles/${roleId}/privileges`),
    await admin.get('/community/self'),
    await user.get('/community/users/user'),
    await admin.get('/community/groups', { q: 'Maps' }),
    await admin.get(group),
    await admin.get(`${group}/users`),
    await admin.post(`${group}/addUsers`, { users: 'user' }),
    await admin.post(`${group}/assignCategorySchema`, { categorySchema }),
    await admin.get(`${group}/categorySchema`),
    await admin.post(`${group}/deleteCategorySchema`),
    await admin.get(collaboration),
    await admin.get(`${collaboration}/invitations`),
    await admin.get(invitation),
    await admin.get(`${invitation}/invalidate`),
    await admin.get(`${invitation}/invalidate`),
    await portal.anonymous.post('/generateToken', { username: 'user', password: adminPassword }),
    await portal.anonymous.post('/oauth2/revokeToken/', { auth_token: user.token }),
  ]
}

test('a success never has what clients take for a failure', async () => {
  await using portal = await startPortal()
  for (const body of await successes(portal)) {
    expect(body).not.toHaveProperty('error')
    expect(body.status).not.toBe('failed')
    expect(body.code ?? 200).toBeLessThan(400)
  }
})

test('ids are 32 lower-case hex characters, those of organizations and roles 16 letters and digits, times are numbers', async () => {
  await using portal = await startPortal()
  const admin = await portal.admin()
  const long = /^[0-9a-f]{32}$/
  const short = /^[A-Za-z0-9]{16}$/
  const created = await admin.post('/portals/self/createCollaboration', {
    name: 'Alpine data',
    workspaceName: 'Land cover',
    accessMode: 'sendAndReceive',
  })
  const path = `/portals/self/collaborations/${created.collaboration.id}`
  const { workspaces } = await admin.get(`${path}/workspaces`)
  expect((await admin.createGroup('Maps')).id).toMatch(long)
  expect(created.collaboration.id).toMatch(long)
  expect(workspaces[0].id).toMatch(long)
  const invited = await admin.post(`${path}/inviteParticipant`, {
    guestPortalUrl: 'https://guest.example.org/portal',
    collaborationWorkspacesParticipantConfigJSON: [{ [workspaces[0].id]: 'send' }],
  })
  expect(invited.invitationRequest.id).toMatch(long)
  expect((await admin.get('/portals/self')).id).toMatch(short)
  expect(await admin.createRole('Cataloguer', [])).toMatch(short)
  const { id, created: since } = await admin.get('/community/self')
  expect(id).toMatch(long)
  expect(since).toBe(portal.clock.now)
})

test('the id of a group that is gone is not given again, and leads nowhere', async () => {
  await using portal = await startPortal()
  const admin = await portal.admin()
  const { id } = await admin.createGroup('Maps')
  await admin.post(`/community/groups/${id}/delete`)
  expect(await admin.get(`/community/groups/${id}`)).toEqual(groupNotFound)
  const again = await Promise.all(Array.from({ length: 20 }, (_, at) => admin.createGroup(`Maps ${at}`)))
  const ids = new Set([id, ...again.map((group) => group.id)])
  expect(ids.size).toBe(21)
})
