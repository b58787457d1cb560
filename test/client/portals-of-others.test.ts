import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { configFolder, stateFolder } from '../../src/client/sign-in/kept-files.ts'
import { type ListeningPortal, startListeningPortal } from '../support/portal/listening-portal.ts'
import { adminPassword } from '../support/portal/portal.ts'
import { Desk } from './run-client.ts'

let server: ListeningPortal
let desk: Desk

beforeAll(async () => {
  server = await startListeningPortal()
})
afterAll(() => server[Symbol.asyncDispose]())
beforeEach(() => {
  desk = new Desk()
})

const token = { CARTULARY_TOKEN: 'secret-token' }

interface Stranger {
  readonly url: string
  readonly asked: string[]
}

/** A server that is no portal, or one that misbehaves; ends with the test. */
async function openStranger(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<Stranger> {
  const asked: string[] = []
  const stranger = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    answer(request, response)
  })
  await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    stranger.closeAllConnections()
    stranger.close()
  })
  return { url: `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`, asked }
}

const self = JSON.stringify({
  id: 'abc',
  name: 'Maps',
  isPortal: true,
  currentVersion: '11.3',
  user: { username: 'a' },
})

describe('a portal that does not answer as one has exit code 2, and its page is not shown:', () => {
  test.each<[what: string, answer: (response: ServerResponse) => void, sentence: string]>([
    ['HTML', (response) => response.end('<html><b>Maintenance</b></html>'), 'HTML, status 200'],
    ['a text', (response) => response.end('Maintenance'), 'no JSON, status 200'],
    ['nothing', (response) => response.writeHead(404).end(), 'nothing, status 404'],
    ['an array', (response) => response.end('[]'), 'no JSON object'],
    ['no organization', (response) => response.end('{}'), 'no organization'],
    ['an error without a code', (response) => response.writeHead(500).end('{"error":"Maintenance"}'), 'Maintenance'],
    ['a connection that ends', (response) => response.destroy(), 'ended before the answer'],
  ])('%s', async (_, answer, sentence) => {
    const { url } = await openStranger((_request, response) => answer(response))
    const { code, printed, complaint } = await desk.run(['whoami', '--url', url], { environment: token })
    expect([code, printed]).toEqual([2, ''])
    expect(complaint).toContain(sentence)
    expect(complaint).not.toContain('<')
  })

  test('a schema of levels without an end', async () => {
    const levels = 20_000
    const schema = `{"categorySchema":[${'{"title":"Places","categories":['.repeat(levels)}${']}'.repeat(levels)}]}`
    const { url } = await openStranger(({ url: path }, response) =>
      response.end(path?.includes('categorySchema') ? schema : self),
    )
    const { code, complaint } = await desk.run(['get', 'org', '--url', url], { environment: token })
    expect(code).toBe(1)
    expect(complaint).toContain('has another form than is documented')
    expect(complaint).not.toContain('    at ')
  })

  test('no server at all', async () => {
    const { code, complaint } = await desk.run(['whoami', '--url', 'http://127.0.0.1:1'], { environment: token })
    expect([code, complaint]).toEqual([2, 'There is no connection to http://127.0.0.1:1.'])
  })

  test('one that redirects elsewhere, where no token goes', async () => {
    const elsewhere = await openStranger((_request, response) => response.end('{}'))
    const { url } = await openStranger((_request, response) =>
      response.writeHead(302, { location: elsewhere.url }).end(),
    )
    const { code, complaint } = await desk.run(['whoami', '--url', url], { environment: token })
    expect([code, complaint]).toEqual([2, `${url} redirects to ${elsewhere.url}, which is not followed.`])
    expect(elsewhere.asked).toEqual([])
  })
})

/** A portal that is no Cartulary, with these members of its description. */
function openSimple(members: object, schema: object = { categorySchema: [] }): Promise<Stranger> {
  return openStranger(({ url = '' }, response) => {
    const isSelf = url.includes('/portals/self')
    const answer = url.includes('/categorySchema') ? schema : isSelf ? { ...JSON.parse(self), ...members } : {}
    response.end(url.includes('/generateToken') ? '{"token":"secret","expires":1e300}' : JSON.stringify(answer))
  })
}

