import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { noteFormer } from '../support/databases/former-migrations.ts'
import { Folder } from '../support/portal/process.ts'
import { query } from './beside.ts'
import { before, openRotatable, openWith, settingsFor } from './rotated-database.ts'
import { command, served } from './run-command.ts'

test('user reset takes a password from standard input, and refuses one that is too short', async () => {
  const url = await openRotatable()
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

test('user reset works without a server too, and says that the user is disabled', async () => {
  const url = await openRotatable()
  await query(url, "update users set disabled = 1 where username = 'outsider'")
  const { printed } = await command(['user', 'reset', 'outsider'], settingsFor(url, before))
  expect(printed).toContain('outsider is disabled: run "cartulary user enable outsider".')
})

test.each([
  [['reset', 'nobody'], 'There is no user nobody; "cartulary user list" lists all of them.'],
  [
    ['role', 'admin', 'king'],
    'The role king does not exist. Roles are org_admin, org_publisher, org_user, org_viewer.',
  ],
])('user %j is refused in one sentence', async (words, complaint) => {
  const url = await openRotatable()
  expect(await command(['user', ...words], settingsFor(url, before))).toEqual({ code: 1, printed: '', complaint })
})

test('links have the address of the server that was last started, whatever the port of the command', async () => {
  using folder = new Folder()
  const settings = { ...settingsFor(`file:${join(folder.path, 'maps.db')}`, before), HOST: '127.0.0.1' }
  const server = await served(settings)
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
  const url = await openRotatable()
  await using _server = await openWith(url, before)
  for (const statement of noteFormer()) await query(url, statement)
  expect(await command(['user', 'enable', 'admin'], settingsFor(url, before))).toMatchObject({
    code: 1,
    complaint: expect.stringMatching(/in use by another process, which has not prepared it for this version/),
  })
})
