import type { Kysely } from 'kysely'
import { execute } from './statements.ts'

/** The draft that a notification is about, and when its user read it: null for those of earlier versions, and for unread ones. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await execute(
    db,
    `
alter table notifications add column draft text;
alter table notifications add column read_at bigint;
`,
  )
}
