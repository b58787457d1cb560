import { type Kysely, sql } from 'kysely'
import { clustered, columnType, numbered, table } from './create-table.ts'

/**
 * Bytes of category schemas are counted for the organization of their owner, in the write that adds them. The row of an owner
 * has the time since which its oldest version can be removed.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db
  await schema.dropIndex('category_schemas_by_former_owner').execute()
  await schema.alterTable('category_schemas').dropColumn('former_owner_id').execute()
  // Null if the group was deleted before its organization was kept.
  await schema.alterTable('category_schemas').addColumn('portal_id', columnType(db, 'text')).execute()
  // Null if no version can be removed.
  await schema.alterTable('category_schemas').addColumn('removable_since', 'bigint').execute()
  await sql`
    update category_schemas set
      portal_id = case when owner_kind = 'portal' then owner_id else coalesce(
        (select "groups".portal_id from "groups" where "groups".group_id = category_schemas.owner_id), former_portal_id) end,
      removable_since = coalesce(
        (select case when kept.same_as is null then kept.assigned_at end ${oldest} 1),
        (select kept.assigned_at ${oldest} 2))`.execute(db)
  await schema.alterTable('category_schemas').dropColumn('former_portal_id').execute()
  await sql`create index category_schemas_by_bytes on category_schemas (portal_id, kept_bytes)
    where (removable_since is not null or group_deleted_at is not null)`.execute(db)
  for (const [name, column] of [
    ['category_schemas_by_age', 'removable_since'],
    ['category_schemas_by_deletion', 'group_deleted_at'],
  ] as const) {
    await schema
      .createIndex(name)
      .on('category_schemas')
      .column(column)
      .where(sql.ref(column), 'is not', null)
      .execute()
  }

  await schema.dropTable('schema_usage').execute()
  const usage = table(db, 'schema_usage', { portal_id: 'text', versions: 'bigint', bytes: 'bigint' })
  await clustered(db, usage.addPrimaryKeyConstraint('schema_usage_pk', ['portal_id'])).execute()
  await numbered(db, 'schema_usage_changes', { portal_id: 'text', versions: 'integer', bytes: 'bigint' }).execute()
  await sql`insert into schema_usage (portal_id, versions, bytes)
    select portal_id, sum(kept_versions), sum(kept_bytes) from category_schemas
    where portal_id is not null group by portal_id`.execute(db)
}

const oldest = sql`from category_schema_versions as kept where kept.owner_kind = category_schemas.owner_kind
  and kept.owner_id = category_schemas.owner_id order by kept.version limit 1 offset`
