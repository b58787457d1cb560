import { readFileSync } from 'node:fs'
import Database from 'better-sqlite3'
import { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { expect, onTestFinished, test } from 'vitest'
import { SqliteDialectWithTransactionalDdl } from '../../../src/storage/sqlite/dialect.ts'
import { StorageUnavailable } from '../../../src/storage/storage.ts'
import { isMigrated, migrate } from '../../../src/storage/tables/migrate.ts'
import { lastFormerCommit } from '../../../src/storage/tables/migrations/former.ts'
import { migrations } from '../../../src/storage/tables/migrations/migrations.ts'
import type { Rows } from '../../../src/storage/tables/rows.ts'
import { foundationAlone, noteFormer } from '../../support/databases/former-migrations.ts'
import { temporaryFile } from '../sqlite/temporary-file.ts'
import { openWorkFile } from '../work-storage.ts'

function openDatabase(file = ':memory:') {
  const database = new Database(file)
  onTestFinished(() => {
    database.close()
  })
  return { database, db: new Kysely<Rows>({ dialect: new SqliteDialectWithTransactionalDdl(database) }) }
}

/** Every table and index, as SQLite keeps their definitions. */
function listDefinitions(database: Database.Database): unknown[] {
  return database.prepare('select name, sql from sqlite_schema order by name').all()
}

function listTables(database: Database.Database): unknown[] {
  return database.prepare("select name from sqlite_schema where type = 'table' order by name").pluck().all()
}

/** Two steps of which the second does not succeed. */
const broken: Migration = {
  async up(db) {
    await db.schema.createTable('half').addColumn('id', 'integer').execute()
    await db.schema.createTable('half').addColumn('id', 'integer').execute()
  },
}

test('an empty database gets every table, and every migration is noted', async () => {
  const { database, db } = openDatabase()
  await migrate(db)
  expect(listTables(database)).toEqual(expect.arrayContaining(['portals', 'invitations', 'invitation_steps', 'audit']))
  const noted = database.prepare('select name from kysely_migration order by name').pluck().all()
  expect(noted).toEqual(Object.keys(migrations))
})

test('migrations are numbered in the order in which they run, each with a number of its own', () => {
  const names = Object.keys(migrations)
  expect(names).toEqual(names.toSorted())
  expect(new Set(names.map((name) => name.split('-', 1)[0])).size).toBe(names.length)
})

test('a second start changes nothing', async () => {
  const { database, db } = openDatabase()
  await migrate(db)
  const before = listDefinitions(database)
  await migrate(db)
  expect(listDefinitions(database)).toEqual(before)
  expect(before.length).toBeGreaterThan(20)
})

test('a later migration is made on the next start, and rows survive it', async () => {
  const { database, db } = openDatabase()
  await migrate(db)
  database.exec(
    "insert into category_schema_versions (owner_kind, owner_id, version, author, assigned_at) values ('group', 'g', 1, 'anna', 1)",
  )
  const later: Migration = {
    up: (next) => next.schema.alterTable('category_schema_versions').addColumn('note', 'text').execute(),
  }
  await migrate(db, { ...migrations, '999-later': later })
  expect(database.prepare('select owner_id, note from category_schema_versions').all()).toEqual([
    { owner_id: 'g', note: null },
  ])
})

test('a start that is asked to end ends between two migrations, and the next one goes on there', async () => {
  const { database, db } = openDatabase()
  await migrate(db)
  const add = (name: string): Migration => ({
    up: (next) => next.schema.createTable(name).addColumn('id', 'integer').execute(),
  })
  const later = { ...migrations, '998-one': add('one'), '999-two': add('two') }
  const asked = new AbortController()
  const ended = migrate(db, later, undefined, { signal: asked.signal, doing: () => asked.abort() })
  await expect(ended).rejects.toThrow('Ended while the tables were changed, between two steps: what is done stays done')
  expect(listTables(database)).toContain('one')
  expect(listTables(database)).not.toContain('two')
  const said: string[] = []
  await migrate(db, later, undefined, { say: (sentence) => said.push(sentence) })
  expect(listTables(database)).toContain('two')
  expect(said).toEqual([expect.stringMatching(/^The tables are changed for this version: 1 migration, 0 items\./)])
})

test('a migration that breaks off leaves nothing half done, and is named', async () => {
  const { database, db } = openDatabase()
  const failing = { ...migrations, '999-broken': broken }
  await expect(migrate(db, failing)).rejects.toThrow(
    /^The database could not be migrated, in migration 999-broken: .*half.*\.$/,
  )
  expect(listTables(database)).not.toContain('half')
  await migrate(db)
  expect(listTables(database)).toContain('portals')
})

test('a database of a newer program is refused in one sentence, and left as it is', async () => {
  const file = temporaryFile()
  const { database, db } = openDatabase(file)
  const later: Migration = { up: (next) => next.schema.createTable('later').addColumn('id', 'integer').execute() }
  await migrate(db, { ...migrations, '999-later': later })
  const before = listDefinitions(database)
  const opening = openWorkFile(file)
  await expect(opening).rejects.toBeInstanceOf(StorageUnavailable)
  await expect(opening).rejects.toThrow(
    'The database was migrated by a newer version of Cartulary (migration 999-later); install that version.',
  )
  expect(listDefinitions(database)).toEqual(before)
})

/** A database as former migrations made it, of which so many are noted, the last among them. */
async function openFormer(many: number) {
  const opened = openDatabase()
  await migrate(opened.db, foundationAlone)
  opened.database.exec(noteFormer(many).join(';'))
  const listNoted = () => opened.database.prepare('select name from kysely_migration order by name').pluck().all()
  return { ...opened, listNoted }
}

test('the foundation takes the place of all former migrations, which made its tables, and later ones follow', async () => {
  const { database, db, listNoted } = await openFormer(39)
  const before = listDefinitions(database)
  const held = () => Promise.reject(new StorageUnavailable('Other servers run.'))
  await expect(migrate(db, migrations, held)).rejects.toThrow('Other servers run.')
  expect(listNoted()).toHaveLength(39)
  expect(await isMigrated(db)).toBe(false)
  const said: string[] = []
  await migrate(db, foundationAlone, undefined, { say: (sentence) => said.push(sentence) })
  expect(said).toEqual(['The tables are noted as those of 0.1: earlier versions refuse them from now on.'])
  expect([listNoted(), listDefinitions(database)]).toEqual([['100-foundation'], before])
  const another = await openFormer(39)
  const later: Migration = { up: (next) => next.schema.createTable('later').addColumn('id', 'integer').execute() }
  await migrate(another.db, { ...migrations, '999-later': later })
  expect([another.listNoted(), listTables(another.database)]).toEqual([
    [...Object.keys(migrations), '999-later'],
    expect.arrayContaining(['later']),
  ])
})

test('FTS5 of a database of the foundation keeps removed rows in a segment until they are most of it', async () => {
  const { database, db } = openDatabase()
  await migrate(db, foundationAlone)
  await migrate(db)
  const shareOf = (noun: string) =>
    database.prepare(`select v from ${noun}_words_config where k = 'deletemerge'`).pluck().get()
  expect(['item', 'group', 'user'].map(shareOf)).toEqual([60, 60, 60])
})

test.each([1, 38, 40])(
  'a database with %d former migrations is refused in one sentence, and left as it is',
  async (many) => {
    const { db, listNoted } = await openFormer(many)
    await expect(migrate(db)).rejects.toThrow(
      `The database has tables of a checkout of before ${lastFormerCommit}: start that one on it once, as docs/upgrade.md says, and then this version.`,
    )
    expect(listNoted()).toHaveLength(many)
  },
)

test('the document of upgrades names the commit that a refusal names', () => {
  expect(readFileSync('docs/upgrade.md', 'utf8')).toContain(`git worktree add ../cartulary-stop ${lastFormerCommit}\n`)
})

test('a database of another program is refused in one sentence, and left as it is', async () => {
  const file = temporaryFile()
  const { database } = openDatabase(file)
  database.exec('create table users (name text)')
  await expect(openWorkFile(file)).rejects.toThrow(
    'The database has tables that Cartulary did not create (first: users); give Cartulary a database of its own.',
  )
  expect(listTables(database)).not.toContain('portals')
})

test('a database with a later change that older programs can live with is opened by them', async () => {
  const file = temporaryFile()
  const { database, db } = openDatabase(file)
  const later: Migration = { up: (next) => next.schema.createTable('later').addColumn('id', 'integer').execute() }
  await migrate(db, { ...migrations, '999-later-beside-older': later })
  database.close()
  const storage = await openWorkFile(file)
  await storage.ping()
  await storage.close()
})
