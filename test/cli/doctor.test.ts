import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { beforeAll, describe, expect, test } from 'vitest'
import { temporaryFile } from '../storage/sqlite/temporary-file.ts'
import { queryAt } from '../support/databases/postgres.ts'
import { emptyDatabase } from '../support/databases/test-database.ts'
import { makeCertificate } from '../support/portal/certificate.ts'
import { Folder } from '../support/portal/process.ts'
import { filledFile, openOn, settingsFor } from './filled-database.ts'
import { command } from './run-command.ts'

let original: string

beforeAll(async () => {
  original = (await filledFile()).file
}, 600_000)

async function aFile(): Promise<string> {
  const file = temporaryFile()
  copyFileSync(original, file)
  chmodSync(file, 0o600)
  return `file:${file}`
}

/** The same rows in PostgreSQL. */
async function aPostgres(): Promise<string> {
  const url = await emptyDatabase()
  const { code } = await command(['migrate-data', '--from', `file:${original}`, '--to', url])
  expect(code).toBe(0)
  return url
}

async function doctor(url: string, settings: Readonly<Record<string, string>> = {}) {
  const { code, printed, complaint } = await command(['doctor'], { ...settingsFor(url), ...settings })
  const lines = printed.split('\n')
  const linesOf = (level: string) => lines.filter((line) => line.startsWith(`${level} `)).map((line) => line.slice(9))
  return { code, complaint, lines, problems: linesOf('problem'), warnings: linesOf('warning') }
}

async function write(url: string, statements: string): Promise<void> {
  if (!url.startsWith('file:')) {
    await queryAt(url, statements)
    return
  }
  const database = new Database(url.slice('file:'.length))
  database.pragma('foreign_keys = OFF')
  database.exec(statements)
  database.close()
}

/** Every file in a folder with its time and its content; but not the memory that readers of SQLite share. */
function photograph(folder: string): readonly unknown[] {
  return readdirSync(folder)
    .filter((name) => !name.endsWith('-shm'))
    .sort()
    .map((name) => [name, statSync(join(folder, name)).mtimeMs, readFileSync(join(folder, name)).toString('base64')])
}

/** One of the groups whose schema is set. */
const schema = (place: number) =>
  `(select owner_id from category_schemas where owner_kind = 'group' and is_set = 1 order by owner_id limit 1 offset ${place})`
const invitation = "(select invitation_id from invitations where state = 'host_invalidated' limit 1)"

/** What is said, and how it comes about. */
const disagreements = [
  [
    'category schemas whose group or organization is gone',
    "insert into category_schemas values ('group', 'gone', 1, 1, 1, 1, 1, 1, 2, null, null, null); insert into category_schema_versions (owner_kind, owner_id, version, author, assigned_at, document) values ('group', 'gone', 1, 'anna', 1, '{}')",
  ],
  [
    'category schemas whose present version is missing',
    `update category_schemas set version = version + 1 where owner_id = ${schema(0)}`,
  ],
  [
    'category schemas that are set without a document, or unset with one',
    `update category_schema_versions set document = null where owner_id = ${schema(1)}`,
  ],
  [
    'versions of category schemas without a category schema',
    `delete from category_schemas where owner_id = ${schema(2)}`,
  ],
  [
    'category schemas with other versions than are counted',
    'delete from category_schema_versions where version = 1 and owner_id in (select owner_id from category_schema_versions where version = 2)',
  ],
  [
    'category schemas with other versions than are counted',
    `update category_schemas set kept_bytes = kept_bytes + 1 where owner_id = ${schema(0)}`,
  ],
  [
    'versions of category schemas whose document is missing',
    `update category_schema_versions set document = null, same_as = 77 where owner_id = ${schema(1)}`,
  ],
  [
    'invitations whose history contradicts their state',
    `update invitations set state = 'host_created' where invitation_id = ${invitation}`,
  ],
  [
    'invitations whose history contradicts their state',
    `update invitations set revision = revision + 1 where invitation_id = ${invitation}`,
  ],
  [
    'steps of invitations whose states do not follow each other',
    `update invitation_steps set from_state = 'host_accepted' where step = 2 and invitation_id = ${invitation}`,
  ],
  [
    'accepted invitations without a guest',
    "update invitations set guest_portal_id = null where state = 'host_accepted'",
  ],
  ['collaborations without their host among the participants', "update participants set role = 'Guest'"],
  ['participations whose host is not known by a key', 'delete from known_keys'],
] as const

const leftovers: readonly (readonly [what: string, statement: string, words: RegExp])[] = [
  [
    'users whose role is gone',
    "update users set role = 'gone' where username = 'person20'",
    /a role that is gone .* \(1\)/,
  ],
  ['no administrator', "update users set disabled = 1 where username = 'outsider'", /no administrator .* \(1\)/],
  [
    'expired tokens that pile up',
    `insert into tokens (token_hash, user_id, created_at, expires_at) with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 10001)
       select 'token' || n, (select user_id from users limit 1), 1, 2 from numbers`,
    /There are 10001 tokens that expired/,
  ],
  ['a row in the future', 'update audit set happened_at = 99999999999999 where id = 1', /in the future/],
]

