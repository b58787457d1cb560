import type { Kysely } from 'kysely'
import { cascade, clustered, columnType, numbered, table } from './create-table.ts'

/**
 * Items, their data, the groups that they are shared with, and their categories. A category of an organization or a group has
 * a number, so that a change of a schema rewrites no item; an item has a row for each category that it carries and for each one
 * above, so that counting follows no tree.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db

  await numbered(db, 'items', {
    item_id: 'text',
    portal_id: 'text',
    owner_id: 'text',
    level: 'text',
    access: 'text',
    is_protected: 'integer',
    size: 'bigint',
    created_at: 'bigint',
    modified_at: 'bigint',
    title: 'text',
    title_key: 'text',
    type: 'text',
    type_keywords: 'text',
    tags: 'text',
    culture: 'text',
    spatial_reference: 'text',
    url: 'text',
    snippet: 'text',
    access_information: 'text',
    documentation: 'text',
    license_info: 'text',
    description: 'text',
  })
    .addColumn('west', 'double precision')
    .addColumn('south', 'double precision')
    .addColumn('east', 'double precision')
    .addColumn('north', 'double precision')
    .addColumn('properties', columnType(db, 'text'))
    .addUniqueConstraint('items_item_id', ['item_id'])
    .addForeignKeyConstraint('items_portal', ['portal_id'], 'portals', ['portal_id'])
    .addForeignKeyConstraint('items_owner', ['owner_id'], 'users', ['user_id'])
    .execute()
  await schema.createIndex('items_by_portal').on('items').column('portal_id').execute()
  await schema.createIndex('items_by_owner').on('items').column('owner_id').execute()

  // An id is never given to another item.
  await table(db, 'removed_items', { item_id: 'text' })
    .addPrimaryKeyConstraint('removed_items_pk', ['item_id'])
    .execute()

  await table(db, 'item_texts', { item_number: 'bigint', text: 'text' })
    .addPrimaryKeyConstraint('item_texts_pk', ['item_number'])
    .addForeignKeyConstraint('item_texts_item', ['item_number'], 'items', ['id'], cascade)
    .execute()

  await clustered(db, table(db, 'item_groups', { item_number: 'bigint', group_id: 'text', gives_control: 'integer' }))
    .addPrimaryKeyConstraint('item_groups_pk', ['item_number', 'group_id'])
    .addForeignKeyConstraint('item_groups_item', ['item_number'], 'items', ['id'], cascade)
    .addForeignKeyConstraint('item_groups_group', ['group_id'], 'groups', ['group_id'], cascade)
    .execute()
  await schema.createIndex('item_groups_by_group').on('item_groups').columns(['group_id', 'item_number']).execute()

  // The owner of a path is a group or an organization. Its key is the folded path; a tree has no parent.
  await numbered(db, 'category_paths', {
    owner_kind: 'text',
    owner_id: 'text',
    path: 'text',
    path_key: 'text',
    depth: 'integer',
  })
    .addColumn('parent_id', 'bigint')
    .execute()
  await schema
    .createIndex('category_paths_by_path')
    .unique()
    .on('category_paths')
    .columns(['owner_kind', 'owner_id', 'path'])
    .execute()
  await schema
    .createIndex('category_paths_by_key')
    .on('category_paths')
    .columns(['owner_kind', 'owner_id', 'path_key'])
    .execute()

  // The position is null where the item carries a category below this one only.
  await clustered(db, table(db, 'item_categories', { category_id: 'bigint', item_number: 'bigint' }))
    .addColumn('position', 'integer')
    .addPrimaryKeyConstraint('item_categories_pk', ['category_id', 'item_number'])
    .addForeignKeyConstraint('item_categories_category', ['category_id'], 'category_paths', ['id'], cascade)
    .addForeignKeyConstraint('item_categories_item', ['item_number'], 'items', ['id'], cascade)
    .execute()
  await schema.createIndex('item_categories_by_item').on('item_categories').column('item_number').execute()
}
