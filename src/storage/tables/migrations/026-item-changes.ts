import { type Kysely, sql } from 'kysely'
import { isPostgres, table } from './create-table.ts'

/** Minimum of latest changes that are kept (chosen): a search that has missed more reads all items again. */
const keptChanges = 20_000
/** Changes that one write removes, so that few writes have to. */
const removedAtOnce = 1_000

/**
 * Numbers of items whose row of the index was written or removed, in the order of the writes, in SQLite only: the search thread
 * keeps columns of all items in memory, and follows these changes. Ids have no gaps. Searches of PostgreSQL keep no columns.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (isPostgres(db)) return
  await table(db, 'item_changes', { id: 'integer', number: 'integer' })
    .addPrimaryKeyConstraint('item_changes_pk', ['id'])
    .execute()
  for (const [event, row] of [
    ['insert', 'new'],
    ['update', 'new'],
    ['delete', 'old'],
  ] as const) {
    await sql`create trigger ${sql.ref(`item_changes_by_${event}`)} after ${sql.raw(event)} on item_index
      begin insert into item_changes (number) values (${sql.raw(row)}.number); end`.execute(db)
  }
  await sql`create trigger item_changes_go after insert on item_changes when new.id % ${sql.lit(removedAtOnce)} = 0
    begin delete from item_changes where id <= new.id - ${sql.lit(keptChanges)}; end`.execute(db)
}