describe.each([
  ['SQLite', aFile],
  ['PostgreSQL', aPostgres],
])('doctor on %s', (engine, open) => {
  test('finds nothing wrong with a database that the program filled, beside a server and without one', async () => {
    const url = await open()
    const healthy = {
      code: 0,
      complaint: '',
      problems: [],
      warnings: [],
      lines: expect.arrayContaining([
        'ok       The settings can be read.',
        'ok       The tables are those of this version.',
        'ok       The rows agree with each other.',
        'ok       The secret opens the private key of every organization.',
        'There are no problems.',
      ]),
    }
    expect(await doctor(url)).toMatchObject(healthy)
    await using _server = await openOn(url)
    expect(await doctor(url)).toMatchObject(healthy)
  })

  test('lists the ten largest owners of category schemas by their ids, the largest first', async () => {
    const url = await open()
    await write(url, `update category_schemas set kept_bytes = 123456789 where owner_id = ${schema(3)}`)
    const { lines } = await doctor(url)
    const first = lines.findIndex((line) => line.includes('The largest category schemas'))
    const listed = lines.slice(first + 1, first + 11)
    expect(listed[0]).toMatch(/^ +group [0-9a-f]{32}: 123,456,789 bytes, \d+ versions$/)
    expect(
      listed.filter((line) => /^ +(group|organization) \w+( \(deleted\))?: [\d,]+ bytes, /.test(line)),
    ).toHaveLength(10)
    expect(lines[first + 11]).toMatch(/^\w/)
  })

  test('finds a newer version, an unfinished move, and another secret', async () => {
    const url = await open()
    await write(url, "insert into kysely_migration values ('999-later', '2030-01-01')")
    await write(url, 'create table unfinished_move (source text, fingerprint text)')
    await write(url, "insert into unfinished_move values ('file:/old.db', 'f')")
    const { code, problems } = await doctor(url, { SECRET_KEY: 'another secret, which is just as long as that' })
    expect(code).toBe(1)
    expect(problems).toEqual([
      'A move into this database was not finished: run "cartulary migrate-data --from file:/old.db --to …" again.',
      'The database was migrated by a newer version of Cartulary (migration 999-later); install that version.',
      'The secret does not open the private keys of 2 of 2 organizations: it is another one.',
    ])
  })

  test('changes nothing in the database, and migrates nothing', async () => {
    const url = await open()
    await write(url, 'delete from kysely_migration')
    const { warnings } = await doctor(url)
    expect(warnings).toEqual(expect.arrayContaining([expect.stringContaining('The database has no tables yet')]))
    const again = await doctor(url)
    expect(again.warnings).toEqual(warnings)
  })

  test('takes no further words', async () => {
    expect(await command(['doctor', engine])).toMatchObject({ code: 1 })
  })
})

