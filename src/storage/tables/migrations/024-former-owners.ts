import type { Kysely } from 'kysely'
import { columnType } from './create-table.ts'

/** Former owner of a deleted group, so that the kept versions of its category schema count for that user. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db
  // Null if the group exists, and if it was deleted before.
  await schema.alterTable('category_schemas').addColumn('former_owner_id', columnType(db, 'text')).execute()
  await schema
    .createIndex('category_schemas_by_former_owner')
    .on('category_schemas')
    .columns(['former_owner_id', 'group_deleted_at'])
    .where('former_owner_id', 'is not', null)
    .execute()
}
