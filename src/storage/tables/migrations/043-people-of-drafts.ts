import { type Kysely, sql } from 'kysely'
import { columnType } from './create-table.ts'

/**
 * Drafts of deletions and restores, and the persons behind drafts and versions. Who is behind an earlier draft is not known for
 * certain: where two people are asked for, a person has to save or propose it again.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const text = columnType(db, 'text')
  const add = (table: string) => db.schema.alterTable(table)
  const drafts = 'schema_drafts'
  await add(drafts)
    .addColumn('action', text, (column) => column.notNull().defaultTo('assign'))
    .execute()
  await add(drafts).addColumn('restored_from', 'integer').execute()
  await add(drafts).addColumn('items', text).execute()
  await add(drafts)
    .addColumn('people', text, (column) => column.notNull().defaultTo('{"savers":[]}'))
    .execute()
  await add(drafts)
    .addColumn('saved_revision', 'integer', (column) => column.notNull().defaultTo(1))
    .execute()
  await sql`update schema_drafts set saved_revision = revision`.execute(db)
  await add('category_schema_versions').addColumn('draft', text).execute()
}
