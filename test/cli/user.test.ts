import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { operatorName } from '../../src/cli/accounts/operator.ts'
import { temporaryFile } from '../storage/sqlite/temporary-file.ts'
import { changeTemporary, sendNewPassword } from '../support/portal/oauth.ts'
import { adminPassword, type TestPortal } from '../support/portal/portal.ts'
import { Folder, serve } from '../support/portal/process.ts'
import { until } from '../support/until.ts'
import { before, engines, openRotatable, openWith, query, settingsFor } from './rotated-database.ts'
import { command } from './run-command.ts'

/** A server with two organizations, and the commands of its operator beside it. */
async function openServed(open: () => Promise<string>) {
  const url = await openRotatable(open)
  const portal = await openWith(url, before)
  const user = (...words: readonly string[]) => command(['user', ...words], settingsFor(url, before))
  return { url, portal, user, [Symbol.asyncDispose]: () => portal[Symbol.asyncDispose]() }
}

const newPassword = (printed: string) => /^Password {2}(\S{24})$/m.exec(printed)![1]!

async function failSignIns(portal: TestPortal, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    await portal.anonymous.post('/generateToken', { username: 'admin', password: `wrong ${time}` })
  }
}

describe.each(engines)('beside a running server on %s', (_engine, open) => {
  test('user reset gives a password that is printed once, ends every session and the limits on sign-in', async () => {
    await using world = await openServed(open)
    const { portal, user, url } = world
    const admin = await portal.admin()
    expect(await admin.get('/community/self')).toMatchObject({ username: 'admin' })
    await failSignIns(portal, 10)
    expect(await portal.anonymous.post('/generateToken', { username: 'admin', password: adminPassword })).toMatchObject(
      {
        error: { code: 429 },
      },
    )
    const { code, printed, complaint } = await user('reset', 'ADMIN')
    expect([code, complaint]).toEqual([0, ''])
    const password = newPassword(printed)
    expect(printed.split(password)).toHaveLength(2)
    // A server on PostgreSQL is notified of it.
    await until('the session has ended', async () => (await admin.get('/community/self')).error?.code === 498)
    expect(await portal.anonymous.post('/generateToken', { username: 'admin', password: adminPassword })).toMatchObject(
      {
        error: { code: 400 },
      },
    )
    const recovered = await changeTemporary(portal, 'admin', password)
    const { items } = await recovered.get('/portals/self/history', { all: 'true', actors: operatorName() })
    expect(items).toEqual([
      expect.objectContaining({
        actor: operatorName(),
        action: 'reset',
        data: expect.objectContaining({ outcome: 'success' }),
      }),
    ])
    expect(JSON.stringify(await query(url, 'select * from audit'))).not.toContain(password)
  })

  test('user role makes an administrator where none is left, and user enable lets a disabled one in', async () => {
    await using world = await openServed(open)
    const { portal, user, url } = world
    const anna = await (await portal.admin()).invite('anna')
    await query(url, "update users set disabled = 1 where username = 'admin'")
    expect((await command(['organization', 'list'], settingsFor(url, before))).printed).toMatch(
      /^\S{16} {2}private {2}Cartulary {2}\(no administrator who may sign in\)$/m,
    )
    expect(await anna.get('/portals/self/history')).toMatchObject({ error: { code: 403 } })
    expect(await user('role', 'anna', 'org_admin')).toEqual({
      code: 0,
      printed: 'anna has the role org_admin.',
      complaint: '',
    })
    await until('the server is notified', async () => 'items' in (await anna.get('/portals/self/history')))
    expect(await user('enable', 'admin')).toEqual({ code: 0, printed: 'admin is enabled.', complaint: '' })
    const admin = await portal.admin()
    const { items } = await admin.get('/portals/self/history', {
      all: 'true',
      actors: operatorName(),
      sortOrder: 'asc',
    })
    expect(items.map(({ action, id }: { action: string; id: string }) => [action, id])).toEqual([
      ['updateUserRole', 'anna'],
      ['enable', 'admin'],
    ])
    expect(await user('role', 'anna', 'org_user')).toMatchObject({ code: 0 })
    expect(await user('role', 'admin', 'org_user')).toEqual({
      code: 1,
      printed: '',
      complaint: 'admin is the last administrator of the organization.',
    })
  })

  test('user list has every user with role and state, or those of one organization', async () => {
    await using world = await openServed(open)
    const { portal, user } = world
    const admin = await portal.admin()
    await admin.invite('anna')
    await admin.post('/community/users/anna/disable')
    const { printed } = await user('list')
    expect(printed.split('\n').map((line) => line.slice(18).split(/ {2,}/).join(' '))).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^org_admin enabled \d{4}-\d\d-\d\d admin$/),
        expect.stringMatching(/^org_user disabled \S+ anna$/),
        expect.stringMatching(/^org_admin enabled \S+ outsider$/),
      ]),
    )
    expect(printed.split('\n')).toHaveLength(3)
    const { id } = await admin.get('/portals/self')
    expect((await user('list', '--organization', id)).printed.split('\n')).toHaveLength(2)
    expect(await user('list', '--organization', 'nowhere')).toMatchObject({
      code: 1,
      complaint: 'There is no organization nowhere; "cartulary organization list" lists all of them.',
    })
  })
})

