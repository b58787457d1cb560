import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { migrate } from '../../../src/storage/tables/migrate.ts'
import { engine } from '../../support/databases/engine.ts'
import { openEarlier } from './earlier-database.ts'

test(`${engine}: what was typed as an unknown username is removed`, async () => {
  const { db } = await openEarlier('002')
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
