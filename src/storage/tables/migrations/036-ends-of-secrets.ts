import type { Kysely } from 'kysely'
import { columnType } from './create-table.ts'

/** When secrets of apps were made and end, and how many reminders were sent. Secrets from before have no end. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const name of ['secret_made_at', 'secret_expires_at', 'former_secret_expires_at']) {
    await db.schema.alterTable('oauth_apps').addColumn(name, columnType(db, 'bigint')).execute()
  }
  await db.schema
    .alterTable('oauth_apps')
    .addColumn('reminders', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
}
