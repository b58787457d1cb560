import { copyFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { temporaryFile } from '../storage/sqlite/temporary-file.ts'
import type { TestPortal } from '../support/portal/portal.ts'
import { copyOf, originalFile } from './copied-database.ts'
import { damage } from './damaged-database.ts'
import { differences, openOn, secretKey, settingsFor } from './filled-database.ts'
import { command } from './run-command.ts'

/** A database of one group, which each test copies. */
let original: string

beforeAll(async () => {
  original = `file:${originalFile()}`
  await using portal = await openOn(original)
  await (await portal.admin()).createGroup('Maps')
}, 600_000)

/** A database of one group of that title, whose server has ended. */
async function aDatabase(title = 'Maps'): Promise<string> {
  const file = (await copyOf(original)).slice('file:'.length)
  return changed(file, `update groups set title = '${title}'`)
}

function backup(file: string, to: string, signal?: AbortSignal) {
  return command(['backup', to], settingsFor(`file:${file}`), signal)
}

function restore(from: string, file: string, ...words: readonly string[]) {
  return command(['restore', from, ...words], settingsFor(`file:${file}`))
}

/** Titles of the groups, in a file that no server has open. */
function titlesIn(file: string): readonly unknown[] {
  const database = new Database(file, { fileMustExist: true })
  try {
    return database.prepare('select title from groups').pluck().all()
  } finally {
    database.close()
  }
}

/** Names beside a file, its lock and its secret aside. */
function namesBeside(file: string): readonly string[] {
  return readdirSync(dirname(file))
    .filter((name) => !/\.(lock|key)$/.test(name))
    .sort()
}

describe('backup', () => {
  test('without a server is the same database, and says that the secret is not in it', async () => {
    const file = await aDatabase()
    const copy = `${file}.copy`
    const before = namesBeside(file)
    const ended = await backup(file, copy)
    expect(ended).toMatchObject({ code: 0, complaint: '' })
    expect(ended.printed).toContain('The secret in SECRET_KEY is not in it')
    expect(ended.printed).not.toContain(secretKey)
    expect(namesBeside(file)).toEqual([...before, basename(copy), `${basename(copy)}.sha256`].sort())
    expect(differences(file, copy)).toEqual({})
    expect(statSync(copy).mode & 0o077).toBe(statSync(file).mode & 0o077)
  })

  test('overwrites nothing', async () => {
    const file = await aDatabase()
    writeFileSync(`${file}.copy`, 'precious')
    expect(await backup(file, `${file}.copy`)).toMatchObject({
      code: 1,
      complaint: `${file}.copy is there already; a backup overwrites nothing.`,
    })
    expect(readFileSync(`${file}.copy`, 'utf8')).toBe('precious')
  })

  test('into a folder that is not there is refused in one sentence', async () => {
    const file = await aDatabase()
    const folder = join(dirname(file), 'nowhere')
    expect(await backup(file, join(folder, 'copy.db'))).toEqual({
      code: 1,
      printed: '',
      complaint: `There is no folder ${folder}.`,
    })
    const { code, complaint } = await backup(file, join(dirname(file), 'x'.repeat(300)))
    expect(code).toBe(1)
    expect(complaint).toMatch(/^[^\n]*name[^\n]*$/i)
  })

  test('that is asked to end leaves no file', async () => {
    const file = await aDatabase()
    const before = namesBeside(file)
    expect(await backup(file, `${file}.copy`, AbortSignal.abort())).toMatchObject({
      code: 1,
      complaint: 'Stopped; there is no backup.',
    })
    expect(namesBeside(file)).toEqual(before)
  })

  test('of a damaged database is refused, and leaves no file', async () => {
    const file = await aDatabase()
    damage(file)
    const before = namesBeside(file)
    const ended = await backup(file, `${file}.copy`)
    expect(ended.code).toBe(1)
    expect(ended.complaint).toMatch(/^The file \S+ is damaged: [^\n]+\.$/)
    expect(namesBeside(file)).toEqual(before)
  })

  test('of a database with a damaged document is refused, and earlier backups stay', async () => {
    const file = await aDatabase()
    await backup(file, `${file}.first`)
    changed(file, `update audit set operation = 'createGroap' where operation = 'createGroup'`)
    const before = namesBeside(file)
    const ended = await backup(file, `${file}.copy`)
    expect(ended.code).toBe(1)
    expect(ended.complaint).toMatch(
      /^The file \S+ is damaged: the row of audit \(id \d+\) is not what was written\. "cartulary doctor" lists all rows like it\.$/,
    )
    expect(namesBeside(file)).toEqual(before)
    expect(await restore(`${file}.first`, file, '--replace')).toMatchObject({ code: 0 })
    expect(await command(['doctor'], settingsFor(`file:${file}`))).toMatchObject({ code: 0 })
  })

  test('where there is no database is refused', async () => {
    const complaint = 'There is no database at /nowhere/maps.db.'
    expect(await backup('/nowhere/maps.db', 'copy.db')).toMatchObject({ code: 1, complaint })
    expect(existsSync('/nowhere')).toBe(false)
  })
})

describe('backup verify', () => {
  const verify = (file: string) => command(['backup', 'verify', file], settingsFor(`file:${file}.elsewhere`))

  test('restores the backup beside it, compares every row, and leaves nothing there', async () => {
    const file = await aDatabase()
    await backup(file, `${file}.copy`)
    const before = readdirSync(dirname(file))
    const ended = await verify(`${file}.copy`)
    expect(ended).toMatchObject({ code: 0, complaint: '' })
    expect(ended.printed).toMatch(
      / was restored beside it in [\d.]+ seconds: [\d,]+ rows in \d+ tables, all as in the backup\./,
    )
    expect(ended.printed).toContain('there are no problems. The restored file is removed.')
    expect(readdirSync(dirname(file))).toEqual(before)
  })

  test('says what is wrong with one that cannot be restored, or not be used then', async () => {
    const [damaged, wrong] = [await aDatabase(), await aDatabase()]
    damage(damaged)
    expect(await verify(damaged)).toMatchObject({
      code: 1,
      complaint: expect.stringMatching(/The file \S+ is damaged: /),
    })
    changed(
      wrong,
      "insert into category_schema_versions (owner_kind, owner_id, version, author, assigned_at, document) values ('group', 'gone', 1, 'anna', 1, '{}')",
    )
    const before = readdirSync(dirname(wrong))
    const ended = await verify(wrong)
    expect(ended).toMatchObject({ code: 1, complaint: expect.stringContaining('keep an earlier backup') })
    expect(ended.printed).toMatch(/^problem {2}There are /m)
    expect(readdirSync(dirname(wrong))).toEqual(before)
    expect(await verify(`${wrong}.nowhere`)).toMatchObject({
      code: 1,
      complaint: expect.stringContaining('no database'),
    })
  })
})

describe('restore', () => {
  test('brings a backup where there is no database, and a server works on it', async () => {
    const file = await aDatabase('Kept')
    const copy = `${file}.copy`
    await backup(file, copy)
    const other = temporaryFile()
    const ended = await restore(copy, other)
    expect(ended).toMatchObject({ code: 0, complaint: '' })
    expect(ended.printed).toMatch(/^Restored \S+ to \S+.\nIts private keys open with the secret/)
    expect(namesBeside(other)).toEqual([basename(other)])
    expect(titlesIn(other)).toEqual(['Kept'])
    await using portal = await openOn(`file:${other}`)
    await requireWorks(portal)
  })

  test('keeps what is there under another name, with all that was written to it', async () => {
    const copy = `${await aDatabase('Older')}`
    const file = await aDatabase('Newer')
    expect(await restore(copy, file)).toMatchObject({
      code: 1,
      complaint: `There is a database at ${file} already; --replace keeps it under another name.`,
    })
    expect(titlesIn(file)).toEqual(['Newer'])
    const ended = await restore(copy, file, '--replace')
    expect(ended).toMatchObject({ code: 0, complaint: '' })
    const aside = /kept as (\S+)\.$/m.exec(ended.printed)![1]!
    expect(titlesIn(file)).toEqual(['Older'])
    expect(titlesIn(aside)).toEqual(['Newer'])
  })

  test('keeps what a server that was killed had only written to its log', async () => {
    const file = await aKilledDatabase()
    const ended = await restore(await aDatabase('Older'), file, '--replace')
    expect(ended).toMatchObject({ code: 0, complaint: '' })
    expect(titlesIn(file)).toEqual(['Older'])
    expect(titlesIn(/kept as (\S+)\.$/m.exec(ended.printed)![1]!)).toEqual(['In the log'])
  })

  test('takes a copy with a log beside it as a whole', async () => {
    const other = temporaryFile()
    expect(await restore(await aKilledDatabase(), other)).toMatchObject({ code: 0 })
    expect(titlesIn(other)).toEqual(['In the log'])
  })

  test('replaces a database that is too damaged to be read, and keeps that too', async () => {
    const file = await aDatabase('Damaged')
    writeFileSync(file, 'This is no database any more. '.repeat(400))
    const ended = await restore(await aDatabase('Older'), file, '--replace')
    expect(ended).toMatchObject({ code: 0, complaint: '' })
    expect(titlesIn(file)).toEqual(['Older'])
    expect(readFileSync(/kept as (\S+)\.$/m.exec(ended.printed)![1]!, 'utf8')).toContain('no database any more')
  })

  test('is refused while a server runs', async () => {
    const copy = await aDatabase('Older')
    const file = await aDatabase('Served')
    await using portal = await openOn(`file:${file}`)
    expect(await restore(copy, file, '--replace')).toMatchObject({
      code: 1,
      complaint: `The database ${file} is in use by another process; stop that one first.`,
    })
    await requireWorks(portal)
  })

  test.each([
    ['that is not there', (file: string) => `${file}.gone`, /^There is no database at /],
    [
      'of something else',
      (file: string) => written(`${file}.text`, 'no database '.repeat(400)),
      /cannot be (read|used)/,
    ],
    [
      'of another program',
      (file: string) => changed(file, 'drop table kysely_migration'),
      /is not a Cartulary database\.$/,
    ],
    [
      'of a newer version',
      (file: string) => changed(file, "insert into kysely_migration values ('999-later', '2030-01-01')"),
      /was migrated by a newer version of Cartulary \(migration 999-later\); install that version\.$/,
    ],
    [
      'with an unfinished move',
      (file: string) =>
        changed(
          file,
          "create table unfinished_move (source text, fingerprint text); insert into unfinished_move values ('a', 'b')",
        ),
      /holds an unfinished move\.$/,
    ],
    ['that is damaged', (file: string) => damaged(file), /^The file \S+ is damaged: /],
    [
      'with a damaged document',
      (file: string) => changed(file, `update audit set target = target || '/'`),
      /^The file \S+ is damaged: the row of audit \(id 1\) is not what was written\./,
    ],
    [
      'with references to nothing',
      (file: string) => changed(file, "pragma foreign_keys = off; update members set user_id = 'nobody'"),
      /^The file \S+ is damaged: rows of members refer to rows of users that are gone\.$/,
    ],
  ])('of a file %s is refused, and what is there stays', async (_what, make, complaint) => {
    const file = await aDatabase('Present')
    const ended = await restore(make(await aDatabase('Bad')), file, '--replace')
    expect(ended.code).toBe(1)
    expect(ended.complaint).toMatch(complaint)
    expect(namesBeside(file)).toEqual([basename(file)])
    expect(titlesIn(file)).toEqual(['Present'])
  })

  test('that is asked to end leaves what is there', async () => {
    const file = await aDatabase('Present')
    const ended = await command(
      ['restore', await aDatabase('Older'), '--replace'],
      settingsFor(`file:${file}`),
      AbortSignal.abort(),
    )
    expect(ended).toMatchObject({ code: 1, complaint: 'Stopped; nothing was restored.' })
    expect(namesBeside(file)).toEqual([basename(file)])
    expect(titlesIn(file)).toEqual(['Present'])
  })
})

/** A database and its log, as they are while a program has them open that is killed. */
async function aKilledDatabase(): Promise<string> {
  const [file, copy] = [await aDatabase(), temporaryFile()]
  const server = new Database(file)
  onTestFinished(() => void server.close())
  server.pragma('journal_mode = wal')
  server.exec("update groups set title = 'In the log'")
  for (const ending of ['', '-wal']) copyFileSync(`${file}${ending}`, `${copy}${ending}`)
  expect(statSync(`${copy}-wal`).size).toBeGreaterThan(0)
  return copy
}

function written(file: string, text: string): string {
  writeFileSync(file, text)
  return file
}

function damaged(file: string): string {
  damage(file)
  return file
}

function changed(file: string, statements: string): string {
  const database = new Database(file)
  onTestFinished(() => void database.close())
  database.exec(statements)
  database.close()
  return file
}

async function requireWorks(portal: TestPortal): Promise<void> {
  expect(await (await portal.admin()).createGroup('One more')).toHaveProperty('id')
}
