import { type Kysely, sql } from 'kysely'
import { cascade, columnType, table } from './create-table.ts'

/**
 * Sign-in by OAuth: apps, the grants that users gave them with their codes and refresh tokens, browser sessions, accounts of
 * identity providers, and links that are used once. A grant that ends takes its tokens with it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db
  const text = columnType(db, 'text')

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
    .addForeignKeyConstraint('oauth_apps_portal', ['portal_id'], 'portals', ['portal_id'], cascade)
    .execute()
  await schema.createIndex('oauth_apps_by_portal').on('oauth_apps').columns(['portal_id', 'client_id']).execute()
  await schema.createIndex('oauth_apps_by_item').unique().on('oauth_apps').column('item_id').execute()

  await table(db, 'grants', {
    grant_id: 'text',
    user_id: 'text',
    client_id: 'text',
    way: 'text',
    address: 'text',
    agent: 'text',
    created_at: 'bigint',
    last_used_at: 'bigint',
    expires_at: 'bigint',
    idle_minutes: 'integer',
  })
    .addColumn('issuer', text)
    .addColumn('provider_session', text)
    .addPrimaryKeyConstraint('grants_pk', ['grant_id'])
    .addForeignKeyConstraint('grants_user', ['user_id'], 'users', ['user_id'], cascade)
    .execute()
  await schema.createIndex('grants_by_user').on('grants').columns(['user_id', 'created_at']).execute()
  await schema.createIndex('grants_by_client').on('grants').column('client_id').execute()
  await schema.createIndex('grants_by_end').on('grants').column('expires_at').execute()

  await table(db, 'authorization_codes', {
    code_hash: 'text',
    grant_id: 'text',
    client_id: 'text',
    redirect_uri: 'text',
    refresh_minutes: 'integer',
    expires_at: 'bigint',
  })
    .addColumn('challenge', text)
    .addColumn('challenge_method', text)
    .addColumn('used_at', 'bigint')
    .addPrimaryKeyConstraint('authorization_codes_pk', ['code_hash'])
    .addForeignKeyConstraint('authorization_codes_grant', ['grant_id'], 'grants', ['grant_id'], cascade)
    .execute()

  await table(db, 'refresh_tokens', {
    token_hash: 'text',
    grant_id: 'text',
    created_at: 'bigint',
    expires_at: 'bigint',
    lifetime_minutes: 'integer',
  })
    .addColumn('exchanged_at', 'bigint')
    .addPrimaryKeyConstraint('refresh_tokens_pk', ['token_hash'])
    .addForeignKeyConstraint('refresh_tokens_grant', ['grant_id'], 'grants', ['grant_id'], cascade)
    .execute()
  for (const name of ['authorization_codes', 'refresh_tokens']) {
    await schema.createIndex(`${name}_by_grant`).on(name).column('grant_id').execute()
  }

  // Null for a token that was issued for username and password.
  await schema
    .alterTable('tokens')
    .addColumn('grant_id', text, (column) => column.references('grants.grant_id').onDelete('cascade'))
    .execute()
  await sql`create index tokens_by_grant on tokens (grant_id) where grant_id is not null`.execute(db)

  await table(db, 'app_tokens', { token_hash: 'text', client_id: 'text', created_at: 'bigint', expires_at: 'bigint' })
    .addPrimaryKeyConstraint('app_tokens_pk', ['token_hash'])
    .addForeignKeyConstraint('app_tokens_app', ['client_id'], 'oauth_apps', ['client_id'], cascade)
    .execute()
  await schema.createIndex('app_tokens_by_app').on('app_tokens').column('client_id').execute()
  await schema.createIndex('app_tokens_by_end').on('app_tokens').column('expires_at').execute()

  await table(db, 'browser_sessions', {
    session_hash: 'text',
    user_id: 'text',
    way: 'text',
    address: 'text',
    agent: 'text',
    created_at: 'bigint',
    last_used_at: 'bigint',
    expires_at: 'bigint',
  })
    .addColumn('issuer', text)
    .addColumn('provider_session', text)
    .addColumn('sealed_id_token', text)
    .addPrimaryKeyConstraint('browser_sessions_pk', ['session_hash'])
    .addForeignKeyConstraint('browser_sessions_user', ['user_id'], 'users', ['user_id'], cascade)
    .execute()
  await schema.createIndex('browser_sessions_by_user').on('browser_sessions').column('user_id').execute()
  await schema.createIndex('browser_sessions_by_end').on('browser_sessions').column('expires_at').execute()

  await table(db, 'consents', { user_id: 'text', client_id: 'text', fingerprint: 'text', given_at: 'bigint' })
    .addPrimaryKeyConstraint('consents_pk', ['user_id', 'client_id'])
    .addForeignKeyConstraint('consents_user', ['user_id'], 'users', ['user_id'], cascade)
    .execute()

  await table(db, 'user_identities', {
    issuer: 'text',
    subject: 'text',
    user_id: 'text',
    display: 'text',
    linked_at: 'bigint',
    last_used_at: 'bigint',
  })
    .addPrimaryKeyConstraint('user_identities_pk', ['issuer', 'subject'])
    .addForeignKeyConstraint('user_identities_user', ['user_id'], 'users', ['user_id'], cascade)
    .execute()
  await schema.createIndex('user_identities_by_user').on('user_identities').column('user_id').execute()

  await table(db, 'logout_tokens', { token_hash: 'text', expires_at: 'bigint' })
    .addPrimaryKeyConstraint('logout_tokens_pk', ['token_hash'])
    .execute()

  await table(db, 'one_time_links', { link_hash: 'text', user_id: 'text', expires_at: 'bigint' })
    .addPrimaryKeyConstraint('one_time_links_pk', ['link_hash'])
    .addForeignKeyConstraint('one_time_links_user', ['user_id'], 'users', ['user_id'], cascade)
    .execute()
  await schema.createIndex('one_time_links_by_user').on('one_time_links').column('user_id').execute()
}
