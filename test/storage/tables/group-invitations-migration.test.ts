import Database from 'better-sqlite3'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { SqliteDialectWithTransactionalDdl } from '../../../src/storage/sqlite/dialect.ts'
import { migrate } from '../../../src/storage/tables/migrate.ts'
import { migrations } from '../../../src/storage/tables/migrations/migrations.ts'
import type { Rows } from '../../../src/storage/tables/rows.ts'
import { emptyDatabase } from '../../support/databases/test-database.ts'

const engines: readonly (readonly [string, () => Promise<Kysely<Rows>>])[] = [
  ['SQLite', async () => new Kysely({ dialect: new SqliteDialectWithTransactionalDdl(new Database(':memory:')) })],
  [
    'PostgreSQL',
    async () =>
      new Kysely({ dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: await emptyDatabase() }) }) }),
  ],
]

test.each(engines)('on %s, groups from before are as they were, and the new tables are empty', async (_, open) => {
  const db = await open()
  onTestFinished(() => db.destroy())
  const before = Object.entries(migrations).filter(([name]) => name < '005')
  await migrate(db, Object.fromEntries(before))
  await sql`insert into portals (portal_id, name, description, url_key, access, public_key, sealed_private_key,
    created_at, modified_at) values ('p', '', '', '', '', '', '', 0, 0)`.execute(db)
  await sql`insert into users (user_id, username, username_key, portal_id, full_name, first_name, last_name, email,
    description, access, role, disabled, password_hash, created_at, modified_at)
    values ('u', 'anna', 'anna', 'p', '', '', '', '', '', 'org', 'org_user', 0, '', 0, 0)`.execute(db)
  await sql`insert into groups (group_id, portal_id, owner_id, title, description, snippet, tags, title_key, tags_key,
    search_text, access, sort_field, sort_order, is_view_only, is_invitation_only, auto_join, is_protected, created_at,
    modified_at) values ('g', 'p', 'u', 'Maps', '', '', '[]', 'maps', '[]', 'maps', 'org', 'title', 'asc', 1, 0, 1, 0,
    7, 8)`.execute(db)
  await sql`insert into members (group_id, user_id, member_type, joined_at) values ('g', 'u', 'owner', 7)`.execute(db)
  await migrate(db)

  expect(await db.selectFrom('groups').selectAll().execute()).toMatchObject([
    {
      title: 'Maps',
      access: 'org',
      is_view_only: 1,
      is_invitation_only: 0,
      auto_join: 1,
      gives_item_control: 0,
      is_leaving_disallowed: 0,
      hides_members: 0,
      membership_access: 'org',
      shown_item_types: '',
      phone: '',
    },
  ])
  expect(await db.selectFrom('members').select(['group_id', 'member_type']).execute()).toEqual([
    { group_id: 'g', member_type: 'owner' },
  ])
  for (const table of ['group_invitations', 'group_applications', 'notifications'] as const) {
    expect(await db.selectFrom(table).selectAll().execute()).toEqual([])
  }
})
