import type { Kysely } from 'kysely'
import { columnType } from './create-table.ts'

/** Profiles of users: tags, language, region and units. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [name, before] of Object.entries({ tags: '[]', culture: '', region: '', units: '' })) {
    await db.schema
      .alterTable('users')
      .addColumn(name, columnType(db, 'text'), (column) => column.notNull().defaultTo(before))
      .execute()
  }
}
