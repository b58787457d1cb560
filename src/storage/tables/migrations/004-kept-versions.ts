import { type Kysely, PostgresAdapter, sql } from 'kysely'

/**
 * A version whose document equals the present one refers to it. `category_schemas` has the columns of the present version that a
 * read needs, and counts kept versions; the row of a deleted group stays as long as versions of it are kept.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db
  await schema.alterTable('category_schema_versions').addColumn('same_as', 'integer').execute()

  const text = isPostgres(db) ? sql`text collate "C"` : ('text' as const)
  const made = schema
    .createTable('category_schemas_of_004')
    .addColumn('owner_kind', text, (column) => column.notNull())
    .addColumn('owner_id', text, (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('is_set', 'integer', (column) => column.notNull())
    .addColumn('assigned_at', 'bigint', (column) => column.notNull())
    .addColumn('document_version', 'integer', (column) => column.notNull())
    .addColumn('checksum', 'bigint', (column) => column.notNull())
    .addColumn('kept_versions', 'integer', (column) => column.notNull())
    .addColumn('kept_bytes', 'bigint', (column) => column.notNull())
    .addColumn('former_portal_id', text)
    .addColumn('group_deleted_at', 'bigint')
    .addPrimaryKeyConstraint('category_schemas_key', ['owner_kind', 'owner_id'])
  // Clustered by the key, as in no other table: a read of the hottest row is one look-up instead of two.
  await (isPostgres(db) ? made : made.modifyEnd(sql`without rowid`)).execute()
  await sql`
    insert into category_schemas_of_004 (owner_kind, owner_id, version, is_set, assigned_at, document_version, checksum,
      kept_versions, kept_bytes)
    select head.owner_kind, head.owner_id, head.version, head.is_set, max(kept.assigned_at), head.version, ${unknown},
      count(*), coalesce(sum(octet_length(kept.document)), 0)
    from category_schemas as head join category_schema_versions as kept
      on kept.owner_kind = head.owner_kind and kept.owner_id = head.owner_id
    group by head.owner_kind, head.owner_id, head.version, head.is_set`.execute(db)
  // Versions of groups that are deleted: when and of which organization was not stored.
  await sql`
    insert into category_schemas_of_004 (owner_kind, owner_id, version, is_set, assigned_at, document_version, checksum,
      kept_versions, kept_bytes, group_deleted_at)
    select owner_kind, owner_id, max(version), 0, max(assigned_at), max(version), ${unknown},
      count(*), coalesce(sum(octet_length(document)), 0), max(assigned_at)
    from category_schema_versions as kept
    where not exists (select 1 from category_schemas as head
      where head.owner_kind = kept.owner_kind and head.owner_id = kept.owner_id)
    group by owner_kind, owner_id`.execute(db)
  await schema.dropTable('category_schemas').execute()
  await schema.alterTable('category_schemas_of_004').renameTo('category_schemas').execute()

  await schema
    .createTable('schema_usage')
    .addColumn('portal_id', text, (column) => column.notNull())
    .addColumn('versions', 'bigint', (column) => column.notNull())
    .addColumn('bytes', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('schema_usage_pk', ['portal_id'])
    .addForeignKeyConstraint('schema_usage_portal', ['portal_id'], 'portals', ['portal_id'])
    .execute()
}

/** No checksum: the next document of the owner is stored even if it is equal. */
const unknown = sql.lit(-1)

function isPostgres(db: Kysely<unknown>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter
}
