import Database from 'better-sqlite3'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { SqliteDialectWithTransactionalDdl } from '../../../src/storage/sqlite/dialect.ts'
import { openStores } from '../../../src/storage/stores.ts'
import { migrate } from '../../../src/storage/tables/migrate.ts'
import { migrations } from '../../../src/storage/tables/migrations/migrations.ts'
import type { Rows } from '../../../src/storage/tables/rows.ts'
import { emptyDatabase } from '../../support/databases/test-database.ts'
import { aKey, anId, anItem, aPortal, aUser } from '../contract/records.ts'

async function openDatabase(engine: string): Promise<Kysely<Rows>> {
  const dialect =
    engine === 'SQLite'
      ? new SqliteDialectWithTransactionalDdl(new Database(':memory:'))
      : new PostgresDialect({ pool: new pg.Pool({ connectionString: await emptyDatabase() }) })
  const db = new Kysely<Rows>({ dialect })
  onTestFinished(() => db.destroy())
  return db
}

const name = Object.keys(migrations).find((known) => known.endsWith('-item-counts'))!

test.each(['SQLite', 'PostgreSQL'])('%s: items of earlier tables are counted', async (engine) => {
  const db = await openDatabase(engine)
  await migrate(db)
  const { directory, items } = openStores(db)
  const [portal, user] = [aPortal(), aUser()]
  await directory.addPortal(portal, aKey)
  await directory.addUser(user, 'hash')
  for (const at of [501, 502]) await items.addItem(anItem({ itemId: anId(at) }))
  // The tables of before are those of now without this one.
  await db.schema.dropTable('item_counts').execute()
  await db.deleteFrom('item_count_changes').execute()
  await migrations[name]!.up(db)
  expect(Number(await items.countItemsOwnedBy(user.userId))).toBe(2)
  expect(Number(await items.countItemsOfPortal(portal.portalId))).toBe(2)
})
