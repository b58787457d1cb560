import { describe, expect, test } from 'vitest'
import { runCommand } from '../../../src/cli/cli.ts'
import { RawDatabase } from '../../support/databases/raw-database.ts'
import { adminPassword, type Body, formEncode, type Parameters, startPortal } from '../../support/portal/portal.ts'

const secrets = {
  invited: 'secret-of-the-invited-person',
  changed: 'secret-after-it-was-changed',
  wrong: 'secret-that-is-wrong',
  inQuery: 'secret-in-the-query',
  short: 's3cr3t',
}

type Line = Readonly<Record<string, unknown>>

/** A server of this process, with the lines that it writes. */
async function startLogging(environment: Readonly<Record<string, string>> = {}) {
  const log: Line[] = []
  const logLines = { write: (line: string) => void log.push(JSON.parse(line)) }
  const portal = await startPortal({ environment: { LOG_LEVEL: 'info', ...environment }, logLines })
  return { portal, log, [Symbol.asyncDispose]: () => portal[Symbol.asyncDispose]() }
}

describe('the log', () => {
  test('has a line for each request: who asked for what, from where, with which outcome', async () => {
    await using logging = await startLogging({ PUBLIC_URL: 'http://localhost/gis', HTTP_ERROR_STATUS: 'match' })
    const { portal, log } = logging
    const { token } = await portal.admin()
    await portal.anonymous.post('/generateToken', { username: 'admin', password: secrets.wrong })
    const headers = { authorization: `Bearer ${token}` }
    const ids: unknown[] = []
    const look = async (path: string) => {
      ids.push((await portal.server.app.inject({ url: path, headers })).headers['x-request-id'])
    }
    await look('/gis/sharing/rest/community/self?f=json')
    await look('/sharing/rest/community/groups/0123456789abcdef0123456789abcdef?f=json')
    await look('/gis/sharing/rest/portals/self/nothing')
    await look('/gis/sharing/rest/%zz')
    await look('/health/live')
    headers.authorization = `Bearer ${'x'.repeat(43)}`
    await look('/gis/sharing/rest/community/self')
    const lines = log.filter(({ message }) => message === 'request')
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

  test.each([
    ['debug', ['debug', 'info', 'warn']],
    ['warn', ['warn']],
    ['silent', []],
  ])('has only what LOG_LEVEL=%s asks for', async (LOG_LEVEL, levels) => {
    await using logging = await startLogging({ LOG_LEVEL })
    const { portal, log } = logging
    await portal.server.app.inject('/health/live')
    await portal.anonymous.get('/')
    await portal.anonymous.get('/nothing')
    expect(log.map(({ level }) => level)).toEqual(levels)
  })

  test('has what the start says, whatever LOG_LEVEL asks for', async () => {
    const printed: Line[] = []
    const code = await runCommand([], {
      environment: { DATABASE_URL: 'file::memory:', ADMIN_PASSWORD: adminPassword, PORT: '0', LOG_LEVEL: 'silent' },
      signal: AbortSignal.abort(),
      print: (text) => void printed.push(JSON.parse(text)),
      printError: (text) => void printed.push({ text }),
      exit: () => void printed.push({ text: 'exit' }),
    })
    expect(code).toBe(0)
    // Metrics beside the API have no line of their own.
    expect(printed.map(({ level }) => level)).toEqual(['info', 'info'])
    expect(printed[1]!['message']).toContain('Cartulary is ready')
  })

  test('and the audit have the same id of each request, the same outcome, caller and address', async () => {
    await using logging = await startLogging({ TRUST_PROXY: 'true' })
    const { portal, log } = logging
    const admin = await portal.admin()
    const through = async (requestId: string, url: string, parameters: Parameters = {}): Promise<Body> => {
      const headers = {
        authorization: `Bearer ${admin.token}`,
        'content-type': 'application/x-www-form-urlencoded',
        'x-request-id': requestId,
        'x-forwarded-for': '198.51.100.1, 203.0.113.9',
        traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
      }
      return (await portal.inject({ method: 'POST', url, headers, payload: formEncode(parameters) })).json()
    }
    const { group } = await through('proxy-1', '/community/createGroup', { title: 'Maps' })
    const refused = { categorySchema: { categorySchema: [{ title: '' }] } }
    await through('proxy-2', `/community/groups/${group.id}/assignCategorySchema`, refused)
    await through('not an id', `/community/groups/${group.id}/delete`)
    const { items } = await admin.post('/portals/self/history', { all: true, sortOrder: 'asc' })
    const lines = log.filter(({ operation }) => operation !== undefined && operation !== 'listPortalHistory')
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

  test('has an id and an address of its own where no proxy is trusted', async () => {
    await using logging = await startLogging()
    const { portal, log } = logging
    const headers = { 'x-request-id': 'mine', 'x-forwarded-for': '203.0.113.9' }
    const answered = await portal.inject({ url: '/?f=json', headers })
    const reqId = answered.headers['x-request-id']
    expect(reqId).toMatch(/^[0-9a-f]{32}$/)
    expect(log.findLast(({ message }) => message === 'request')).toMatchObject({ reqId, address: '127.0.0.1' })
  })

  test('and every answer are free of tokens and passwords', async () => {
    await using logging = await startLogging({ LOG_LEVEL: 'debug' })
    const { portal, log } = logging
    const answers: string[] = []
    const keep = ({ headers, body }: { readonly headers: object; readonly body: string }) =>
      void answers.push(`${JSON.stringify(headers)}\n${body}`)
    const send = async (url: string, parameters: Parameters, headers: Readonly<Record<string, string>> = {}) => {
      const type = { 'content-type': 'application/x-www-form-urlencoded' }
      keep(
        await portal.inject({ method: 'POST', url, payload: formEncode(parameters), headers: { ...type, ...headers } }),
      )
    }
    const look = async (url: string, headers = {}) => keep(await portal.inject({ url, headers }))
    const tokenOf = async (username: string, password: string) => (await portal.signIn(username, password)).token!
    const token = await tokenOf('admin', adminPassword)
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
    const maria = await tokenOf('maria', secrets.invited)
    const change = { oldPassword: secrets.invited, newPassword: secrets.changed, token: maria }
    await send('/community/users/maria/changePassword', { ...change, oldPassword: secrets.wrong })
    await send('/community/users/maria/changePassword', { ...change, newPassword: secrets.short, f: 'html' })
    await send('/community/users/maria/changePassword', change)
    const again = await tokenOf('maria', secrets.changed)
    await send('/oauth2/revokeToken', { auth_token: again })
    await look(`/community/self?token=${again}`)

    const written = `${JSON.stringify(log)}\n${answers.join('\n')}`
    const unwritten = { token, partOfToken: token.slice(1, 20), maria, again, adminPassword, ...secrets }
    const leaks = Object.entries(unwritten).flatMap(([name, secret]) => {
      const at = Math.max(written.indexOf(secret), written.indexOf(encodeURIComponent(secret)))
      return at === -1 ? [] : `${name}: ${written.slice(at - 80, at)}`
    })
    expect(leaks).toEqual([])
    expect(answers).toHaveLength(24)
    expect(log.length).toBeGreaterThan(20)
  })

  test('has what a bug was under the request id that the client got', async () => {
    await using logging = await startLogging()
    const { portal, log } = logging
    const admin = await portal.admin()
    await new RawDatabase(portal).hide('category_schema_versions')
    const categorySchema = { categorySchema: [{ title: 'Region' }] }
    const { error } = await admin.post('/portals/self/assignCategorySchema', { categorySchema })
    expect(error).toMatchObject({ code: 500, message: 'An unexpected error occurred.' })
    const lines = log.filter(({ reqId }) => reqId === error.details[0])
    expect(lines.map(({ level, message, outcome }) => ({ level, message, outcome }))).toEqual([
      { level: 'error', message: 'request failed', outcome: undefined },
      { level: 'error', message: 'request', outcome: 500 },
    ])
    const described = {
      type: 'SqliteError',
      message: expect.stringContaining('no such table: category_schema_versions'),
    }
    expect(lines[0]!['error']).toEqual({ ...described, stack: expect.stringContaining(' at ') })
    expect(JSON.stringify(log)).not.toContain(admin.token)
  })
})
