import { type Kysely, sql } from 'kysely'
import type { ItemCount } from '../../../items/store.ts'
import type { ItemCountRow } from '../../tables/rows/items.ts'
import type { Rows } from '../../tables/rows.ts'
import { prepared } from '../prepared.ts'

/** Counted in the write that changes it for users, and by housekeeping for organizations: all writers would meet there. */
export type CountedOwner = ItemCountRow['owner_kind']

const change = prepared((db, { kind, ownerId, by }: { kind: CountedOwner; ownerId: string; by: number }) =>
  db
    .insertInto('item_counts')
    .values({ owner_kind: kind, owner_id: ownerId, items: by })
    .onConflict((conflict) =>
      conflict
        .columns(['owner_kind', 'owner_id'])
        .doUpdateSet({ items: sql`item_counts.items + ${sql.ref('excluded.items')}` }),
    ),
)

const put = prepared((db, { kind, ownerId, items }: { kind: CountedOwner; ownerId: string; items: number }) =>
  db
    .insertInto('item_counts')
    .values({ owner_kind: kind, owner_id: ownerId, items })
    .onConflict((conflict) =>
      conflict.columns(['owner_kind', 'owner_id']).doUpdateSet({ items: (set) => set.ref('excluded.items') }),
    ),
)

const find = prepared((db, { kind, ownerId }: { kind: CountedOwner; ownerId: string }) =>
  db.selectFrom('item_counts').select('items').where('owner_kind', '=', kind).where('owner_id', '=', ownerId),
)

const forget = prepared((db, { kind, ownerId }: { kind: CountedOwner; ownerId: string }) =>
  db.deleteFrom('item_counts').where('owner_kind', '=', kind).where('owner_id', '=', ownerId),
)

/** `by` is negative where items go. */
export async function countItems(db: Kysely<Rows>, kind: CountedOwner, ownerId: string, by: number): Promise<void> {
  await change.run(db, { kind, ownerId, by })
}

export async function putItemCount(
  db: Kysely<Rows>,
  kind: CountedOwner,
  ownerId: string,
  items: number,
): Promise<void> {
  await put.run(db, { kind, ownerId, items })
}

export async function findItemCount(db: Kysely<Rows>, kind: CountedOwner, ownerId: string): Promise<number> {
  return (await find.first(db, { kind, ownerId }))?.items ?? 0
}

/** For an owner that is removed. */
export async function forgetItemCount(db: Kysely<Rows>, kind: CountedOwner, ownerId: string): Promise<void> {
  await forget.run(db, { kind, ownerId })
}

/** Users who own or owned items, in the order of their ids, after one. */
export async function listItemCounts(db: Kysely<Rows>, after: string, num: number): Promise<readonly ItemCount[]> {
  const rows = await db
    .selectFrom('item_counts')
    .innerJoin('users', 'users.user_id', 'item_counts.owner_id')
    .select(['owner_id', 'portal_id', 'items'])
    .where('owner_kind', '=', 'user')
    .where('owner_id', '>', after)
    .orderBy('owner_id')
    .limit(num)
    .execute()
  return rows.map((row) => ({ userId: row.owner_id, portalId: row.portal_id, items: row.items }))
}
