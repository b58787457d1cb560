import { type Kysely, sql } from 'kysely'
import { cascade, columnType, table } from './create-table.ts'

/** Templates of category schemas that organizations keep, and the language of an organization, which none has yet. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('portals')
    .addColumn('culture', columnType(db, 'text'), (column) => column.notNull().defaultTo(''))
    .execute()
  const texts = { portal_id: 'text', name: 'text', title: 'text', document: 'text', created_by: 'text' } as const
  await table(db, 'schema_templates', { ...texts, categories: 'integer', created_at: 'bigint' })
    .addColumn('source', columnType(db, 'text'))
    .addColumn('checksum', 'bigint')
    .addPrimaryKeyConstraint('schema_templates_pk', ['portal_id', 'name'])
    .addForeignKeyConstraint('schema_templates_portal', ['portal_id'], 'portals', ['portal_id'], cascade)
    .execute()
  await sql`create index schema_templates_without_checksum on schema_templates (checksum)
    where checksum is null`.execute(db)
}
