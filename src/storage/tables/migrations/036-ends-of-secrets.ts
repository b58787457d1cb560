import type { Kysely } from 'kysely'
import { columnType } from './create-table.ts'

/** Time at which the secret of an app was made, its end, and the number of reminders sent. Earlier secrets have no end. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const name of ['secret_made_at', 'secret_expires_at', 'former_secret_expires_at']) {
    await db.schema.alterTable('oauth_apps').addColumn(name, columnType(db, 'bigint')).execute()
  }
  await db.schema
    .alterTable('oauth_apps')
    .addColumn('reminders', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
}