describe('a hostile portal', () => {
  const hostile = '\u001b]0;title\u0007\u009b2J\u202e\nline'

  test('steers no terminal by its name, by who is signed in, or by a schema', async () => {
    const user = { username: hostile, role: hostile, privileges: [`categorize${hostile}`] }
    const members = { name: hostile, currentVersion: hostile, user }
    const { url } = await openSimple(members, { categorySchema: [{ title: `${hostile}  `, categories: [] }] })
    const { printed } = await desk.run(['whoami', '--url', url], { environment: token })
    const linted = await desk.run(['schema', 'lint', 'org', '--url', url], { environment: token })
    expect(printed.split('\n')).toHaveLength(3)
    expect(linted.printed).toContain('blank-ends')
    expect(printed + linted.printed).not.toMatch(/[\u001b\u0007\u009b\u202e]/)
  })

  test('names no file of this machine by an id', async () => {
    const { url } = await openSimple({ id: '../../../x' })
    const { code, complaint } = await desk.run(['get', 'org', '--url', url], { environment: token })
    expect([code, complaint]).toEqual([2, `${url} does not answer as a portal does: no organization.`])
    const other = await openStranger(({ url: asked = '' }, response) => {
      const results = [{ id: '../../../x', title: 'Maps' }]
      response.end(asked.includes('/groups') ? JSON.stringify({ results }) : self)
    })
    const group = await desk.run(['get', 'group:Maps', '--url', other.url], { environment: token })
    expect([group.code, group.complaint]).toEqual([2, 'The portal answers with a group without an id.'])
  })

  test('says an end of a token that is no time', async () => {
    const { url } = await openSimple({})
    const { code, printed } = await desk.login(url)
    expect([code, printed]).toEqual([0, expect.stringContaining(', until an unknown time')])
  })
})

test('a token with a line end in it is refused before it is sent', async () => {
  const { url, asked } = await openSimple({})
  const environment = { CARTULARY_TOKEN: 'secret-\ntoken' }
  const { code, complaint } = await desk.run(['whoami', '--url', url], { environment })
  expect([code, complaint]).toEqual([2, 'The token has a blank, a line end or another sign that no token has.'])
  expect(asked.filter((one) => one.includes('/portals/self'))).toEqual([])
})

test('a portal that never ends its answer is given up after --timeout, with that reason', async () => {
  const { url } = await openStranger((_request, response) => response.writeHead(200).write('{'))
  const words = ['whoami', '--url', url, '--timeout', '1', '--retries', '0']
  const { code, complaint } = await desk.run(words, { environment: token })
  expect([code, complaint]).toEqual([2, `${url} has not answered within 1 s.`])
})

describe('a portal that is busy', () => {
  test.each<[what: string, busy: (response: ServerResponse) => void, waits: readonly number[]]>([
    ['by its status', (response) => response.writeHead(503).end(), [1_000, 4_000]],
    [
      'by the code in its answer',
      (response) => response.end('{"error":{"code":429,"message":"Busy"}}'),
      [1_000, 4_000],
    ],
    ['by a header', (response) => response.writeHead(503, { 'retry-after': '20' }).end(), [20_000, 20_000]],
    ['by ending the connection', (response) => response.destroy(), [1_000, 4_000]],
  ])('%s is asked again, each time later', async (_, busy, waits) => {
    let times = 0
    const { url } = await openStranger(({ url: asked = '' }, response) => {
      times += 1
      if (times <= 2) busy(response)
      else response.end(asked.includes('/info') ? '{}' : self)
    })
    expect((await desk.run(['whoami', '--url', url], { environment: token })).code).toBe(0)
    expect(desk.waits).toEqual(waits)
  })

  test('for too long is not waited for, and neither is one that stays so', async () => {
    const { url } = await openStranger((_request, response) => response.writeHead(503, { 'retry-after': '61' }).end())
    expect((await desk.run(['whoami', '--url', url], { environment: token })).code).toBe(2)
    expect(desk.waits).toEqual([])
    const forever = await openStranger((_request, response) => response.writeHead(503).end())
    const words = ['whoami', '--url', forever.url, '--retries', '1']
    expect((await desk.run(words, { environment: token })).code).toBe(2)
    expect(forever.asked).toHaveLength(2)
  })
})

