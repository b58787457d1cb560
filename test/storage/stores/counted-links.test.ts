import Database from 'better-sqlite3'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { openKysely } from '../../../src/storage/sqlite/dialect.ts'
import { openStores } from '../../../src/storage/stores.ts'
import type { Rows } from '../../../src/storage/tables/rows.ts'
import { engine, isOnPostgres } from '../../support/databases/engine.ts'
import { preparedDatabase } from '../../support/databases/prepared-sqlite.ts'
import { databaseWithoutRows } from '../../support/databases/test-database.ts'
import { aPortal } from '../contract/records.ts'
import { openWorkPostgres } from '../work-storage.ts'

const { portalId } = aPortal()
const owner = { kind: 'portal', portalId } as const

/** A database with a category of very many items and one of three: of items, these links are all there is. */
async function openWith(many: number): Promise<Kysely<Rows>> {
  const db = await open()
  onTestFinished(() => db.destroy())
  for (const id of [1, 2]) {
    await sql`insert into category_paths (id, owner_kind, owner_id, path, path_key, depth, state)
      values (${sql.lit(id)}, 'portal', ${portalId}, ${`/${id}`}, ${`/${id}`}, 1, 'primary')`.execute(db)
    const series = sql`with recursive series (number) as (select 1 union all select number + 1 from series
      where number < ${sql.lit(id === 1 ? many : 3)})`
    await sql`insert into item_categories (category_id, item_number, position)
      ${series} select ${sql.lit(id)}, number, 0 from series`.execute(db)
  }
  return db
}

async function open(): Promise<Kysely<Rows>> {
  if (isOnPostgres) {
    const url = await databaseWithoutRows()
    await (await openWorkPostgres(url)).close()
    const pool = new pg.Pool({ connectionString: url, max: 1 })
    const db = new Kysely<Rows>({ dialect: new PostgresDialect({ pool }) })
    await sql`set session_replication_role = replica`.execute(db)
    return db
  }
  const connection = new Database(await preparedDatabase())
  connection.pragma('foreign_keys = off')
  return openKysely(connection)
}

test(`on ${engine}, sets with very many links have no numbers where statements count them, and fewer are counted`, async () => {
  const { items } = openStores(await openWith(150_000))
  const count = async (...sets: readonly (readonly number[])[]) => {
    const counts = await items.countItems(
      owner,
      sets.map((ids) => ({ ids })),
    )
    return counts.map(Number)
  }
  expect(await count([1, 2], [2], [])).toEqual([150_000, 3, 0])
  expect(await count([1], [1])).toEqual([150_000, 150_000])
  expect(await count([1], [1], [2])).toEqual([])
  expect(await count([2], [])).toEqual([3, 0])
})
