import { type Kysely, sql } from 'kysely'
import { columnType } from './create-table.ts'

/** Username at an identity provider whose account signs in as the user, or is expected to. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('users').addColumn('provider_username', columnType(db, 'text')).execute()
  await db.schema
    .createIndex('users_by_provider_username')
    .on('users')
    .columns(['portal_id', 'provider_username'])
    .execute()
  await sql`create index users_by_email on users (portal_id, lower(email))`.execute(db)
  await db.schema
    .createIndex('grants_by_provider_session')
    .on('grants')
    .columns(['issuer', 'provider_session'])
    .execute()
}
