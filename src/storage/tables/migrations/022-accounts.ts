import type { Kysely } from 'kysely'
import { columnType } from './create-table.ts'

/** Address and agent of a token, for the list of sessions; and the time at which a password has to be changed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db
  const text = columnType(db, 'text')
  // Null for a token of an app, whose grant has them, and for an earlier token.
  for (const name of ['address', 'agent']) await schema.alterTable('tokens').addColumn(name, text).execute()
  // Null for a password that does not have to be changed.
  await schema.alterTable('users').addColumn('password_expires_at', 'bigint').execute()
  await schema.createIndex('refresh_tokens_by_end').on('refresh_tokens').column('expires_at').execute()
}