test('user reset takes a password from standard input, and refuses one that is too short', async () => {
  const url = await openRotatable(engines[0]![1])
  const reset = (typed: string) =>
    command(['user', 'reset', 'admin', '--password-stdin'], settingsFor(url, before), undefined, typed)
  expect(await reset('short')).toMatchObject({
    code: 1,
    complaint: 'The password has 5 characters; 8 to 128 are allowed.',
  })
  expect(await reset(' spaces on both sides ')).toEqual({
    code: 0,
    printed: 'admin has a new password. Every session of the user has ended, and failed sign-ins no longer count.',
    complaint: '',
  })
  await using portal = await openWith(url, before)
  expect((await portal.signIn('admin', ' spaces on both sides ')).token).toBeDefined()
})

describe.each(engines)('sessions and links beside a running server on %s', (_engine, open) => {
  test('user reset --link prints a link by which the user chooses a password', async () => {
    await using world = await openServed(open)
    const { portal, user } = world
    const admin = await portal.admin()
    const { code, printed } = await user('reset', 'admin', '--link')
    expect(code).toBe(0)
    const link = /\/sharing\/rest\/oauth2\/newPassword\?link=([\w-]{43})$/m.exec(printed)![1]!
    expect(await admin.get('/community/self')).toMatchObject({ username: 'admin' })
    const newPassword = 'chosen by a link'
    expect((await sendNewPassword(portal, { link, newPassword })).body).toContain('Password changed')
    expect((await portal.signIn('admin', newPassword)).token).toBeDefined()
  })

  test('user sessions lists the sign-ins of a user, and ends them; user disable does so for good', async () => {
    await using world = await openServed(open)
    const { portal, user } = world
    const anna = await (await portal.admin()).invite('anna')
    expect((await user('sessions', 'anna')).printed).toMatch(/^\S+ {2}until \S+ {2}token .* 127\.0\.0\.1 /)
    expect(await user('sessions', 'anna', '--end')).toEqual({
      code: 0,
      printed: 'Every session of anna has ended.',
      complaint: '',
    })
    await until('the session has ended', async () => (await anna.get('/community/self')).error?.code === 498)
    expect((await user('sessions', 'anna')).printed).toBe('anna has no session.')
    const again = await portal.signIn('anna', adminPassword)
    expect(await user('disable', 'anna')).toMatchObject({ code: 0, complaint: '' })
    await until('the session has ended', async () => (await again.get('/community/self')).error?.code === 498)
    expect(await user('disable', 'admin')).toMatchObject({
      code: 1,
      complaint: 'admin is the last administrator of the organization.',
    })
  })

  test('user create makes a user whose password has to be changed, in the organization that is named', async () => {
    await using world = await openServed(open)
    const { portal, user } = world
    const { id } = await (await portal.admin()).get('/portals/self')
    const { printed } = await user('create', 'bruno', '--organization', id, '--role', 'org_admin')
    const bruno = await changeTemporary(portal, 'bruno', newPassword(printed))
    expect(await bruno.get('/community/self')).toMatchObject({ username: 'bruno', role: 'org_admin', orgId: id })
    const refused = async (...words: readonly string[]) => (await user('create', ...words)).complaint
    expect(await refused('bruno', '--organization', id)).toBe('The username bruno is taken.')
    expect(await refused('carla')).toBe(
      'There are 2 organizations: choose one by --organization; "cartulary organization list" lists all of them.',
    )
    expect(await refused('carla', '--organization', id, '--role', 'king')).toContain('The role king does not exist.')
    expect(await refused('c', '--organization', id)).toContain('A username has 3 to 128')
  })
})

test('user reset works without a server too, and says that the user is disabled', async () => {
  const url = await openRotatable(engines[0]![1])
  await query(url, "update users set disabled = 1 where username = 'outsider'")
  const { printed } = await command(['user', 'reset', 'outsider'], settingsFor(url, before))
  expect(printed).toContain('outsider is disabled: run "cartulary user enable outsider".')
})

