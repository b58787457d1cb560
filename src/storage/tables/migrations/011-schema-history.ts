import { type Kysely, sql } from 'kysely'
import { columnType } from './create-table.ts'

/**
 * What a version has besides its document: how many trees and categories, and where it was not simply assigned or deleted,
 * its action, a comment, how items followed, and the version that it restored. All are null in the versions of before; of a
 * plain assign, all but the two counts.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const text = columnType(db, 'text')
  const columns = {
    trees: 'integer',
    categories: 'integer',
    action: text,
    comment: text,
    moves: text,
    path_moves: text,
    restored_from: 'integer',
  } as const
  for (const [name, type] of Object.entries(columns)) {
    await sql`alter table category_schema_versions add column ${sql.ref(name)} ${
      typeof type === 'string' ? sql.raw(type) : type
    }`.execute(db)
  }
}