describe('a sign-in', () => {
  test('is asked first what the portal is, by documented requests, with the token in a header', async () => {
    const { code } = await desk.login(server.url)
    expect(code).toBe(0)
    server.arrivals.length = 0
    await desk.run(['whoami', '--verbose'])
    const [info, whole] = server.arrivals
    expect([info!.url, whole!.url]).toEqual(['/sharing/rest/info?f=json', '/sharing/rest/portals/self?f=json'])
    expect(info!.headers).not.toHaveProperty('x-esri-authorization')
    expect(whole!.headers['x-esri-authorization']).toMatch(/^Bearer \S+$/)
    expect(whole!.headers.referer).toBe(server.url.replace('/sharing/rest', ''))
    expect(desk.said).toContain('/sharing/rest/portals/self 200')
  })

  test('with a wrong or empty password keeps nothing', async () => {
    const words = ['login', '--url', server.url, '--username', 'admin']
    expect((await desk.run([...words, '--password-stdin'], { typed: 'wrong password' })).code).toBe(2)
    expect((await desk.run([...words, '--password-stdin'], { typed: '' })).code).toBe(2)
    expect((await desk.run(words)).complaint).toContain('--password-stdin')
    expect((await desk.run(['login', '--url', server.url, '--token-stdin'], { typed: 'dead' })).code).toBe(2)
    expect((await desk.run(['whoami'])).complaint).toContain('No portal is given')
  })

  test('asks a person unseen, and takes a token with blanks around it', async () => {
    const words = ['login', '--url', server.url, '--username', 'admin']
    expect((await desk.run(words, { isPerson: true, typed: adminPassword })).code).toBe(0)
    const { token: given } = await server.anonymous.post('/generateToken', {
      username: 'admin',
      password: adminPassword,
    })
    const second = ['login', '--url', server.url, '--token-stdin', '--profile', 'second']
    expect((await desk.run(second, { typed: ` ${given} ` })).code).toBe(0)
    expect((await desk.run(['whoami', '--profile', 'second'])).printed).toContain('admin (org_admin)')
  })

  test('of several commands at a time leaves all profiles, and nothing else', async () => {
    const names = ['a', 'b', 'c', 'd']
    const ended = await Promise.all(names.map((name) => desk.login(server.url, 'admin', ['--profile', name])))
    expect(ended.map(({ code }) => code)).toEqual([0, 0, 0, 0])
    for (const name of names) expect((await desk.run(['whoami', '--profile', name])).code).toBe(0)
    expect(readdirSync(join(desk.home, 'cartulary')).sort()).toEqual(['config.json', 'tokens.json'])
    expect(statSync(join(desk.home, 'cartulary', 'tokens.json')).mode & 0o777).toBe(0o600)
    expect(statSync(join(desk.home, 'cartulary')).mode & 0o777).toBe(0o700)
  })

  test('ends at the portal too, by logout; a second one has nothing to do', async () => {
    await desk.login(server.url)
    const { token: kept } = JSON.parse(readFileSync(join(desk.home, 'cartulary', 'tokens.json'), 'utf8')).tokens.default
    expect(await desk.run(['logout'])).toMatchObject({ code: 0 })
    expect((await desk.run(['whoami'])).code).toBe(2)
    expect((await desk.run(['whoami', '--url', server.url], { environment: { CARTULARY_TOKEN: kept } })).code).toBe(2)
    expect((await desk.run(['logout'])).code).toBe(0)
  })

  test.each(['', '/sharing', '/sharing/rest/', '/sharing/rest/portals/self?f=pjson', '/home/item.html?id=1#overview'])(
    'takes an address of the portal with %s behind it',
    async (behind) => {
      const url = server.url.replace('/sharing/rest', behind)
      expect((await desk.login(url)).printed).toContain(`admin (org_admin) at ${new URL(server.url).origin}`)
    },
  )

  test('is not sent to another address', async () => {
    await desk.login(server.url)
    const { url, asked } = await openStranger((_request, response) => response.end('{}'))
    const { code, complaint } = await desk.run(['whoami', '--url', url])
    expect([code, complaint]).toEqual([2, `You are not signed in at ${url}: cartulary login --url ${url}`])
    expect(asked).toEqual([])
  })

  test('of an app is by its id and secret alone, and by no word of the command line', async () => {
    const admin = await server.admin()
    const { id: itemId } = await admin.post('/content/users/admin/addItem', { title: 'Robot', type: 'Application' })
    const app = await admin.post('/oauth2/registerApp', {
      itemId,
      appType: 'server',
      privileges: ['portal:admin:updateItemCategorySchema'],
    })
    const environment = {
      CARTULARY_URL: server.url,
      CARTULARY_CLIENT_ID: app.client_id,
      CARTULARY_CLIENT_SECRET: app.client_secret,
    }
    const { code, printed } = await desk.run(['whoami', '--json'], { environment })
    expect([code, JSON.parse(printed)]).toEqual([0, expect.objectContaining({ user: null, app: 'Robot' })])
    expect((await desk.run(['plan', 'template:inspire', '--to', 'org'], { environment })).printed).toContain('+ add')
    expect((await desk.run(['whoami'], { environment: { ...environment, CARTULARY_CLIENT_SECRET: 'x' } })).code).toBe(2)
  })

  test('is renewed by the command of the profile, after the portal ended it', async () => {
    await desk.login(server.url)
    const path = join(desk.home, 'cartulary', 'config.json')
    const config = JSON.parse(readFileSync(path, 'utf8'))
    // The program has the password of elsewhere, and sees of this one what any process of this machine may see.
    const elsewhere = new Desk().file('password', adminPassword)
    const [own, seen] = [desk.path('prints-password.mjs'), desk.path('seen')]
    writeFileSync(
      own,
      `import { readFileSync, writeFileSync } from 'node:fs'
      const ofProcess = [process.ppid, process.pid].flatMap((pid) => ['cmdline', 'environ'].map((name) => \`/proc/\${pid}/\${name}\`))
      writeFileSync(${JSON.stringify(seen)}, ofProcess.map((path) => readFileSync(path)).join('\\n'))
      console.log(readFileSync(${JSON.stringify(elsewhere)}, 'utf8'))`,
    )
    const command = [process.execPath, own]
    const withCommand = (credentialCommand: unknown) =>
      writeFileSync(path, JSON.stringify({ profiles: { default: { ...config.profiles.default, credentialCommand } } }))
    const { token: kept } = JSON.parse(readFileSync(join(desk.home, 'cartulary', 'tokens.json'), 'utf8')).tokens.default
    await server.anonymous.post('/oauth2/revokeToken', { auth_token: kept })
    expect((await desk.run(['whoami'])).code).toBe(2)
    withCommand('echo password')
    expect((await desk.run(['whoami'])).complaint).toContain('has to be a list of words')
    withCommand(command)
    expect((await desk.run(['whoami'])).code).toBe(0)
    expect(readFileSync(seen, 'utf8')).toContain('prints-password.mjs')
  })
})

