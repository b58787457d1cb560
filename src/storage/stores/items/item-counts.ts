import { type Kysely, sql } from 'kysely'
import type { ItemCount } from '../../../items/store.ts'
import { isPostgres } from '../../tables/catalog.ts'
import type { ItemCountRow } from '../../tables/rows/items.ts'
import type { Rows } from '../../tables/rows.ts'
import { prepared } from '../prepared.ts'

/** Counted in the write that changes it for users, and by housekeeping for organizations: all writers would meet there. */
export type CountedOwner = ItemCountRow['owner_kind']

const change = prepared((db, { ownerId, by }: OfUser & { readonly by: number }) =>
  db
    .insertInto('item_counts')
    .values({ owner_kind: 'user', owner_id: ownerId, items: by })
    .onConflict((conflict) =>
      conflict
        .columns(['owner_kind', 'owner_id'])
        .doUpdateSet({ items: sql`item_counts.items + ${sql.ref('excluded.items')}` }),
    ),
)

interface OfUser {
  readonly ownerId: string
}

const addChange = prepared((db, { ownerId, by }: OfUser & { readonly by: number }) =>
  db.insertInto('item_count_changes').values({ owner_id: ownerId, items: by }),
)

const takeChanges = prepared((db) => db.deleteFrom('item_count_changes').returning(['owner_id', 'items']))

const countOf = prepared<OfUser, { items: number }>((db, { ownerId }) => ({
  compile: () =>
    sql<{ items: number }>`select coalesce((select items from item_counts where owner_kind = 'user'
      and owner_id = ${ownerId}), 0) + coalesce((select sum(items) from item_count_changes
      where owner_id = ${ownerId}), 0) as items`.compile(db) as never,
}))

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

const forget = prepared((db, { ownerId }: OfUser) =>
  db.deleteFrom('item_counts').where('owner_kind', '=', 'user').where('owner_id', '=', ownerId),
)

const forgetChanges = prepared((db, { ownerId }: OfUser) =>
  db.deleteFrom('item_count_changes').where('owner_id', '=', ownerId),
)

/**
 * `by` is negative where items go. Of writes of one user at the same time, each would conflict on PostgreSQL with the others
 * about the row that has the count: there, it gets a row of its own until housekeeping.
 */
export async function countItems(db: Kysely<Rows>, ownerId: string, by: number): Promise<void> {
  await (isPostgres(db) ? addChange : change).run(db, { ownerId, by })
}

/** Adds the rows of their own to the counts. */
export async function sumUpCounts(db: Kysely<Rows>): Promise<void> {
  const sums = new Map<string, number>()
  for (const { owner_id, items } of await takeChanges.all(db, {})) sums.set(owner_id, (sums.get(owner_id) ?? 0) + items)
  for (const [ownerId, by] of sums) await change.run(db, { ownerId, by })
}

export async function putItemCount(
  db: Kysely<Rows>,
  kind: CountedOwner,
  ownerId: string,
  items: number,
): Promise<void> {
  await put.run(db, { kind, ownerId, items })
}

/** As last summed up: of a user on PostgreSQL, up to ten seconds ago. */
export async function findItemCount(db: Kysely<Rows>, kind: CountedOwner, ownerId: string): Promise<number> {
  return (await find.first(db, { kind, ownerId }))?.items ?? 0
}

/** How many items the user owns now. */
export async function countItemsOf(db: Kysely<Rows>, ownerId: string): Promise<number> {
  return (await countOf.first(db, { ownerId }))!.items
}

/** For a user who is removed. */
export async function forgetItemCount(db: Kysely<Rows>, ownerId: string): Promise<void> {
  await forget.run(db, { ownerId })
  await forgetChanges.run(db, { ownerId })
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
