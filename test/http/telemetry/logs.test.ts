import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, test } from 'vitest'
import { type Body, formEncode } from '../../support/portal/portal.ts'
import { type CartularyProcess, Folder, serve } from '../../support/portal/process.ts'

const adminPassword = 'The administrator’s own secret'
const secrets = {
  invited: 'secret-of-the-invited-person',
  changed: 'secret-after-it-was-changed',
  wrong: 'secret-that-is-wrong',
  inQuery: 'secret-in-the-query',
  short: 's3cr3t',
}

function start(folder: Folder, environment = {}): Promise<CartularyProcess> {
  return serve({ folder: folder.path, environment: { ADMIN_PASSWORD: adminPassword, ...environment } })
}

async function text(response: Promise<Response>): Promise<string> {
  const { headers, ...rest } = await response.then(async (found) => ({
    headers: found.headers,
    body: await found.text(),
  }))
  return `${JSON.stringify([...headers])}\n${rest.body}`
}

describe.concurrent('the log', () => {
  test('has a line for each request: who asked for what, from where, with which outcome', async ({ expect }) => {
    using folder = new Folder()
    const settings = { DATABASE_URL: 'file::memory:', PUBLIC_URL: 'http://localhost/gis', HTTP_ERROR_STATUS: 'match' }
    await using server = await start(folder, settings)
    const token = await server.signIn('admin', adminPassword)
    await server.post('/generateToken', { username: 'admin', password: secrets.wrong })
    const headers = { authorization: `Bearer ${token}` }
    const ids: (string | null)[] = []
    const look = async (path: string) => {
      ids.push((await fetch(`${server.url}${path}`, { headers, redirect: 'manual' })).headers.get('x-request-id'))
    }
    await look('/gis/sharing/rest/community/self?f=json')
    await look('/sharing/rest/community/groups/0123456789abcdef0123456789abcdef?f=json')
    await look('/gis/sharing/rest/portals/self/nothing')
    await look('/gis/sharing/rest/%zz')
    await look('/health/live')
    headers.authorization = `Bearer ${'x'.repeat(43)}`
    await look('/gis/sharing/rest/community/self')
    await server.stop()
    const lines = server.log.filter(({ message }) => message === 'request')
    const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    const common = { time: at, message: 'request', address: '127.0.0.1', milliseconds: expect.any(Number) }
    const signIn = { reqId: expect.any(String), operation: 'generateToken', method: 'POST', ...common }
    const self = { operation: 'readSelf', path: '/gis/sharing/rest/community/self', method: 'GET', ...common }
    const group = '/gis/sharing/rest/community/groups/0123456789abcdef0123456789abcdef'
    const path = '/gis/sharing/rest/generateToken'
    const unknown = { reqId: expect.any(String), method: 'GET', level: 'warn', outcome: 404, ...common }
    expect(lines).toEqual([
      { ...signIn, level: 'info', path, user: 'admin', outcome: 200, status: 200 },
      { ...signIn, level: 'warn', path, outcome: 400, status: 400 },
      { ...self, level: 'info', reqId: ids[0], user: 'admin', outcome: 200, status: 200 },
      {
        ...{ ...self, level: 'warn', reqId: ids[1], operation: 'readGroup', path: group, user: 'admin' },
        ...{ outcome: 400, status: 400, messageCode: 'COM_0003' },
      },
      { ...unknown, reqId: ids[2], path: '/gis/sharing/rest/portals/self/nothing', status: 404 },
      { ...unknown, reqId: ids[3], path: '/gis/sharing/rest/%25zz', status: 404 },
      { ...self, level: 'warn', reqId: ids[5], outcome: 498, status: 498 },
    ])
  })

  test('has only what LOG_LEVEL asks for, and what the start says in any case', async ({ expect }) => {
    using folder = new Folder()
    for (const [LOG_LEVEL, levels] of [
      ['debug', ['info', 'info', 'debug', 'info', 'warn', 'info', 'info']],
      ['warn', ['info', 'info', 'warn']],
      ['error', ['info', 'info']],
      ['silent', ['info', 'info']],
    ] as const) {
      await using server = await start(folder, { DATABASE_URL: 'file::memory:', LOG_LEVEL })
      await fetch(`${server.url}/health/live`)
      await fetch(`${server.base}?f=json`)
      await fetch(`${server.base}/nothing`)
      await server.stop()
      const lines = server.log
      expect(lines.map(({ level }) => level)).toEqual(levels)
      expect(lines[1]!['message']).toContain('Cartulary is ready')
    }
  })

  test('and the audit have the same id of each request, the same outcome, caller and address', async ({ expect }) => {
    using folder = new Folder()
    const settings = { TRUST_PROXY: 'true', DATABASE_URL: 'file::memory:' }
    await using server = await start(folder, settings)
    const token = await server.signIn('admin', adminPassword)
    const through = (requestId: string) => ({
      authorization: `Bearer ${token}`,
      'x-request-id': requestId,
      'x-forwarded-for': '198.51.100.1, 203.0.113.9',
      traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    })
    const { group } = await server.post('/community/createGroup', { title: 'Maps' }, through('proxy-1'))
    const refused = { categorySchema: { categorySchema: [{ title: '' }] } }
    await server.post(`/community/groups/${group.id}/assignCategorySchema`, refused, through('proxy-2'))
    await server.post(`/community/groups/${group.id}/delete`, {}, through('not an id'))
    const { items } = await server.post('/portals/self/history', { token, all: true, sortOrder: 'asc' })
    await server.stop()
    const lines = server.log.filter(({ operation }) => operation !== undefined && operation !== 'listPortalHistory')
    const ofLog = lines.map(({ reqId, user, address, operation, outcome }) => ({
      ...{ reqId, user, address, operation, outcome },
    }))
    const ofAudit = (items as Record<string, Body>[]).map(({ reqId, actor, ip, data }) => ({
      ...{ reqId, user: actor, address: ip, operation: data['operation'], outcome: data['error'] ?? 200 },
    }))
    expect(ofLog).toEqual(ofAudit.filter(({ operation }) => operation !== 'createPortal'))
    const from = { user: 'admin', address: '203.0.113.9' }
    expect(ofLog.slice(1)).toEqual([
      { ...from, reqId: 'proxy-1', operation: 'createGroup', outcome: 200 },
      { ...from, reqId: 'proxy-2', operation: 'assignGroupCategorySchema', outcome: 400 },
      { ...from, reqId: expect.stringMatching(/^[0-9a-f]{32}$/), operation: 'deleteGroup', outcome: 200 },
    ])
    const traces = lines.map(({ traceId, spanId }) => [traceId, spanId])
    const trace = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7']
    expect(traces).toEqual([[undefined, undefined], trace, trace, trace])
  })

  test('has an id and an address of its own where no proxy is trusted', async ({ expect }) => {
    using folder = new Folder()
    await using server = await start(folder, { DATABASE_URL: 'file::memory:' })
    const headers = { 'x-request-id': 'mine', 'x-forwarded-for': '203.0.113.9' }
    const answered = await fetch(`${server.base}?f=json`, { headers })
    const reqId = answered.headers.get('x-request-id')
    expect(reqId).toMatch(/^[0-9a-f]{32}$/)
    await server.stop()
    expect(server.log.findLast(({ message }) => message === 'request')).toMatchObject({ reqId, address: '127.0.0.1' })
  })

  test('and every answer are free of tokens and passwords', async ({ expect }) => {
    using folder = new Folder()
    await using server = await start(folder, { LOG_LEVEL: 'debug' })
    const answers: string[] = []
    const send = async (path: string, parameters: object, headers: Readonly<Record<string, string>> = {}) => {
      const body = formEncode(parameters as Record<string, unknown>)
      const contentType = { 'content-type': 'application/x-www-form-urlencoded' }
      const request = fetch(`${server.base}${path}`, { method: 'POST', body, headers: { ...contentType, ...headers } })
      answers.push(await text(request))
    }
    const look = async (path: string, headers = {}) => {
      answers.push(await text(fetch(`${server.base}${path}`, { headers })))
    }
    const token = await server.signIn('admin', adminPassword)
    const bearer = { authorization: `Bearer ${token}` }
    const encoded = `%${token.charCodeAt(0).toString(16)}${token.slice(1)}`

    await look(`/community/self?token=${token}`)
    await send('/community/self', { token })
    await look('/community/self', bearer)
    await look('/community/self', { 'x-esri-authorization': `Bearer ${token}` })
    await look(`/community/self?token=${token}x&f=html`)
    await look(`/community/self?token=${token}&f=html`)
    await look(`/nothing?token=${token}&f=html`)
    await look(`/community/users/${token}`)
    await look(`/token/${token.slice(0, 20)}/x`)
    await look(`/token%3D${token.slice(0, 20)}`)
    await look(`/community/groups/${encoded}`)
    await look(`/community/groups/${'x'.repeat(240)}${token}`)
    await look(`/generateToken?username=admin&password=${secrets.inQuery}&f=html`)
    await send(`/generateToken?username=admin&password=${secrets.inQuery}`, {})
    await send('/generateToken', { username: 'admin', password: secrets.wrong })
    await send('/generateToken', { username: 'nobody', password: secrets.wrong, f: 'html' })
    await send('/generateToken', { username: 'admin', password: secrets.wrong, expiration: 'x', f: 'html' })
    const invitations = [
      { username: 'maria', password: secrets.invited, role: 'org_user' },
      { username: 'a b', password: secrets.invited },
      { username: 'short', password: secrets.short },
    ]
    await send('/portals/self/invite', { invitationList: { invitations } }, bearer)
    await send(
      '/portals/self/invite',
      { invitationList: JSON.stringify({ invitations }).slice(0, -3), f: 'html' },
      bearer,
    )
    const maria = await server.signIn('maria', secrets.invited)
    const change = { oldPassword: secrets.invited, newPassword: secrets.changed, token: maria }
    await send('/community/users/maria/changePassword', { ...change, oldPassword: secrets.wrong })
    await send('/community/users/maria/changePassword', { ...change, newPassword: secrets.short, f: 'html' })
    await send('/community/users/maria/changePassword', change)
    const again = await server.signIn('maria', secrets.changed)
    await send('/oauth2/revokeToken', { auth_token: again })
    await look(`/community/self?token=${again}`)
    const { code } = await server.stop()
    expect(code).toBe(0)

    const written = `${server.out}${server.err}\n${answers.join('\n')}`
    const unwritten = { token, partOfToken: token.slice(1, 20), maria, again, adminPassword, ...secrets }
    const leaks = Object.entries(unwritten).flatMap(([name, secret]) => {
      const at = Math.max(written.indexOf(secret), written.indexOf(encodeURIComponent(secret)))
      return at === -1 ? [] : `${name}: ${written.slice(at - 80, at)}`
    })
    expect(leaks).toEqual([])
    expect(answers).toHaveLength(24)
    expect(server.log.length).toBeGreaterThan(20)
  })

  test('has what a bug was under the request id that the client got', async ({ expect }) => {
    using folder = new Folder()
    await using server = await start(folder)
    const token = await server.signIn('admin', adminPassword)
    const database = new Database(join(folder.path, 'data', 'cartulary.db'))
    database.exec('DROP TABLE category_schema_versions')
    database.close()
    const categorySchema = { categorySchema: [{ title: 'Region' }] }
    const { error } = await server.post('/portals/self/assignCategorySchema', { token, categorySchema })
    expect(error).toMatchObject({ code: 500, message: 'An unexpected error occurred.' })
    await server.stop()
    const lines = server.log.filter(({ reqId }) => reqId === error.details[0])
    expect(lines.map(({ level, message, outcome }) => ({ level, message, outcome }))).toEqual([
      { level: 'error', message: 'request failed', outcome: undefined },
      { level: 'error', message: 'request', outcome: 500 },
    ])
    const described = {
      type: 'SqliteError',
      message: expect.stringContaining('no such table: category_schema_versions'),
    }
    expect(lines[0]!['error']).toEqual({ ...described, stack: expect.stringContaining(' at ') })
    expect(server.out).not.toContain(token)
  })
})
