import { type Kysely, sql } from 'kysely'
import { cascade, clustered, columnType, table } from './create-table.ts'

/**
 * The row of a category's path is the category: its path may change, and several may have one path, of which at most one is
 * primary. An item has rows of the categories that it carries itself only, so that a category may go below another one.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db
  await schema
    .alterTable('category_paths')
    .addColumn('state', columnType(db, 'text'), (column) => column.notNull().defaultTo('primary'))
    .execute()
  await schema.dropIndex('category_paths_by_path').execute()
  await schema
    .createIndex('category_paths_primary')
    .unique()
    .on('category_paths')
    .columns(['owner_kind', 'owner_id', 'path'])
    .where(sql.ref('state'), '=', sql.lit('primary'))
    .execute()
  await schema
    .createIndex('category_paths_cleared')
    .on('category_paths')
    .columns(['owner_kind', 'owner_id'])
    .where(sql.ref('state'), '=', sql.lit('cleared'))
    .execute()

  const made = table(db, 'item_categories_of_010', {
    category_id: 'bigint',
    item_number: 'bigint',
    position: 'integer',
  })
  await clustered(db, made)
    .addPrimaryKeyConstraint('item_categories_key', ['category_id', 'item_number'])
    .addForeignKeyConstraint('item_categories_of_category', ['category_id'], 'category_paths', ['id'], cascade)
    .addForeignKeyConstraint('item_categories_of_item', ['item_number'], 'items', ['id'], cascade)
    .execute()
  await sql`insert into item_categories_of_010 (category_id, item_number, position)
    select category_id, item_number, position from item_categories where position is not null`.execute(db)
  await schema.dropTable('item_categories').execute()
  await schema.alterTable('item_categories_of_010').renameTo('item_categories').execute()
  await schema.createIndex('item_categories_by_item').on('item_categories').column('item_number').execute()

  // Part of the index of the search.
  await table(db, 'inexact_categories', { category_id: 'bigint' })
    .addPrimaryKeyConstraint('inexact_categories_pk', ['category_id'])
    .addForeignKeyConstraint('inexact_categories_category', ['category_id'], 'category_paths', ['id'], cascade)
    .execute()
}
