import { type Kysely, sql } from 'kysely'

/** Rows without a checksum: a version without a document of its own needs none. */
const unknown = {
  category_schema_versions: 'checksum is null and document is not null',
  items: 'checksum is null',
  item_texts: 'checksum is null',
  audit: 'checksum is null',
}

/**
 * Stored documents have a checksum beside them. Existing rows have none yet: servers add checksums in steps, and find the rows
 * by these indexes, which a row leaves once it has one.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [table, isUnknown] of Object.entries(unknown)) {
    await db.schema.alterTable(table).addColumn('checksum', 'bigint').execute()
    await sql`create index ${sql.ref(`${table}_without_checksum`)} on ${sql.table(table)} (checksum)
      where ${sql.raw(isUnknown)}`.execute(db)
  }
}
