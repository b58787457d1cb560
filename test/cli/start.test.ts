import { existsSync, mkdirSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runCommand } from '../../src/cli/cli.ts'
import { Folder, run, serve } from '../support/portal/process.ts'

const olderNode =
  'data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"20.19.0"}})'

/** The password in the frame, if there is one. */
function framedPassword(text: string): string | undefined {
  return /Password {7}(\S{20,})/.exec(text)?.[1]
}

/** The public address of a server that was given none. */
function rootOf(url: string): string {
  return `http://localhost:${new URL(url).port}`
}

/** The secret in the link that is in the frame, if there is one. */
function framedSecret(text: string, url: string): string | undefined {
  return new RegExp(`${url}/first-run#(\\S{43})`).exec(text)?.[1]
}

describe.concurrent('a first start', () => {
  test('makes the database, the key file and an administrator, whose password it puts into a file', async ({
    expect,
  }) => {
    using folder = new Folder()
    let password: string | undefined
    {
      await using first = await serve({ folder: folder.path })
      const file = './data/cartulary.db.password'
      const linkFile = './data/cartulary.db.first-run'
      expect(first.log[0]).toEqual({
        level: 'info',
        time: expect.any(String),
        message: `The database ${join(realpathSync(folder.path), 'data', 'cartulary.db')} is new. The organization Cartulary was made, with the administrator admin, whose password is in the file ${file}: sign in, keep it, and delete the file. Or open the link in the file ${linkFile}, once, within 24 hours and before the first sign-in, to choose name, administrator and password in a browser.`,
        portalId: expect.stringMatching(/^[A-Za-z0-9]{16}$/),
        user: 'admin',
      })
      expect(statSync(join(folder.path, file)).mode & 0o777).toBe(0o600)
      password = readFileSync(join(folder.path, file), 'utf8').trimEnd()
      expect(await first.signIn('admin', password)).toMatch(/^\S{43}$/)
      expect((await first.stop()).code).toBe(0)
      expect(`${first.out}${first.err}`).not.toContain(password)
      expect(statSync(join(folder.path, linkFile)).mode & 0o777).toBe(0o600)
      const secret = framedSecret(readFileSync(join(folder.path, linkFile), 'utf8'), rootOf(first.url))
      expect(secret).toBeDefined()
      expect(`${first.out}${first.err}`).not.toContain(secret)
    }
    const key = join(folder.path, 'data', 'cartulary.db.key')
    expect(statSync(key).mode & 0o777).toBe(0o600)
    expect(statSync(join(folder.path, 'data', 'cartulary.db')).mode & 0o777).toBe(0o600)
    expect(readFileSync(key, 'utf8').trim().length).toBeGreaterThanOrEqual(32)
    const former = { LIMIT_SCHEMA_BYTES_PER_OWNER: '1', LIMIT_SCHEMA_BYTES_PER_USER: 'none' }
    const environment = { ADMIN_PASSWORD: 'another password', ...former }
    await using second = await serve({ folder: folder.path, environment })
    expect(second.out).not.toContain(' is new.')
    expect(second.log.filter(({ level }) => level === 'warn')).toEqual([])
    await second.wrote(/without effect/)
    await second.wrote(/no effect/)
    const sentences = second.log.map(({ message }) => String(message))
    expect(sentences.filter((sentence) => /without effect/.test(sentence))).toEqual([
      'LIMIT_SCHEMA_BYTES_PER_OWNER and LIMIT_SCHEMA_BYTES_PER_USER are no settings any more and without effect: remove them.',
    ])
    expect(second.log.filter(({ message }) => /no effect/.test(String(message)))).toEqual([
      {
        level: 'info',
        time: expect.any(String),
        message:
          'ADMIN_PASSWORD has no effect: the database has an organization already. "cartulary user reset <username>" gives a user another password, "cartulary user create <username>" makes another user.',
      },
    ])
    expect(readFileSync(join(folder.path, 'data', 'cartulary.db.password'), 'utf8').trimEnd()).toBe(password)
    expect(await second.signIn('admin', password!)).toMatch(/^\S{43}$/)
  })

  test('says where it listens, where the database is, and what to open next', async ({ expect }) => {
    using folder = new Folder()
    const environment = {
      PUBLIC_URL: 'https://maps.example.com/portal',
      TRUST_PROXY: 'true',
      DATABASE_URL: 'file:./my data/maps.db',
    }
    mkdirSync(join(folder.path, 'my data'))
    await using started = await serve({ folder: folder.path, environment })
    // Other lines may come after it: the log is written beside.
    const ready = started.log.map(({ message }) => String(message)).find((message) => /is ready at/.test(message))
    expect(ready, started.out).toMatch(
      /^Cartulary is ready at http:\/\/127\.0\.0\.1:\d+, with SQLite at \.\/my data\/maps\.db\. Open https:\/\/maps\.example\.com\/portal\/ in a browser, or see https:\/\/maps\.example\.com\/portal\/openapi\.json\.$/,
    )
    expect(existsSync(join(folder.path, 'my data', 'maps.db'))).toBe(true)
    expect((await fetch(`${started.base}?f=json`)).status).toBe(200)
  })

  test('reads the file .env, and the environment wins over it; a password that is given is not printed', async ({
    expect,
  }) => {
    using folder = new Folder()
    writeFileSync(
      join(folder.path, '.env'),
      '# Settings\nDATABASE_URL=file::memory:\nORGANIZATION_NAME="From the file"\nADMIN_USERNAME=from-file\nPORT=1\n',
    )
    const environment = { ADMIN_USERNAME: 'from-environment', ADMIN_PASSWORD: ' spaces belong to it ' }
    await using started = await serve({ folder: folder.path, environment })
    expect(started.log[0]).toMatchObject({
      message:
        'This database is new. The organization From the file was made, with the administrator from-environment and the password that you gave.',
    })
    expect(started.out).not.toContain('spaces belong to it')
    expect(`${started.out}${started.err}`).not.toContain('first-run')
    const token = await started.signIn('from-environment', ' spaces belong to it ')
    expect(await started.post('/portals/self', { token })).toMatchObject({ name: 'From the file' })
    expect(started.out).toContain('SQLite in memory')
    expect(new URL(started.url).hostname).toBe('127.0.0.1')
    await started.stop()
    // A database in memory leaves nothing behind.
    expect(existsSync(join(folder.path, 'data'))).toBe(false)
  })
})