describe('doctor', () => {
  test('finds every disagreement on PostgreSQL too, and warns of whatever may not be wanted', async () => {
    const url = await aPostgres()
    for (const [, statements] of [...disagreements, ...leftovers]) await write(url, statements)
    const { code, problems, warnings } = await doctor(url)
    expect(code).toBe(1)
    for (const [what] of disagreements) {
      expect(problems).toContainEqual(expect.stringContaining(`There are ${what} (`))
    }
    for (const [, , words] of leftovers) expect(warnings).toContainEqual(expect.stringMatching(words))
  })

  test.each(disagreements)('finds %s', async (what, statements) => {
    const url = await aFile()
    await write(url, statements)
    const { code, problems, complaint } = await doctor(url)
    expect(problems).toContainEqual(expect.stringContaining(`There are ${what} (`))
    expect(complaint).toMatch(/^There (is 1 problem|are \d+ problems)\.$/)
    expect(code).toBe(1)
  })

  test.each(leftovers)('warns of %s', async (_what, statement, words) => {
    const url = await aFile()
    await write(url, statement)
    // What the statement changed by hand has to be indexed as well.
    expect(await command(['index', 'rebuild'], settingsFor(url))).toMatchObject({ code: 0 })
    const { code, warnings, problems } = await doctor(url)
    expect({ code, problems }).toEqual({ code: 0, problems: [] })
    expect(warnings).toEqual([expect.stringMatching(words)])
  })

  test.each([
    ['after a server that ended', async () => undefined],
    [
      'after a server that was killed',
      async (file: string) => {
        const copy = new Database(file)
        copy.pragma('journal_mode = WAL')
        copy.exec("update users set description = 'new'")
        for (const ending of ['-wal', '-shm']) copyFileSync(`${file}${ending}`, `${file}.kept${ending}`)
        copyFileSync(file, `${file}.kept`)
        copy.close()
        for (const ending of ['', '-wal', '-shm']) copyFileSync(`${file}.kept${ending}`, `${file}${ending}`)
      },
    ],
  ])('%s leaves every file as it was', async (_how, prepare) => {
    const file = (await aFile()).slice('file:'.length)
    await prepare(file)
    const before = photograph(dirname(file))
    expect(await doctor(`file:${file}`)).toMatchObject({ code: 0 })
    expect(photograph(dirname(file))).toEqual(before)
  })

  test('finds pages that are damaged', async () => {
    const url = await aFile()
    const file = url.slice('file:'.length)
    const bytes = readFileSync(file)
    bytes.fill(0, bytes.length / 2, bytes.length / 2 + 40_000)
    writeFileSync(file, bytes)
    const { code, problems } = await doctor(url)
    expect(code).toBe(1)
    expect(problems.join('\n')).toMatch(/Restore a backup\./)
  })

  test('finds references to nothing', async () => {
    const url = await aFile()
    await write(url, "update members set user_id = 'nobody' where user_id = (select user_id from members limit 1)")
    const { code, problems } = await doctor(url)
    expect(code).toBe(1)
    expect(problems).toEqual([
      'The file is damaged: rows of members refer to rows of users that are gone. Restore a backup.',
      expect.stringContaining('There are memberships of a user or a group that is gone'),
    ])
  })

  test('finds a secret that is missing, and makes none', async () => {
    const url = await aFile()
    const path = `${url.slice('file:'.length)}.key`
    const settings = { ...settingsFor(url), SECRET_KEY: '' }
    const { code, printed } = await command(['doctor'], settings)
    expect(code).toBe(1)
    expect(printed).toContain(`problem  The secret is missing from ${path}, or too short`)
    expect(existsSync(path)).toBe(false)
  })

  test('warns of files that others may read, and of a database that was just restored', async () => {
    const url = await aFile()
    const file = url.slice('file:'.length)
    const database = new Database(file)
    database.pragma('journal_mode = DELETE')
    database.close()
    chmodSync(file, 0o644)
    const { code, warnings } = await doctor(url)
    expect(code).toBe(0)
    expect(warnings).toEqual([
      'The journal mode is delete, as in a restored file; the next start of a server makes it wal.',
      `Others than its owner may use the file ${file} (mode 644); chmod 600 it.`,
    ])
  })

  test('finds an invalid index, a constraint that was never checked, and a sequence that is behind', async () => {
    const url = await aPostgres()
    await write(url, "update pg_index set indisvalid = false where indexrelid = 'users_by_role'::regclass")
    await write(url, 'alter table audit add constraint outcomes check (outcome > 0) not valid')
    await write(url, "select setval(pg_get_serial_sequence('audit', 'id'), 3)")
    const { code, problems } = await doctor(url)
    expect(code).toBe(1)
    expect(problems).toEqual([
      'The index users_by_role is invalid: run "reindex index users_by_role".',
      expect.stringContaining('The constraint outcomes was never checked'),
      expect.stringContaining('The sequence of audit is behind its highest id'),
    ])
  })

  test('finds a server that loses what it acknowledged', async () => {
    const url = await aPostgres()
    await write(url, `alter database "${new URL(url).pathname.slice(1)}" set synchronous_commit = off`)
    expect(await doctor(url)).toMatchObject({
      code: 1,
      problems: [expect.stringMatching(/synchronous_commit=off loses acknowledged writes\. Servers refuse/)],
    })
  })

  test.each([
    ['settings that contradict each other', { PORT: 'many' }, 'PORT is many; it has to be a whole number'],
    [
      'a database that is not there',
      { DATABASE_URL: 'file:/nowhere/maps.db' },
      'There is no database at /nowhere/maps.db.',
    ],
    ['a database in memory', { DATABASE_URL: 'file::memory:' }, 'The database is in memory'],
    [
      'a server that does not answer',
      { DATABASE_URL: 'postgres://u:hidden@127.0.0.1:1/maps' },
      'The database does not answer',
    ],
  ])('cannot look with %s, and ends with 2', async (_what, settings, words) => {
    const { code, lines, problems } = await doctor('file:/nowhere/maps.db', settings)
    expect(code).toBe(2)
    expect(problems).toEqual([expect.stringContaining(words)])
    expect(lines.join()).not.toContain('hidden')
    expect(existsSync('/nowhere')).toBe(false)
  })

  test('looks at the certificate', async () => {
    using folder = new Folder()
    const url = await aFile()
    const { cert, key } = makeCertificate('maps.example.com')
    const certFile = join(folder.path, 'cert.pem')
    const keyFile = join(folder.path, 'key.pem')
    const settings = { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile }
    writeFileSync(certFile, cert)
    writeFileSync(keyFile, key)
    const good = await doctor(url, settings)
    expect(good.lines).toContain('ok       The certificate is good until 2049-12-31, and its key belongs to it.')
    writeFileSync(keyFile, makeCertificate('maps.example.com').key)
    expect(await doctor(url, settings)).toMatchObject({
      code: 1,
      problems: [expect.stringContaining('is not the key of the certificate in')],
    })
    rmSync(keyFile)
    expect(await doctor(url, settings)).toMatchObject({ code: 1, problems: [expect.stringContaining('ENOENT')] })
  })
})