test.each([
  [['reset'], 'user reset needs a username.'],
  [['reset', 'admin', 'secret password'], 'Unexpected argument secret password.'],
  [['role', 'admin'], 'user role needs a username and a role, such as org_admin.'],
  [['remove', 'admin'], 'Unknown subcommand remove (list, create, reset, sessions, disable, enable, role).'],
])('user %j is refused with the way to the usage', async (words, sentence) => {
  const ended = await command(['user', ...words], settingsFor(`file:${temporaryFile()}`, before))
  expect(ended).toEqual({
    code: 1,
    printed: '',
    complaint: `${sentence}\nRun "cartulary help" for the commands and their arguments.`,
  })
})

test.each([
  [['reset', 'nobody'], 'There is no user nobody; "cartulary user list" lists all of them.'],
  [
    ['role', 'admin', 'king'],
    'The role king does not exist. Roles are org_admin, org_publisher, org_user, org_viewer, and those of the organization, by id or by name.',
  ],
])('user %j is refused in one sentence', async (words, complaint) => {
  const url = await openRotatable(engines[0]![1])
  expect(await command(['user', ...words], settingsFor(url, before))).toEqual({ code: 1, printed: '', complaint })
})

test('links have the address of the server that was last started, whatever the port of the command', async () => {
  using folder = new Folder()
  const settings = { ...settingsFor(`file:${join(folder.path, 'maps.db')}`, before), HOST: '127.0.0.1' }
  const server = await serve({ folder: folder.path, environment: { ...settings, PORT: '0' } })
  const { port } = new URL(server.url)
  const printed = async (more: Readonly<Record<string, string>> = {}) =>
    (await command(['user', 'reset', 'admin', '--link'], { ...settings, ...more })).printed.split('\n')
  const link = (root: string) =>
    expect.stringMatching(new RegExp(`^${root}/sharing/rest/oauth2/newPassword\\?link=\\S+$`))
  expect((await printed({ PORT: '9999' }))[1]).toEqual(link(`http://localhost:${port}`))
  expect((await printed({ PUBLIC_URL: 'http://maps.example.com' }))[1]).toEqual(link('http://maps.example.com'))
  await server.stop()
  expect((await printed())[1]).toEqual(link(`http://localhost:${port}`))
  rmSync(join(folder.path, 'maps.db.address'))
  expect((await printed()).slice(1, 3)).toEqual([
    'The port is the default. If the server has another one, run this command with the same PORT or PUBLIC_URL.',
    link('http://localhost:8080'),
  ])
  expect((await printed({ PORT: '9999' }))[1]).toEqual(link('http://localhost:9999'))
})

test('a command refuses a folder in place of the database, and names the setting', async () => {
  using folder = new Folder()
  const complaint = `DATABASE_URL is file:${folder.path}, which is a folder: name a file in it, such as ${folder.path}/cartulary.db.`
  for (const words of [['user', 'reset', 'admin'], ['organization', 'list'], ['prune']]) {
    expect(await command(words, settingsFor(`file:${folder.path}`, before))).toEqual({
      code: 1,
      printed: '',
      complaint,
    })
  }
})

test('a command beside a process that is still preparing the file is refused, and migrates nothing', async () => {
  const url = await openRotatable(engines[0]![1])
  await using _server = await openWith(url, before)
  await query(url, 'delete from kysely_migration where name = (select max(name) from kysely_migration)')
  expect(await command(['user', 'enable', 'admin'], settingsFor(url, before))).toMatchObject({
    code: 1,
    complaint: expect.stringMatching(/in use by another process, which has not prepared it for this version/),
  })
})

test('a command beside a server that is written to all the time succeeds, and no write of the server fails', async () => {
  using folder = new Folder()
  const settings = settingsFor(`file:${join(folder.path, 'maps.db')}`, before)
  await using server = await serve({ folder: folder.path, environment: settings })
  const token = await server.signIn('admin', adminPassword)
  let isOver = false
  const writers = Array.from({ length: 16 }, async (_, writer) => {
    const answers = new Set<string>()
    for (let round = 0; !isOver; round += 1) {
      const description = `Round ${writer}.${round}`
      const answer = await server.post('/portals/self/update', { token, description })
      answers.add(answer.success ? 'success' : JSON.stringify(answer))
    }
    return [...answers]
  })
  for (const name of ['one', 'two', 'three']) {
    const words = ['organization', 'create', '--name', name, '--admin', `admin-${name}`, '--password', adminPassword]
    expect(await command(words, settings)).toMatchObject({ code: 0, complaint: '' })
    expect(await server.signIn(`admin-${name}`, adminPassword)).toMatch(/^\S{43}$/)
  }
  isOver = true
  expect(await Promise.all(writers)).toEqual(writers.map(() => ['success']))
})