describe.concurrent('a generated password', () => {
  test('is on standard error where there is no database file for it to be beside', async ({ expect }) => {
    using folder = new Folder()
    await using server = await serve({ folder: folder.path, environment: { DATABASE_URL: 'file::memory:' } })
    const password = framedPassword(server.err)
    expect(server.err).toMatch(/║ {2}Organization {3}Cartulary \([A-Za-z0-9]{16}\) +║/)
    expect(server.err).toContain('This password is shown only now.')
    const secret = framedSecret(server.err, rootOf(server.url))
    expect(await server.post('/firstRun', { secret: secret! })).toEqual({ open: true })
    expect(await server.signIn('admin', password!)).toMatch(/^\S{43}$/)
    expect(await server.post('/firstRun', { secret: secret! })).toEqual({ open: false })
    await server.stop()
    expect(server.log[0]!['message']).toMatch(/whose password is on standard error, and nowhere else\.$/)
    expect(server.out).not.toContain(password)
  })

  test('and where a file of this name is there already, which is left as it is', async ({ expect }) => {
    using folder = new Folder()
    writeFileSync(join(folder.path, 'maps.db.password'), 'of another database')
    await using server = await serve({ folder: folder.path, environment: { DATABASE_URL: 'file:maps.db' } })
    expect(await server.signIn('admin', framedPassword(server.err)!)).toMatch(/^\S{43}$/)
    expect(readFileSync(join(folder.path, 'maps.db.password'), 'utf8')).toBe('of another database')
  })
})

test('a first start on a terminal says which database is new, and shows the password in a frame, once', async () => {
  using folder = new Folder()
  const environment = { DATABASE_URL: `file:${folder.path}/maps.db`, PORT: '0', LOG_LEVEL: 'silent' }
  const printed: string[] = []
  const start = () =>
    runCommand([], {
      environment,
      signal: AbortSignal.abort(),
      isTerminal: true,
      print: (text) => void printed.push(text),
      printError: (text) => void printed.push(text),
      exit: () => {},
    })
  expect(await start()).toBe(0)
  expect(printed[0]).toMatch(new RegExp(`^The database ${folder.path}/maps\\.db is new\\.\n`))
  expect(framedPassword(printed[0]!)).toBeDefined()
  expect(framedSecret(printed[0]!, 'http://localhost:\\d+')).toBeDefined()
  printed.length = 0
  expect(await start()).toBe(0)
  expect(printed.join('\n')).not.toMatch(/is new|Password|first-run/)
})

describe.concurrent('a start that is refused', () => {
  test('says one sentence and ends with code 1', async ({ expect }) => {
    using folder = new Folder()
    const ended = await run({ folder: folder.path, environment: { PORT: '80a' } })
    expect(ended).toEqual({ code: 1, out: '', err: 'PORT is 80a; it has to be a whole number from 0 to 65535.\n' })
  })

  test('by a file .env that cannot be read says so', async ({ expect }) => {
    using folder = new Folder()
    mkdirSync(join(folder.path, '.env'))
    const ended = await run({ folder: folder.path, environment: { DATABASE_URL: 'file::memory:' } })
    expect(ended.code).toBe(1)
    expect(ended.err).toMatch(/^The file \.env cannot be read: .*\.\n$/)
  })

  test('by a Node that is too old says so', async ({ expect }) => {
    using folder = new Folder()
    const ended = await run({ folder: folder.path, nodeWords: ['--import', olderNode] })
    expect(ended).toEqual({
      code: 1,
      out: '',
      err: `Cartulary needs Node 24 or later; this is 20.19.0 at ${process.execPath}. In a checkout, npm start brings its own.\n`,
    })
  })
})
