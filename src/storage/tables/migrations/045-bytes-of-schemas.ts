import type { Kysely } from 'kysely'

/** Bytes of category schemas count for accounts alone, and no longer for each owner of a schema. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema.dropIndex('category_schemas_by_bytes').execute()
  await schema.alterTable('category_schemas').dropColumn('kept_bytes').execute()
}
