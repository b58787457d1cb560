import { type Kysely, sql } from 'kysely'
import { isPostgres, table } from './create-table.ts'

/**
 * Links between items and groups end in steps, so they outlive the group: `ended_links` has those that remain to be ended. The
 * items of a group are not counted any more. Groups lose the columns of the search that preceded the index.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db
  // An empty `owner_id` stands for all links of a removed group. Items with numbers up to `after_item` have no links left.
  await table(db, 'ended_links', { group_id: 'text', owner_id: 'text', after_item: 'bigint' })
    .addPrimaryKeyConstraint('ended_links_pk', ['group_id', 'owner_id'])
    .execute()
  await sql`delete from item_counts where owner_kind = 'group'`.execute(db)
  for (const column of ['tags_key', 'search_text']) await schema.alterTable('groups').dropColumn(column).execute()

  if (isPostgres(db)) {
    await schema.alterTable('item_groups').dropConstraint('item_groups_group').execute()
    return
  }
  // SQLite drops no constraint of a table.
  await sql`alter table item_groups rename to former_item_groups`.execute(db)
  await table(db, 'item_groups', { item_number: 'bigint', group_id: 'text', gives_control: 'integer' })
    .addPrimaryKeyConstraint('item_groups_pk', ['item_number', 'group_id'])
    .addForeignKeyConstraint('item_groups_item', ['item_number'], 'items', ['id'], (key) => key.onDelete('cascade'))
    .modifyEnd(sql`without rowid`)
    .execute()
  await sql`insert into item_groups select item_number, group_id, gives_control from former_item_groups`.execute(db)
  await schema.dropTable('former_item_groups').execute()
  await schema.createIndex('item_groups_by_group').on('item_groups').columns(['group_id', 'item_number']).execute()
}
