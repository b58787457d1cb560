import { type Kysely, sql } from 'kysely'
import { cascade, columnType, table } from './create-table.ts'

/** Drafts of category schemas, and whether an organization asks for two people, which none does yet. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('portals')
    .addColumn('category_approval', columnType(db, 'text'), (column) => column.notNull().defaultTo('none'))
    .execute()
  const texts = { owner_kind: 'text', owner_id: 'text', portal_id: 'text', name: 'text', document: 'text' } as const
  const numbers = { categories: 'integer', base_version: 'integer', revision: 'integer' } as const
  const people = { created_by: 'text', created_at: 'bigint', saved_by: 'text', saved_at: 'bigint' } as const
  await table(db, 'schema_drafts', { draft_id: 'text', ...texts, ...numbers, moves: 'text', ...people, state: 'text' })
    .addColumn('comment', columnType(db, 'text'))
    .addColumn('vanishing', columnType(db, 'text'))
    .addColumn('state_by', columnType(db, 'text'))
    .addColumn('state_at', 'bigint')
    .addColumn('note', columnType(db, 'text'))
    .addColumn('reviewer', columnType(db, 'text'))
    .addColumn('publish_at', 'bigint')
    .addColumn('checksum', 'bigint')
    .addPrimaryKeyConstraint('schema_drafts_pk', ['draft_id'])
    .addForeignKeyConstraint('schema_drafts_portal', ['portal_id'], 'portals', ['portal_id'], cascade)
    .execute()
  await sql`create index schema_drafts_by_owner on schema_drafts (owner_kind, owner_id)`.execute(db)
  await sql`create index schema_drafts_pending on schema_drafts (portal_id, state_at)
    where state <> 'open'`.execute(db)
  await sql`create index schema_drafts_due on schema_drafts (publish_at) where state = 'scheduled'`.execute(db)
  await sql`create index schema_drafts_without_checksum on schema_drafts (checksum)
    where checksum is null`.execute(db)
}