describe('files of sign-ins are refused', () => {
  test.each<[what: string, file: string, mode: number, sentence: string]>([
    ['that others may read', 'tokens.json', 0o644, 'chmod go-rwx'],
    ['that others may write', 'config.json', 0o622, 'chmod go-w'],
    ['in a folder that others may write', '.', 0o777, 'chmod go-w'],
  ])('%s, with the command that mends it', async (_, file, mode, sentence) => {
    await desk.login(server.url)
    chmodSync(join(desk.home, 'cartulary', file), mode)
    const { code, complaint } = await desk.run(['whoami'])
    expect([code, complaint]).toEqual([2, expect.stringContaining(sentence)])
  })

  test('that are broken, and stay as they are', async () => {
    mkdirSync(join(desk.home, 'cartulary'), { recursive: true, mode: 0o700 })
    const path = join(desk.home, 'cartulary', 'config.json')
    writeFileSync(path, '{"profiles":', { mode: 0o600 })
    expect((await desk.run(['whoami'])).complaint).toContain('config.json')
    expect((await desk.login(server.url)).code).toBe(2)
    expect(readFileSync(path, 'utf8')).toBe('{"profiles":')
  })
})

describe('a repository of others names nothing but places and a profile:', () => {
  test.each<[what: string, content: unknown]>([
    ['no command', { format: 1, places: { org: 'a.json' }, credentialCommand: ['rm'] }],
    ['no address', { format: 1, places: { org: 'a.json' }, url: 'http://127.0.0.1:1' }],
    ['no other format', { format: 2, places: { org: 'a.json' } }],
    ['no file of nothing', { format: 1, places: {} }],
    ['no place that is none', { format: 1, places: { 'a.json': 'org' } }],
    ['no tests of other places', { format: 1, places: { org: 'a.json' }, tests: { 'group:x': [] } }],
    ['no tests without a place', { format: 1, places: { org: 'a.json' }, tests: [{ expect: '/Water' }] }],
    ['no file outside its folder', { format: 1, places: { org: 'b/../../a.json' } }],
    ['no file outside its folder, by a link', { format: 1, places: { org: 'link' } }],
    ['no text', 'places'],
  ])('%s', async (_, content) => {
    desk.file('cartulary.json', content)
    symlinkSync('/', desk.path('link'))
    const { code, complaint } = await desk.run(['plan', '--all'], { environment: token })
    expect([code, complaint]).toEqual([2, expect.stringMatching(/^cartulary\.json is not read: /)])
  })
})

