import { type Kysely, sql } from 'kysely'
import { isPostgres, numbered } from './create-table.ts'

/** Limit of the pending list in kilobytes: 120 to 200 items. */
const maxPending = 512

/**
 * Writes of items on PostgreSQL: concurrent ones no longer conflict about the row that counts the items of their user, and the
 * words of an item are first put into a list, which every search reads, and from there into the index, many together.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await numbered(db, 'item_count_changes', { owner_id: 'text', items: 'integer' }).execute()
  if (!isPostgres(db)) return
  await sql`alter index item_index_by_tokens
    set (fastupdate = on, gin_pending_list_limit = ${sql.lit(maxPending)})`.execute(db)
}
