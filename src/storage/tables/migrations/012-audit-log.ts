import { type Kysely, sql } from 'kysely'
import { columnType, isPostgres, table } from './create-table.ts'

/**
 * Details that operations add to their audit entries, and the index of the log. Housekeeping fills it, in steps, with the
 * existing entries: writes never touch it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const name of ['owner_id', 'data']) {
    await db.schema.alterTable('audit').addColumn(name, columnType(db, 'text')).execute()
  }

  const terms = table(db, 'audit_terms', { portal_id: 'text', term: 'text', block: 'bigint' })
    .addColumn('positions', isPostgres(db) ? 'bytea' : 'blob', (column) => column.notNull())
    .addPrimaryKeyConstraint('audit_terms_pk', ['portal_id', 'term', 'block'])
  await (isPostgres(db) ? terms : terms.modifyEnd(sql`without rowid`)).execute()

  await table(db, 'audit_blocks', { block: 'bigint', first_at: 'bigint', last_at: 'bigint' })
    .addPrimaryKeyConstraint('audit_blocks_pk', ['block'])
    .execute()
}
