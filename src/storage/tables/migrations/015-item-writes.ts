import { type Kysely, sql } from 'kysely'
import { isPostgres, numbered } from './create-table.ts'

/** In kilobytes: 120 to 200 items. */
const mostPending = 512

/**
 * Writes of items on PostgreSQL: several at the same time no longer meet in the row that counts what their user owns, and the
 * words of an item are first put into a list, which every search looks through, and from there into the index, many at once.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await numbered(db, 'item_count_changes', { owner_id: 'text', items: 'integer' }).execute()
  if (!isPostgres(db)) return
  await sql`alter index item_index_by_tokens
    set (fastupdate = on, gin_pending_list_limit = ${sql.lit(mostPending)})`.execute(db)
}
