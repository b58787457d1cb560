import { type Kysely, sql } from 'kysely'
import { table } from './create-table.ts'

/** Numbers of the items of users and groups, counted in each write, and of organizations, as last counted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await table(db, 'item_counts', { owner_kind: 'text', owner_id: 'text', items: 'bigint' })
    .addPrimaryKeyConstraint('item_counts_pk', ['owner_kind', 'owner_id'])
    .execute()
  await sql`insert into item_counts (owner_kind, owner_id, items)
    select 'user', owner_id, count(*) from items group by owner_id`.execute(db)
  await sql`insert into item_counts (owner_kind, owner_id, items)
    select 'group', group_id, count(*) from item_groups group by group_id`.execute(db)
  await sql`insert into item_counts (owner_kind, owner_id, items)
    select 'portal', portal_id, count(*) from items group by portal_id`.execute(db)
}
