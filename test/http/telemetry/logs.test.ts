import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, test } from 'vitest'
import { formEncode } from '../../support/portal/portal.ts'
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
  test('has a line of JSON for each request, with its id, method, path, outcome and time', async ({ expect }) => {
    using folder = new Folder()
    await using server = await start(folder, { DATABASE_URL: 'file::memory:', PUBLIC_URL: 'http://localhost/gis' })
    const ids: (string | null)[] = []
    for (const path of [
      '/sharing/rest?f=json',
      '/sharing/rest/community/self?f=json',
      '/sharing/rest/%zz',
      '/nothing',
    ]) {
      ids.push((await fetch(`${server.url}/gis${path}`)).headers.get('x-request-id'))
    }
    await server.stop()
    const lines = server.log.filter(({ path }) => path !== undefined)
    expect(lines.map(({ reqId }) => reqId)).toEqual(ids)
    expect(lines.map(({ method, path, outcome }) => [method, path, outcome])).toEqual([
      ['GET', '/gis/sharing/rest', 200],
      ['GET', '/gis/sharing/rest/community/self', 499],
      ['GET', '/gis/sharing/rest/%25zz', 404],
      ['GET', '/gis/nothing', 404],
    ])
    for (const { milliseconds, time, level } of lines) {
      expect(milliseconds).toEqual(expect.any(Number))
      expect(time).toEqual(expect.any(Number))
      expect(level).toBe(30)
    }
  })

  test('is silent with LOG_LEVEL=silent', async ({ expect }) => {
    using folder = new Folder()
    await using server = await start(folder, { DATABASE_URL: 'file::memory:', LOG_LEVEL: 'silent' })
    await fetch(`${server.base}?f=json`)
    await server.stop()
    expect(server.log).toEqual([])
    expect(server.out).toContain('Cartulary is ready')
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
    expect(lines.map(({ level, msg, outcome }) => ({ level, msg, outcome }))).toEqual([
      { level: 50, msg: 'request failed', outcome: undefined },
      { level: 30, msg: undefined, outcome: 500 },
    ])
    expect(JSON.stringify(lines[0])).toContain('no such table: category_schema_versions')
    expect(server.out).not.toContain(token)
  })
})
