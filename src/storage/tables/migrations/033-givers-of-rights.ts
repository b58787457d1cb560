import { type Kysely, sql } from 'kysely'
import { columnType } from './create-table.ts'

/**
 * Whether an administrator has confirmed an app, and who made a link to a new password. Earlier apps are not confirmed, as
 * their owners may have lost the privileges that they gave them. Apps without an item have no owner, and only the operator
 * registers them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db
  await schema
    .alterTable('oauth_apps')
    .addColumn('confirmed', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await sql`update oauth_apps set confirmed = 1 where item_id is null`.execute(db)
  // Null for the operator and for the page of sign-in.
  await schema
    .alterTable('one_time_links')
    .addColumn('maker_id', columnType(db, 'text'), (column) => column.references('users.user_id').onDelete('cascade'))
    .execute()
}
