import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { Folder, run, serve } from '../support/portal/process.ts'
import { framedPassword, framedSecret, rootOf } from './first-run-frame.ts'

const password = 'a long enough password'

const olderNode =
  'data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"20.19.0"}})'

describe.concurrent('a first start', () => {
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

  test('by a database file of another user names owner and mode', async ({ expect }) => {
    using folder = new Folder()
    const file = join(folder.path, 'cartulary.db')
    writeFileSync(file, '', { mode: 0o400 })
    chmodSync(folder.path, 0o777)
    const through = process.getuid?.() === 0 ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : []
    const ended = await run({ folder: folder.path, through, environment: { DATABASE_URL: `file:${file}`, PORT: '0' } })
    expect(ended).toMatchObject({ code: 1, out: '' })
    expect(ended.err).toMatch(
      /^The database \S+ cannot be opened: .*: user \d+ may not read and write \S+\/cartulary\.db, which belongs to user \d+ and has mode 400 \(EACCES: .*\)\.\n$/,
    )
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

test('an ephemeral server serves what its seed says, writes nothing, and uses no database, secret or .env of its surroundings', async ({
  expect,
}) => {
  using folder = new Folder()
  using temporary = new Folder()
  writeFileSync(join(folder.path, '.env'), 'DATABASE_URL=file:./from-env.db\nPORT=1\n')
  using elsewhere = new Folder()
  const seed = join(elsewhere.path, 'seed.json')
  writeFileSync(
    seed,
    JSON.stringify({
      organization: { name: 'Survey', description: 'Of land.' },
      users: [{ username: 'anna', password }],
      groups: [{ title: 'Maps', owner: 'anna', access: 'org', members: [] }],
      items: [{ title: 'Plan', type: 'Web Map', owner: 'anna', data: { version: 2 }, groups: [{ title: 'Maps' }] }],
    }),
  )
  const environment = {
    DATABASE_URL: 'postgres://user:password@db.example.com/theirs',
    DATABASE_URI: 'theirs too',
    SECRET_KEY: 'short',
    BACKUP_DIR: join(temporary.path, 'backups'),
    TMPDIR: temporary.path,
    HOME: folder.path,
    ADMIN_PASSWORD: 'correct horse battery staple',
  }
  await using server = await serve({ folder: folder.path, environment, words: ['--ephemeral', '--seed', seed] })
  expect(server.out).toMatch(/Organization {3}Survey \(/)
  expect(server.out).toContain('SQLite in memory')
  const token = await server.signIn('anna', password)
  const { results } = await server.post('/search', { token, q: 'plan' })
  expect(results).toMatchObject([{ title: 'Plan', owner: 'anna' }])
  const groups = await server.post(`/content/items/${results[0].id}/groups`, { token })
  expect(groups).toMatchObject({ admin: [{ title: 'Maps' }] })
  expect(await server.post('/portals/self', { token })).toMatchObject({ description: 'Of land.' })
  expect((await server.stop()).code).toBe(0)
  expect([readdirSync(folder.path), readdirSync(temporary.path)]).toEqual([['.env'], []])
})