test('a database of another program is a problem', async () => {
  const url = await emptyDatabase()
  await queryAt(url, 'create table users (name text)')
  const { code, printed } = await command(['doctor'], {
    DATABASE_URL: url,
    SECRET_KEY: 'any secret that is long enough for a start',
  })
  expect(code).toBe(1)
  expect(printed).toContain('problem  The database has tables that Cartulary did not create (first: users)')
})

describe('doctor on the backups of a server', () => {
  async function aFolder(): Promise<{ url: string; folder: string; settings: Readonly<Record<string, string>> }> {
    const url = await aFile()
    const folder = `${url.slice('file:'.length)}.backups`
    return { url, folder, settings: { BACKUP_DIR: folder, BACKUP_EVERY: '24h' } }
  }

  const nameOf = (hoursAgo: number) =>
    `cartulary-${new Date(Date.now() - hoursAgo * 3_600_000).toISOString().replaceAll(':', '-')}.db`

  test('says how old the latest is, and that it can be opened', async () => {
    const { url, folder, settings } = await aFolder()
    mkdirSync(folder)
    for (const hours of [5, 29]) copyFileSync(original, join(folder, nameOf(hours)))
    const { code, lines } = await doctor(url, settings)
    expect(code).toBe(0)
    expect(lines).toContainEqual(
      expect.stringMatching(
        /^ok {7}The latest backup, \S+, is 5 hours old, has [\d.]+ MB, and can be opened; there are 2\.$/,
      ),
    )
  })

  test.each<[string, (folder: string) => void, RegExp]>([
    [
      'that are too old',
      (folder) => copyFileSync(original, join(folder, nameOf(50))),
      /is 2 days old, .* every 24h: see the log/,
    ],
    [
      'that are no database',
      (folder) => writeFileSync(join(folder, nameOf(1)), 'not a database '.repeat(300)),
      /^The latest backup cannot be used: /,
    ],
    [
      'whose folder is a file',
      (folder) => {
        rmSync(folder, { recursive: true })
        writeFileSync(folder, '')
      },
      /^The backups in \S+ cannot be read: ENOTDIR/,
    ],
  ])('calls backups %s a problem', async (_what, harm, words) => {
    const { url, folder, settings } = await aFolder()
    mkdirSync(folder)
    harm(folder)
    const { code, problems, complaint } = await doctor(url, settings)
    expect([code, problems]).toEqual([1, [expect.stringMatching(words)]])
    expect(complaint).toBe('There is 1 problem.')
  })
})

test.each([
  [
    'none is made yet',
    'backups',
    0,
    'warning',
    /^There is no backup in \S+ yet: a server makes one when it starts, or logs/,
  ],
  ['the disk for them is not mounted', 'disk/backups', 1, 'problem', /^The backups in \S+ cannot be read: ENOENT/],
] as const)('doctor says that %s', async (_what, folder, code, level, words) => {
  const url = await aFile()
  const settings = { BACKUP_DIR: join(dirname(url.slice('file:'.length)), folder) }
  const found = await doctor(url, settings)
  expect(found.code).toBe(code)
  expect(level === 'warning' ? found.warnings : found.problems).toEqual([expect.stringMatching(words)])
})

test('doctor counts warnings at its end, and says how fast the audit grows', async () => {
  const url = await aFile()
  chmodSync(url.slice('file:'.length), 0o644)
  const { code, lines } = await doctor(url)
  expect([code, lines.at(-1)]).toEqual([0, 'There are no problems, but 1 warning.'])
  expect(lines).toContainEqual(
    expect.stringMatching(
      /^ok {7}The database has [\d.]+ MB\. Its audit has \d+ entries since \S+, \d+ of them of the last 7 days\.$/,
    ),
  )
})

test('doctor names the reserve for a full disk where there is one', async () => {
  const url = await aFile()
  writeFileSync(`${url.slice('file:'.length)}.reserve`, Buffer.alloc(2_000_000))
  expect((await doctor(url)).lines).toContainEqual(
    expect.stringMatching(
      /^ok {7}When the disk is full, delete the reserve, \S+\.reserve: it frees 2 MB, enough to sign in\.$/,
    ),
  )
})
