import Database from 'better-sqlite3'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { SqliteDialectWithTransactionalDdl } from '../../../src/storage/sqlite/dialect.ts'
import { openStores } from '../../../src/storage/stores.ts'
import { migrate } from '../../../src/storage/tables/migrate.ts'
import { migrations } from '../../../src/storage/tables/migrations/migrations.ts'
import type { Rows } from '../../../src/storage/tables/rows.ts'
import { emptyDatabase } from '../../support/databases/test-database.ts'
import { anItem } from '../contract/records.ts'

async function openDatabase(engine: string): Promise<Kysely<Rows>> {
  const dialect =
    engine === 'SQLite'
      ? new SqliteDialectWithTransactionalDdl(new Database(':memory:'))
      : new PostgresDialect({ pool: new pg.Pool({ connectionString: await emptyDatabase() }) })
  const db = new Kysely<Rows>({ dialect })
  onTestFinished(() => db.destroy())
  return db
}

test.each(['SQLite', 'PostgreSQL'])('%s: an organization of earlier tables is kept, and gets items', async (engine) => {
  const db = await openDatabase(engine)
  const earlier = Object.entries(migrations).filter(([name]) => name < '005')
  await migrate(db, Object.fromEntries(earlier))
  const { portalId, ownerId } = anItem()
  await sql`insert into portals (portal_id, name, description, url_key, access, public_key, sealed_private_key,
    created_at, modified_at) values (${portalId}, 'Maps', '', 'maps', 'private', 'k', 'k', 1, 1)`.execute(db)
  await sql`insert into users (user_id, username, username_key, portal_id, full_name, first_name, last_name, email,
    description, access, role, disabled, password_hash, created_at, modified_at)
    values (${ownerId}, 'anna', 'anna', ${portalId}, '', '', '', '', '', 'org', 'org_user', 0, 'h', 1, 1)`.execute(db)
  await migrate(db)
  const { items } = openStores(db)
  await items.addItem(anItem({ categories: ['/A'] }), 'data')
  const found = await items.findItemFor(anItem().itemId, undefined)
  expect(found?.item).toMatchObject({ ownerUsername: 'anna', categories: ['/A'] })
})
