import Database from 'better-sqlite3'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { SqliteDialectWithTransactionalDdl } from '../../../src/storage/sqlite/dialect.ts'
import { toRow } from '../../../src/storage/stores/items/item-rows.ts'
import { openStores } from '../../../src/storage/stores.ts'
import { migrate } from '../../../src/storage/tables/migrate.ts'
import { migrations } from '../../../src/storage/tables/migrations/migrations.ts'
import type { Rows } from '../../../src/storage/tables/rows.ts'
import { emptyDatabase } from '../../support/databases/test-database.ts'
import { anId, anItem } from '../contract/records.ts'

async function openDatabase(engine: string): Promise<Kysely<Rows>> {
  const dialect =
    engine === 'SQLite'
      ? new SqliteDialectWithTransactionalDdl(new Database(':memory:'))
      : new PostgresDialect({ pool: new pg.Pool({ connectionString: await emptyDatabase() }) })
  const db = new Kysely<Rows>({ dialect })
  onTestFinished(() => db.destroy())
  return db
}

test.each(['SQLite', 'PostgreSQL'])(
  '%s: items of earlier tables are shared as before, and go with their links',
  async (engine) => {
    const db = await openDatabase(engine)
    await migrate(db, Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '014')))
    const { itemId, portalId, ownerId } = anItem()
    const groupId = anId(100)
    await sql`insert into portals (portal_id, name, description, url_key, access, public_key, sealed_private_key,
      created_at, modified_at) values (${portalId}, 'Maps', '', 'maps', 'private', 'k', 'k', 1, 1)`.execute(db)
    await sql`insert into users (user_id, username, username_key, portal_id, full_name, first_name, last_name, email,
      description, access, role, disabled, password_hash, created_at, modified_at)
      values (${ownerId}, 'anna', 'anna', ${portalId}, '', '', '', '', '', 'org', 'org_user', 0, 'h', 1, 1)`.execute(db)
    await sql`insert into groups (group_id, portal_id, owner_id, title, description, snippet, tags, title_key, tags_key,
      search_text, access, sort_field, sort_order, is_view_only, is_invitation_only, auto_join, is_protected, created_at,
      modified_at) values (${groupId}, ${portalId}, ${ownerId}, 'Lakes', '', '', '[]', 'lakes', '[]', '', 'org', 'title',
      'asc', 0, 1, 0, 0, 1, 1)`.execute(db)
    await db
      .insertInto('items')
      .values({ ...toRow(anItem({ level: 'private' })), access: 'shared' })
      .execute()
    await sql`insert into item_groups (item_number, group_id, gives_control) select id, ${groupId}, 1 from items`.execute(
      db,
    )
    await sql`insert into item_counts values ('group', ${groupId}, 1), ('user', ${ownerId}, 1)`.execute(db)
    await migrate(db)
    const { directory, items } = openStores(db)
    expect(await items.listItemLinks(itemId)).toEqual([{ groupId, givesControl: true }])
    expect((await db.selectFrom('item_counts').select('owner_kind').execute()).map((row) => row.owner_kind)).toEqual([
      'user',
    ])
    expect(await directory.findGroup(groupId)).toMatchObject({ title: 'Lakes', tags: [] })
    await items.removeItem(itemId)
    expect(await db.selectFrom('item_groups').selectAll().execute()).toEqual([])
  },
)
