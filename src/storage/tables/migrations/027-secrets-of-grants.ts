import { type Kysely, sql } from 'kysely'

/**
 * Whether the app gave its secret for the code of a grant, and so has to give it at every refresh. For earlier grants, it is set
 * where nothing but the secret can have proven that the code was the app's.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('grants')
    .addColumn('needs_secret', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await sql`update grants set needs_secret = 1
    where app_id in (select client_id from oauth_apps where app_type = 'server')
      or (
        app_id in (select client_id from oauth_apps where app_type = 'multiple' and cannot_prove = 0)
        and grant_id in (select grant_id from authorization_codes where challenge is null and used_at is not null)
      )`.execute(db)
}
