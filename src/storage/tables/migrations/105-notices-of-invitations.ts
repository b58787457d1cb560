import type { Kysely } from 'kysely'
import { execute } from './statements.ts'

/** The invitation to a collaboration that a notification is about: null for those of earlier versions, and for others. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await execute(db, 'alter table notifications add column invitation text;')
}
