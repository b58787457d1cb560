import Database from 'better-sqlite3'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { SqliteDialectWithTransactionalDdl } from '../../../src/storage/sqlite/dialect.ts'
import { migrate } from '../../../src/storage/tables/migrate.ts'
import { migrations } from '../../../src/storage/tables/migrations/migrations.ts'
import type { Rows } from '../../../src/storage/tables/rows.ts'
import { emptyDatabase } from '../../support/databases/test-database.ts'

async function openDatabase(engine: string): Promise<Kysely<Rows>> {
  const dialect =
    engine === 'SQLite'
      ? new SqliteDialectWithTransactionalDdl(new Database(':memory:'))
      : new PostgresDialect({ pool: new pg.Pool({ connectionString: await emptyDatabase() }) })
  const db = new Kysely<Rows>({ dialect })
  onTestFinished(() => db.destroy())
  return db
}

test.each(['SQLite', 'PostgreSQL'])('%s: what was typed as an unknown username is removed', async (engine) => {
  const db = await openDatabase(engine)
  await migrate(db, { '001-foundation': migrations['001-foundation']! })
  await sql`insert into sign_in_failures (username_key, address, failed_at) values ('a password', '::1', 1)`.execute(db)
  const audit = (operation: string, username: string, portalId: string | null) =>
    sql`insert into audit (happened_at, address, operation, target, outcome, request_id, username, portal_id)
      values (1, '::1', ${operation}, '/', 400, 'r', ${username}, ${portalId})`.execute(db)
  await audit('generateToken', 'a password', null)
  await audit('generateToken', 'anna', 'p')
  await audit('createPortal', 'admin', null)
  await migrate(db)
  const kept = await db.selectFrom('audit').select('username').orderBy('id').execute()
  expect(kept.map(({ username }) => username)).toEqual([null, 'anna', 'admin'])
  expect(await db.selectFrom('sign_in_failures').selectAll().execute()).toEqual([])
  const failure = { account_key: 'k', address: '::1', is_cross_site: 0, origin: null, failed_at: 1 }
  await db.insertInto('sign_in_failures').values(failure).execute()
})
