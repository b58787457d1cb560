import { type Kysely, sql } from 'kysely'
import type { ItemTotals } from '../../../directory/store.ts'
import type { ItemCount, LargestOwner } from '../../../items/store.ts'
import { isPostgres } from '../../tables/catalog.ts'
import type { ItemCountRow } from '../../tables/rows/items.ts'
import type { Rows } from '../../tables/rows.ts'
import { prepared } from '../prepared.ts'

/** Users are counted in the write that changes their items, organizations by housekeeping: all writers would conflict there. */
export type CountedOwner = ItemCountRow['owner_kind']

const change = prepared((db, { ownerId, items, bytes }: OfUser & ItemTotals) =>
  db
    .insertInto('item_counts')
    .values({ owner_kind: 'user', owner_id: ownerId, items, bytes })
    .onConflict((conflict) =>
      conflict.columns(['owner_kind', 'owner_id']).doUpdateSet({
        items: sql`item_counts.items + ${sql.ref('excluded.items')}`,
        bytes: sql`item_counts.bytes + ${sql.ref('excluded.bytes')}`,
      }),
    ),
)

interface OfUser {
  readonly ownerId: string
}

const addChange = prepared((db, { ownerId, items, bytes }: OfUser & ItemTotals) =>
  db.insertInto('item_count_changes').values({ owner_id: ownerId, items, bytes }),
)

const takeChanges = prepared((db) => db.deleteFrom('item_count_changes').returning(['owner_id', 'items', 'bytes']))

/** PostgreSQL gives sums of bigint as decimal numbers. */
const countOf = prepared<OfUser, ItemTotals>((db, { ownerId }) => ({
  compile: () =>
    sql`select cast(coalesce(sum(items), 0) as bigint) as items, cast(coalesce(sum(bytes), 0) as bigint) as bytes from (
      select items, bytes from item_counts where owner_kind = 'user' and owner_id = ${ownerId}
      union all select items, bytes from item_count_changes where owner_id = ${ownerId}) as counts`.compile(
      db,
    ) as never,
}))

const put = prepared((db, { kind, ownerId, items, bytes }: OfUser & ItemTotals & { readonly kind: CountedOwner }) =>
  db
    .insertInto('item_counts')
    .values({ owner_kind: kind, owner_id: ownerId, items, bytes })
    .onConflict((conflict) =>
      conflict.columns(['owner_kind', 'owner_id']).doUpdateSet({
        items: (set) => set.ref('excluded.items'),
        bytes: (set) => set.ref('excluded.bytes'),
      }),
    ),
)

const find = prepared((db, { kind, ownerId }: { kind: CountedOwner; ownerId: string }) =>
  db
    .selectFrom('item_counts')
    .select(['items', 'bytes'])
    .where('owner_kind', '=', kind)
    .where('owner_id', '=', ownerId),
)

const forget = prepared((db, { ownerId }: OfUser) =>
  db.deleteFrom('item_counts').where('owner_kind', '=', 'user').where('owner_id', '=', ownerId),
)

const forgetChanges = prepared((db, { ownerId }: OfUser) =>
  db.deleteFrom('item_count_changes').where('owner_id', '=', ownerId),
)

/**
 * Adds to the count of a user; numbers are negative where items go. On PostgreSQL, concurrent writes of one user would conflict
 * about the row with the count: there, each adds a row of its own until housekeeping.
 */
export async function countItems(db: Kysely<Rows>, ownerId: string, by: ItemTotals): Promise<void> {
  await (isPostgres(db) ? addChange : change).run(db, { ownerId, ...by })
}

/** Adds the rows of single writes to the counts. */
export async function sumUpCounts(db: Kysely<Rows>): Promise<void> {
  const sums = new Map<string, ItemTotals>()
  for (const { owner_id, items, bytes } of await takeChanges.all(db, {})) {
    const sum = sums.get(owner_id) ?? noItems
    sums.set(owner_id, { items: sum.items + items, bytes: sum.bytes + bytes })
  }
  for (const [ownerId, by] of sums) await change.run(db, { ownerId, ...by })
}

const noItems: ItemTotals = { items: 0, bytes: 0 }

export async function putItemCount(
  db: Kysely<Rows>,
  kind: CountedOwner,
  ownerId: string,
  counted: ItemTotals,
): Promise<void> {
  await put.run(db, { kind, ownerId, ...counted })
}

/** Count as last summed up: for a user on PostgreSQL, up to ten seconds ago. */
export async function findItemCount(db: Kysely<Rows>, kind: CountedOwner, ownerId: string): Promise<ItemTotals> {
  return (await find.first(db, { kind, ownerId })) ?? noItems
}

/** Number and bytes of the items that the user owns now. */
export async function countItemsOf(db: Kysely<Rows>, ownerId: string): Promise<ItemTotals> {
  return (await countOf.first(db, { ownerId }))!
}

/** Removes the count of a removed user. */
export async function forgetItemCount(db: Kysely<Rows>, ownerId: string): Promise<void> {
  await forget.run(db, { ownerId })
  await forgetChanges.run(db, { ownerId })
}

/** Users who own or owned items, in the order of their ids, after one. */
export async function listItemCounts(db: Kysely<Rows>, after: string, num: number): Promise<readonly ItemCount[]> {
  const rows = await db
    .selectFrom('item_counts')
    .innerJoin('users', 'users.user_id', 'item_counts.owner_id')
    .select(['owner_id', 'portal_id', 'items', 'bytes'])
    .where('owner_kind', '=', 'user')
    .where('owner_id', '>', after)
    .orderBy('owner_id')
    .limit(num)
    .execute()
  return rows.map(({ owner_id, portal_id, items, bytes }) => ({ userId: owner_id, portalId: portal_id, items, bytes }))
}

/** Owners with the most bytes as last summed up, the largest first. */
export async function listLargestOwners(
  db: Kysely<Rows>,
  kind: CountedOwner,
  num: number,
): Promise<readonly LargestOwner[]> {
  const rows = await db
    .selectFrom('item_counts')
    .select(['owner_id', 'items', 'bytes'])
    .where('owner_kind', '=', kind)
    .where('bytes', '>', 0)
    .orderBy('bytes', 'desc')
    .orderBy('owner_id')
    .limit(num)
    .execute()
  return rows.map(({ owner_id, items, bytes }) => ({ ownerId: owner_id, items, bytes }))
}
