import Database from 'better-sqlite3'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { SqliteDialectWithTransactionalDdl } from '../../../src/storage/sqlite/dialect.ts'
import { userStore } from '../../../src/storage/stores/user-store.ts'
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

const name = Object.keys(migrations).find((known) => known.endsWith('-profiles'))!

test.each(engines)('on %s, users of before have an empty profile', async (_, open) => {
  const db = await open()
  onTestFinished(() => db.destroy())
  const before = Object.entries(migrations).filter(([known]) => known < name)
  await migrate(db, Object.fromEntries(before))
  await sql`insert into portals (portal_id, name, description, url_key, access, public_key, sealed_private_key,
    created_at, modified_at) values ('maps', '', '', '', '', '', '', 0, 0)`.execute(db)
  await sql`insert into users (user_id, username, username_key, portal_id, full_name, first_name, last_name, email,
    description, access, role, disabled, password_hash, created_at, modified_at) values ('a1', 'Anna', 'anna', 'maps',
    'Anna Atlas', '', '', '', 'Draws', 'org', 'org_user', 0, 'hash', 1, 2)`.execute(db)
  await migrate(db)

  const users = userStore(db)
  const anna = await users.findUser('ANNA')
  expect(anna).toMatchObject({ fullName: 'Anna Atlas', description: 'Draws' })
  expect(anna).toMatchObject({ tags: [], culture: '', region: '', units: '' })
  await users.updateUser({ ...anna!, tags: ['maps'], culture: 'en', region: 'CH', units: 'metric' })
  expect(await users.findUserById('a1')).toMatchObject({ tags: ['maps'], culture: 'en', region: 'CH', units: 'metric' })
})
