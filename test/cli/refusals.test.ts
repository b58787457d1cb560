import { once } from 'node:events'
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeCertificate } from '../support/portal/certificate.ts'
import { Folder } from '../support/portal/process.ts'
import { copyOf, originalFile } from './copied-database.ts'
import { command } from './run-command.ts'

/** Runs a command that is asked to end as soon as it is ready. */
function start(environment: Readonly<Record<string, string>>, words: readonly string[] = []) {
  return command(words, { PORT: '0', ...environment }, AbortSignal.abort())
}

/** A database after its first start, which tests copy; the file of its secret is beside it. */
let original: string

beforeAll(async () => {
  original = originalFile()
  expect((await start({ DATABASE_URL: `file:${original}` })).code).toBe(0)
}, 600_000)

/** A copy without the file of the secret. */
async function aDatabase(): Promise<string> {
  return (await copyOf(`file:${original}`)).slice('file:'.length)
}

const memory = { DATABASE_URL: 'file::memory:' }
const sentence = /^[^\n]+\.$/

test.each([
  [0o600, ''],
  [0o644, 'Others than its owner may use the file of the secret (mode 644): chmod 600 KEY.\n'],
])('a start with a file of the secret of mode %o complains: %s', async (mode, complaint) => {
  const file = await aDatabase()
  const key = `${file}.key`
  copyFileSync(`${original}.key`, key)
  chmodSync(key, mode)
  expect(await start({ DATABASE_URL: `file:${file}` })).toMatchObject({
    code: 0,
    complaint: complaint.replace('KEY', key).trim(),
  })
})

