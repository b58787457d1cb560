import { type Kysely, sql } from 'kysely'
import { cascade, columnType, table } from './create-table.ts'

/**
 * Apps end with their items, and the grants of users with the app. Organizations switch built-in apps off. The tables of apps
 * are created again: no operation has written to them yet.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db
  const text = columnType(db, 'text')
  await schema.dropTable('app_tokens').execute()
  await schema.dropTable('oauth_apps').execute()

  await table(db, 'oauth_apps', {
    client_id: 'text',
    portal_id: 'text',
    title: 'text',
    app_type: 'text',
    redirect_uris: 'text',
    http_referrers: 'text',
    privileges: 'text',
    allows_plain: 'integer',
    cannot_prove: 'integer',
    query_may_differ: 'integer',
    rotates_always: 'integer',
    asks_nothing: 'integer',
    disabled: 'integer',
    created_at: 'bigint',
    modified_at: 'bigint',
  })
    .addColumn('item_id', text)
    .addColumn('secret_hash', text)
    .addColumn('former_secret_hash', text)
    .addPrimaryKeyConstraint('oauth_apps_pk', ['client_id'])
    .addUniqueConstraint('oauth_apps_item_id', ['item_id'])
    .addForeignKeyConstraint('oauth_apps_portal', ['portal_id'], 'portals', ['portal_id'], cascade)
    .addForeignKeyConstraint('oauth_apps_item', ['item_id'], 'items', ['item_id'], cascade)
    .execute()
  await schema.createIndex('oauth_apps_by_portal').on('oauth_apps').columns(['portal_id', 'client_id']).execute()

  await table(db, 'app_tokens', { token_hash: 'text', client_id: 'text', created_at: 'bigint', expires_at: 'bigint' })
    .addPrimaryKeyConstraint('app_tokens_pk', ['token_hash'])
    .addForeignKeyConstraint('app_tokens_app', ['client_id'], 'oauth_apps', ['client_id'], cascade)
    .execute()
  await schema.createIndex('app_tokens_by_app').on('app_tokens').column('client_id').execute()
  await schema.createIndex('app_tokens_by_end').on('app_tokens').column('expires_at').execute()

  // Null for a built-in app, which has no row.
  await schema
    .alterTable('grants')
    .addColumn('app_id', text, (column) => column.references('oauth_apps.client_id').onDelete('cascade'))
    .execute()
  await sql`create index grants_by_app on grants (app_id) where app_id is not null`.execute(db)

  await table(db, 'switched_off_apps', { portal_id: 'text', client_id: 'text' })
    .addPrimaryKeyConstraint('switched_off_apps_pk', ['portal_id', 'client_id'])
    .addForeignKeyConstraint('switched_off_apps_portal', ['portal_id'], 'portals', ['portal_id'], cascade)
    .execute()
}
