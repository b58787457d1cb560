import { type Kysely, sql } from 'kysely'
import { columnType } from './create-table.ts'

/**
 * Columns of a version besides its document: numbers of trees and categories and, unless it was simply assigned or deleted, its
 * action, a comment, the moves of items, and the version that it restored. All are null in earlier versions; in a plain assign,
 * all but the two counts.
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