describe('a start is refused with one sentence', () => {
  test.each([['a path below a file', (folder: string) => `file:${folder}/file/below.db`]])(
    'where the database is %s',
    async (_what, urlIn) => {
      using folder = new Folder()
      writeFileSync(
        join(folder.path, 'file'),
        'This is no database, and it is long enough to be seen as none. '.repeat(20),
      )
      const { code, complaint } = await start({ DATABASE_URL: urlIn(folder.path) })
      expect(code).toBe(1)
      expect(complaint).toMatch(sentence)
      expect(complaint).toMatch(/^The database .*cannot be (opened|used)/)
    },
  )

  test('where the database was made by a newer version', async () => {
    const file = await aDatabase()
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
    const second = {
      DATABASE_URL: `file:${await aDatabase()}`,
      SECRET_KEY: 'the second of two secrets for one database',
    }
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
    [
      'the host does not exist',
      { HOST: 'nowhere.invalid', PUBLIC_URL: 'http://a.example' },
      /^HOST is nowhere\.invalid, a name for which no address is found \(E\w+\)\.$/,
    ],
    [
      'the host is not of this machine',
      { HOST: '192.0.2.1', PUBLIC_URL: 'http://a.example' },
      /^HOST is 192\.0\.2\.1, which is no address of this machine\.$/,
    ],
  ])('where %s', async (_what, environment, words) => {
    const { code, complaint } = await start({ ...memory, ...environment })
    expect(code).toBe(1)
    expect(complaint).toMatch(/^[^\n]+$/)
    expect(complaint).toMatch(words)
    expect(complaint).not.toContain('short\n')
  })

  test('where a port is taken, before anything is made and a password is shown', async () => {
    using folder = new Folder()
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const DATABASE_URL = `file:${folder.path}/maps.db`
    const taken = await start({ DATABASE_URL, PORT: String(port) })
    const sentence = `The address 127.0.0.1:${port} is in use; set PORT or HOST to another one.`
    expect(taken).toEqual({ code: 1, printed: '', complaint: sentence })
    const both = { PORT: String(port), METRICS_PORT: String(port), METRICS_HOST: 'localhost' }
    const refused = await start({ DATABASE_URL, ...both, METRICS_HOST: 'no.such.host.invalid' })
    other.close()
    expect(refused.complaint.split('\n')).toEqual([
      sentence,
      expect.stringMatching(
        /^METRICS_HOST is no\.such\.host\.invalid, a name for which no address is found \(E\w+\)\.$/,
      ),
    ])
    expect(readdirSync(folder.path)).toEqual([])
  })

  test.each([
    [
      'a folder',
      'folder',
      'DATABASE_URL is file:FILE, which is a folder: name a file in it, such as FILE/cartulary.db.',
    ],
    ['a file of something else', 'README.md', 'The database FILE cannot be opened: it is no SQLite database.'],
  ])('where the database is %s, and no lock is left beside it', async (_what, name, sentence) => {
    using folder = new Folder()
    mkdirSync(join(folder.path, 'folder'))
    writeFileSync(join(folder.path, 'README.md'), '# Maps')
    const file = join(folder.path, name)
    expect(await start({ DATABASE_URL: `file:${file}` })).toEqual({
      code: 1,
      printed: '',
      complaint: sentence.replaceAll('FILE', file),
    })
    expect(readdirSync(folder.path).sort()).toEqual(['README.md', 'folder'])
  })

  test('where files are in folders that do not exist, all of them together with wrong settings, and none is made', async () => {
    using folder = new Folder()
    const path = join(folder.path, 'no', 'such')
    const ended = await start({
      DATABASE_URL: `file:${path}/maps.db`,
      SECRET_KEY_FILE: `${path}/key`,
      TLS_CERT_FILE: `${path}/cert.pem`,
      TLS_KEY_FILE: `${path}/key.pem`,
      LOG_LEVEL: 'loud',
    })
    const advice = `but there is no folder ${path}: correct the path, or make the folder (mkdir -p).`
    expect(ended.code).toBe(1)
    expect(ended.complaint.split('\n')).toEqual([
      'LOG_LEVEL is loud; it has to be one of fatal, error, warn, info, debug, silent.',
      `DATABASE_URL is file:${path}/maps.db, ${advice}`,
      `SECRET_KEY_FILE is ${path}/key, ${advice}`,
      expect.stringMatching(/^TLS_CERT_FILE is .*cert\.pem, which cannot be read: ENOENT/),
      expect.stringMatching(/^TLS_KEY_FILE is .*key\.pem, which cannot be read: ENOENT/),
    ])
    expect(readdirSync(folder.path)).toEqual([])
  })

  test('where the database was copied without the file of its secret, and none is made', async () => {
    const file = await aDatabase()
    const { code, complaint } = await start({ DATABASE_URL: `file:${file}` })
    expect(code).toBe(1)
    expect(complaint).toBe(
      `The file of the secret, ${file}.key, is missing: the private keys in this database need it. ` +
        'Put it back; if it is lost for good, "cartulary secret renew" says how to go on without it.',
    )
    expect(existsSync(`${file}.key`)).toBe(false)
  })

  test('where the certificate and its key are neither', async () => {
    using folder = new Folder()
    const file = join(folder.path, 'cert.pem')
    writeFileSync(file, 'This is no certificate.')
    const { code, complaint } = await start({ ...memory, TLS_CERT_FILE: file, TLS_KEY_FILE: file })
    expect(code).toBe(1)
    expect(complaint.split('\n')).toEqual([
      expect.stringMatching(/^TLS_CERT_FILE is .*, which has not a certificate in PEM that can be used: .*\.$/),
      expect.stringMatching(/^TLS_KEY_FILE is .*, which has not a private key in PEM that can be used: .*\.$/),
    ])
  })

  test('where the key is that of another certificate', async () => {
    using folder = new Folder()
    const [certFile, keyFile] = [join(folder.path, 'cert.pem'), join(folder.path, 'key.pem')]
    writeFileSync(certFile, makeCertificate('localhost').cert)
    writeFileSync(keyFile, makeCertificate('localhost').key)
    expect(await start({ ...memory, TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile })).toEqual({
      code: 1,
      printed: '',
      complaint: `TLS_KEY_FILE is ${keyFile}, which is not the key of the certificate in ${certFile}.`,
    })
  })
})

describe('a command', () => {
  test.each(['toString', '__proto__', 'constructor'])('called %s is not known', async (name) => {
    expect(await start(memory, [name])).toMatchObject({ code: 2 })
  })
})