test('files of a repository may begin with a byte order mark', async () => {
  desk.file('cartulary.json', `\ufeff${JSON.stringify({ format: 1, places: { org: 'a.json' } })}`)
  desk.file('a.json', { categorySchema: [{ title: 'Water' }] })
  desk.file('a.json.tests.json', '\ufeff{"tests":[{"expect":"/Water"}]}')
  expect((await desk.run(['schema', 'test', desk.path('a.json')])).printed).toContain('1 passed')
  const { complaint } = await desk.run(['plan', '--all'])
  expect(complaint).toContain('1 of 1 places')
})

test('an empty home is none: a working folder of others names no profile', async () => {
  const environment = { XDG_CONFIG_HOME: '', HOME: '' }
  expect(configFolder({ environment })).toBe(join(homedir(), '.config', 'cartulary'))
  expect(stateFolder({ environment: { HOME: '' } })).toBe(join(homedir(), '.local', 'state', 'cartulary'))
})

test('a home that is a file keeps no sign-in, and is named', async () => {
  writeFileSync(desk.home, '')
  const { code, complaint } = await desk.login(server.url)
  expect([code, complaint]).toEqual([2, `${join(desk.home, 'cartulary')} cannot be made.`])
})

describe('a schema file that cannot be read has exit code 2, and its name:', () => {
  test.each<[what: string, content: string | Uint8Array, sentence: string]>([
    ['no JSON', '{"categorySchema":[}', 'line 1, column'],
    ['other JSON', '{"a":1}', 'no array categorySchema'],
    ['a member twice', '{"categorySchema":[],"categorySchema":[]}', 'twice'],
    ['nothing', '', 'It is empty'],
    ['a page', '<!doctype html><p>x', 'HTML'],
    ['other bytes', Uint8Array.of(0x61, 0xff, 0x62), 'not UTF-8'],
  ])('%s', async (_, content, sentence) => {
    const path = desk.file('a.json', content)
    const { code, complaint } = await desk.run(['validate', path])
    expect([code, complaint]).toEqual([2, expect.stringContaining(sentence)])
    expect(complaint).toContain(path)
  })

  test('none, a folder or a device', async () => {
    expect(await desk.run(['validate', desk.path('none.json')])).toMatchObject({
      code: 2,
      complaint: `There is no file ${desk.path('none.json')}.`,
    })
    expect((await desk.run(['get', 'maps'])).complaint).toMatch(/^There is no file maps. A place .* group:<title>\.$/)
    expect((await desk.run(['validate', desk.folder])).complaint).toMatch(/ is no file: it is a folder, /)
    const { complaint } = await desk.run(['whoami', '--ca', '/dev/null', '--url', server.url], { environment: token })
    expect(complaint).toBe('--ca: /dev/null is no file: it is a folder, a device or a socket.')
  })

  test('and tests that are malformed, with their position', async () => {
    const bad = [
      { expect: 'x' },
      { expect: '/x', forbid: '/y' },
      { expect: '/x', items: '~ 3' },
      { expects: '/x' },
      'x',
    ]
    for (const one of bad) {
      const tests = [{ expect: '/A' }, one]
      const path = desk.file('a.json', { categorySchema: [{ title: 'A' }], tests })
      const { code, complaint } = await desk.run(['schema', 'test', path])
      expect([code, complaint]).toEqual([2, expect.stringContaining('tests/1')])
    }
  })
})

test('advice finds what rules allow, and is switched off by its name', async () => {
  const categorySchema = [
    {
      title: 'Themes',
      categories: [
        { title: 'Lakes', description: 'x' },
        { title: 'lakés ', description: 'x' },
        { title: 'Rivers', description: 'x', categories: [{ title: 'a;b' }] },
        { title: 'Livers', description: 'x' },
      ],
    },
  ]
  const rules = async (lint?: object) => {
    const path = desk.file('a.json', { categorySchema, ...(lint && { lint }) })
    const { code, printed } = await desk.run(['schema', 'lint', path, '--strict', '--json'])
    expect(code).toBe(1)
    return JSON.parse(printed).findings.map(({ rule, pointer }: { rule: string; pointer: string }) => [rule, pointer])
  }
  const at = (position: number | string) => `/categorySchema/0/categories/${position}`
  expect(await rules()).toEqual([
    ['same-title', at(1)],
    ['blank-ends', at(1)],
    ['single-child', at(2)],
    ['separator', at('2/categories/0')],
    ['no-description', at('2/categories/0')],
    ['near-title', at(3)],
  ])
  const off = ['same-title', 'blank-ends', 'single-child', 'separator', 'no-description']
  expect(await rules({ off })).toEqual([['near-title', at(3)]])
})
