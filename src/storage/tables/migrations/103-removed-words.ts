import type { Kysely } from 'kysely'
import { keepRemoved } from './foundation/search-index.ts'
import { execute, isPostgres } from './statements.ts'

/** Words of removed rows stay longer in the index, on SQLite. */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (!isPostgres(db)) for (const noun of ['item', 'group', 'user']) await execute(db, keepRemoved(noun))
}
