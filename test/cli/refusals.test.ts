import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { Folder } from '../support/portal/process.ts'
import { command } from './run-command.ts'

/** Runs a command that is asked to end as soon as it is ready. */
function start(environment: Readonly<Record<string, string>>, words: readonly string[] = []) {
  return command(words, { PORT: '0', ...environment }, AbortSignal.abort())
}

const memory = { DATABASE_URL: 'file::memory:' }
const sentence = /^[^\n]+\.$/

test.each([
  [0o600, ''],
  [0o644, 'Others than its owner may use the file of the secret (mode 644): chmod 600 KEY.\n'],
])('a start with a file of the secret of mode %o complains: %s', async (mode, complaint) => {
  using folder = new Folder()
  const settings = { DATABASE_URL: `file:${folder.path}/maps.db` }
  const key = `${folder.path}/maps.db.key`
  expect((await start(settings)).code).toBe(0)
  chmodSync(key, mode)
  expect(await start(settings)).toMatchObject({ code: 0, complaint: complaint.replace('KEY', key).trim() })
})

describe('a start is refused with one sentence', () => {
  test.each([
    ['a path below a file', (folder: string) => `file:${folder}/file/below.db`],
    ['a folder', (folder: string) => `file:${folder}`],
    ['a file of something else', (folder: string) => `file:${folder}/file`],
  ])('where the database is %s', async (_what, urlIn) => {
    using folder = new Folder()
    writeFileSync(
      join(folder.path, 'file'),
      'This is no database, and it is long enough to be seen as none. '.repeat(20),
    )
    const { code, complaint } = await start({ DATABASE_URL: urlIn(folder.path) })
    expect(code).toBe(1)
    expect(complaint).toMatch(sentence)
    expect(complaint).toMatch(/^The database .*cannot be (opened|used)/)
  })

  test('where the database was made by a newer version', async () => {
    using folder = new Folder()
    const file = join(folder.path, 'maps.db')
    expect((await start({ DATABASE_URL: `file:${file}` })).code).toBe(0)
    const database = new Database(file)
    database.exec("INSERT INTO kysely_migration VALUES ('999-later', '2030-01-01T00:00:00.000Z')")
    database.close()
    const { code, complaint } = await start({ DATABASE_URL: `file:${file}` })
    expect(code).toBe(1)
    expect(complaint).toMatch(sentence)
    expect(complaint).toMatch(/newer version.*999-later/)
  })

  const wrongSecret =
    'The private keys of 1 of 1 organizations do not open: they are sealed under a secret that is neither in ' +
    'SECRET_KEY or SECRET_KEY_FILE nor in PREVIOUS_SECRET_KEY or PREVIOUS_SECRET_KEY_FILE. If that one is lost for good, ' +
    '"cartulary secret renew" says how to go on without it.'

  test('where SECRET_KEY is not the one of the database', async () => {
    using folder = new Folder()
    const first = {
      DATABASE_URL: `file:${folder.path}/maps.db`,
      SECRET_KEY: 'the first of two secrets for one database',
    }
    expect((await start(first)).code).toBe(0)
    expect((await start(first)).code).toBe(0)
    const second = { ...first, SECRET_KEY: 'the second of two secrets for one database' }
    expect(await start(second)).toEqual({ code: 1, complaint: wrongSecret, printed: '' })
    const words = ['organization', 'create', '--name', 'Seas', '--admin', 'sea']
    expect(await start(second, words)).toEqual({ code: 1, complaint: wrongSecret, printed: '' })
  })

  test.each([
    ['is a folder', (path: string) => mkdirSync(path)],
    ['is empty', (path: string) => writeFileSync(path, '\n')],
    ['is too short', (path: string) => writeFileSync(path, 'a'.repeat(31))],
    ['has one letter again and again', (path: string) => writeFileSync(path, 'a'.repeat(64))],
  ])('where the file of the secret %s', async (_what, make) => {
    using folder = new Folder()
    const path = join(folder.path, 'secret')
    make(path)
    const { code, complaint } = await start({ ...memory, SECRET_KEY_FILE: path })
    expect(code).toBe(1)
    expect(complaint).toMatch(sentence)
    expect(complaint).toContain(path)
    expect(complaint).not.toContain('aaa')
  })

  test.each([
    ['the password of the administrator is too short', { ADMIN_PASSWORD: 'short' }, /password/i],
    ['the name of the administrator has a space', { ADMIN_USERNAME: 'ad min' }, /username/i],
    ['the name of the organization is too long', { ORGANIZATION_NAME: 'x'.repeat(300) }, /ORGANIZATION_NAME/],
    ['the host does not exist', { HOST: 'nowhere.invalid' }, /nowhere\.invalid/],
    ['the host is not of this machine', { HOST: '192.0.2.1' }, /192\.0\.2\.1/],
  ])('where %s', async (_what, environment, words) => {
    const { code, complaint } = await start({ ...memory, ...environment })
    expect(code).toBe(1)
    expect(complaint).toMatch(/^[^\n]+$/)
    expect(complaint).toMatch(words)
    expect(complaint).not.toContain('short\n')
  })

  test('where the port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const { code, complaint, printed } = await start({ ...memory, PORT: String(port) })
    other.close()
    expect(code).toBe(1)
    expect(complaint).toBe(`The address 127.0.0.1:${port} is in use; set PORT or HOST to another one.`)
    // The database is made by then: a password that is not shown now would be lost.
    expect(printed).toMatch(/Password {7}[\w-]{24}/)
  })

  test('where the database was copied without the file of its secret, and none is made', async () => {
    using folder = new Folder()
    const file = join(folder.path, 'maps.db')
    expect((await start({ DATABASE_URL: `file:${file}` })).code).toBe(0)
    rmSync(`${file}.key`)
    const { code, complaint } = await start({ DATABASE_URL: `file:${file}` })
    expect(code).toBe(1)
    expect(complaint).toBe(
      `The file of the secret, ${file}.key, is missing: the private keys in this database need it. ` +
        'Put it back; if it is lost for good, "cartulary secret renew" says how to go on without it.',
    )
    expect(existsSync(`${file}.key`)).toBe(false)
  })

  test('where a file of the certificate is not there', async () => {
    using folder = new Folder()
    const missing = join(folder.path, 'cert.pem')
    const { code, complaint } = await start({ ...memory, TLS_CERT_FILE: missing, TLS_KEY_FILE: missing })
    expect(code).toBe(1)
    expect(complaint).toMatch(sentence)
    expect(complaint).toContain(`TLS_CERT_FILE is ${missing}, which cannot be read`)
  })

  test('where the certificate is none', async () => {
    using folder = new Folder()
    const file = join(folder.path, 'cert.pem')
    writeFileSync(file, 'This is no certificate.')
    const { code, complaint } = await start({ ...memory, TLS_CERT_FILE: file, TLS_KEY_FILE: file })
    expect(code).toBe(1)
    expect(complaint).toMatch(/^TLS_CERT_FILE and TLS_KEY_FILE are not a certificate and its key in PEM: [^\n]+\.$/)
  })
})

describe('a command', () => {
  test.each(['toString', '__proto__', 'constructor'])('called %s is not known', async (name) => {
    expect(await start(memory, [name])).toMatchObject({ code: 1 })
  })

  test('serve takes no arguments', async () => {
    const { code, complaint } = await start(memory, ['serve', '--port', '80'])
    expect(code).toBe(1)
    expect(complaint).toMatch(/^Unexpected argument --port\.\n/)
  })
})
