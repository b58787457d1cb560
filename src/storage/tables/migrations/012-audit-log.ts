import type { Kysely } from 'kysely'
import { columnType } from './create-table.ts'

/** What operations add to their audit entries. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const name of ['owner_id', 'data']) {
    await db.schema.alterTable('audit').addColumn(name, columnType(db, 'text')).execute()
  }
}
