import { type Kysely, sql } from 'kysely'
import { columnType, numbered, table } from './create-table.ts'

/**
 * Failed sign-ins by a digest of the account, with cross-site ones apart; addresses that have signed in. Unknown usernames are
 * removed, as they may be passwords typed into the wrong field. Counts of failures begin again.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db

  await schema.dropTable('sign_in_failures').execute()
  await numbered(db, 'sign_in_failures', {
    account_key: 'text',
    address: 'text',
    is_cross_site: 'integer',
    failed_at: 'bigint',
  })
    .addColumn('origin', columnType(db, 'text'))
    .execute()
  for (const column of ['account_key', 'address']) {
    await schema
      .createIndex(`sign_in_failures_by_${column}`)
      .on('sign_in_failures')
      .columns([column, 'is_cross_site', 'failed_at'])
      .execute()
  }
  await schema.createIndex('sign_in_failures_by_time').on('sign_in_failures').column('failed_at').execute()

  await table(db, 'sign_in_addresses', { user_id: 'text', address: 'text', signed_in_at: 'bigint' })
    .addPrimaryKeyConstraint('sign_in_addresses_pk', ['user_id', 'address'])
    .addForeignKeyConstraint('sign_in_addresses_user', ['user_id'], 'users', ['user_id'], (key) =>
      key.onDelete('cascade'),
    )
    .execute()
  await schema
    .createIndex('sign_in_addresses_by_time')
    .on('sign_in_addresses')
    .columns(['user_id', 'signed_in_at'])
    .execute()

  await sql`update audit set username = null where operation = 'generateToken' and portal_id is null`.execute(db)
}
