import { execFile, spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { findFreePort, queryAt } from '../support/databases/postgres.ts'
import { emptyDatabase } from '../support/databases/test-database.ts'
import { Folder } from '../support/portal/process.ts'
import { aMachine, firstPassword } from './machine.ts'
import { paste, readDocument, shellBlocks, startServer, walkPassword } from './shell-walk.ts'

/** The commands of the documents for operators that are not about troubles, as they stand there. */

const run = readDocument('docs/run.md')
/** Whether there is the program that the questions to the log are written for. */
const hasJq = spawnSync('jq', ['--version']).status === 0

const [handshake, pipeline] = ['handshake', 'pipeline'].map((name) =>
  fileURLToPath(new URL(`../../examples/${name}.sh`, import.meta.url)),
) as [string, string]

const signIn = { username: 'admin', password: firstPassword }

test('docs/run.md: a diagnosis, the settings, and what is kept', async () => {
  const [doctor, config] = shellBlocks(run, 'Diagnosis')
  const [prune] = shellBlocks(run, 'Retention')
  const machine = await aMachine()
  expect(await machine.paste(doctor!)).toContain('There are no problems')
  expect(await machine.paste(config!)).toMatch(/^#PORT=8080$/m)
  await machine.stop()
  expect(await machine.paste(prune!)).toMatch(/Nothing was removed[\s\S]*Removed 0 versions and 0 audit entries/)
})

test('docs/run.md: a database on PostgreSQL, and the move there', async () => {
  const [, statements] = /```sql\n(.*?)```/s.exec(run)!
  const [move] = shellBlocks(run, 'From SQLite to PostgreSQL, and back')
  const present = await emptyDatabase()
  const name = `documented_${new URL(present).pathname.slice(1)}`
  onTestFinished(async () => {
    await queryAt(present, `drop database if exists ${name} with (force)`)
    await queryAt(present, `drop role if exists ${name}`)
  })
  for (const statement of statements!.replaceAll('cartulary', name).split(/;\n/).filter(Boolean)) {
    await queryAt(present, statement)
  }
  const target = Object.assign(new URL(present), { username: name, password: '…', pathname: name }).href
  const machine = await aMachine()
  await machine.stop()
  const [documented] = /postgres:\/\/\S+/.exec(move!)!
  expect(await machine.paste(move!.replace(documented, target))).toContain('every table has the same rows there')
  expect(await queryAt(target, 'select username from users')).toEqual([{ username: 'admin' }])
})

test('docs/secret.md: the secret of one server is replaced, and everything that was sealed is opened', async () => {
  const [rotate] = shellBlocks(readDocument('docs/secret.md'), 'One server on SQLite')
  const machine = await aMachine()
  const before = await machine.server.post('/portals/self/publicKey', { token: await tokenOf() })
  expect(await machine.paste(rotate!)).toContain('There are no problems')
  expect(existsSync(join(machine.folder.path, 'data/cartulary.db.key.previous'))).toBe(true)
  expect(await machine.server.post('/portals/self/publicKey', { token: await tokenOf() })).toEqual(before)

  async function tokenOf() {
    return (await machine.server.post('/generateToken', signIn)).token as string
  }
})

test('docs/importing.md: a dry run says what would change, and a condition that does not hold is refused', async () => {
  const [block] = /(?<=```sh\n)[^`]*/.exec(readDocument('docs/importing.md'))!
  using folder = new Folder()
  writeFileSync(join(folder.path, 'categories.csv'), 'Themes\nThemes,Water\n')
  await using server = await startServer()
  const answer = await fetch(`${server.api}/generateToken`, {
    method: 'POST',
    body: new URLSearchParams({ username: 'admin', password: walkPassword }),
  })
  const { token } = (await answer.json()) as { token: string }
  const environment = { TOKEN: token, ROOT: server.api.replace('/sharing/rest', '') }
  const { stdout } = await paste(block!.replaceAll('curl ', 'curl -s '), environment, folder.path)
  expect(stdout).toContain('"added": 1')
  expect(stdout).toContain('The schema is at version 0, not 7')
})

test.skipIf(!hasJq)('docs/monitor.md: questions to the log', async () => {
  const monitor = readDocument('docs/monitor.md')
  const [line] = /(?<=```json\n)\{.*"message":"request"\}/.exec(monitor)!
  const [questions] = /(?<=```sh\n)journalctl[^`]*/.exec(monitor)!
  const refused = JSON.stringify({ ...JSON.parse(line!), outcome: 403, milliseconds: 1_001 })
  // As the journal has them: lines of systemd, sentences of standard error.
  const journal = `journalctl() { echo 'Started cartulary.service - Cartulary.'; echo '${refused}'; echo 'The port is in use.'; }\n`
  const { stdout } = await paste(`${journal}${questions}`)
  expect(stdout.trimEnd().split('\n')).toEqual([
    '["2026-11-20T12:00:00.123Z","anna","assignGroupCategorySchema","203.0.113.9"]',
    '["assignGroupCategorySchema",1001]',
    refused,
  ])
})

test('docs/inviting.md: what the handshake of host and guest prints at its end is what the page shows', async () => {
  const ports = { HOST_PORT: String(await findFreePort()), GUEST_PORT: String(await findFreePort()) }
  const { stdout } = await promisify(execFile)('bash', [handshake], { env: { ...process.env, ...ports } })
  const shown = /```\n(\{.*?)```/s.exec(readDocument('docs/inviting.md').split('## Host and guest\n')[1]!)![1]!
  expect(stdout).toContain('guest: Host (Host), Guest (Guest)')
  expect(stdout.endsWith(shown)).toBe(true)
})

test('examples/pipeline.sh: an app governs categories and takes back an invitation without a token of a person', async () => {
  const env = { ...process.env, PORT: String(await findFreePort()) }
  const { stdout } = await promisify(execFile)('bash', [pipeline], { env })
  const [, , plan, assigns, restore, invalidate, renewed] = stdout.split(/\n\x1b\[1m.*\x1b\[0m\n/).slice(1)
  expect(plan).toBe('version 0: add /Themes\n')
  expect(assigns).toBe('{"success":true,"version":1}\n{"success":true,"version":2}\n')
  expect(restore).toBe('{"success":true,"version":3}\n')
  expect(invalidate).toBe('{"success":true}\n')
  const withEither = renewed!.trim().split('\n')
  expect(withEither).toHaveLength(2)
  for (const versions of withEither) {
    expect(versions).toMatch(/^restore by (app:\w{16}), assign by \1, assign by \1$/)
  }
})
