import { type Kysely, sql } from 'kysely'
import type { ItemTotals } from '../../../directory/store.ts'
import type { ItemCount, LargestOwner } from '../../../items/store.ts'
import { isPostgres } from '../../tables/catalog.ts'
import type { ItemCountRow } from '../../tables/rows/items.ts'
import { accountsOfRows } from '../../tables/rows/kept-bytes.ts'
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
  await (isPostgres(db) ? addChange : change).send(db, { ownerId, ...by })
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

/** Items that the user owns now, and the bytes of all that the user keeps. */
export async function countItemsOf(db: Kysely<Rows>, ownerId: string): Promise<ItemTotals> {
  return (await countOf.first(db, { ownerId }))!
}

/** Number and bytes of the user's items alone. */
export async function sumItemsOf(db: Kysely<Rows>, ownerId: string): Promise<ItemTotals> {
  return db
    .selectFrom('items')
    .select([sql<number>`count(*)`.as('items'), sql<number>`cast(coalesce(sum(bytes), 0) as bigint)`.as('bytes')])
    .where('owner_id', '=', ownerId)
    .executeTakeFirstOrThrow()
}

/** Removes the account of a removed user; its bytes count for the organization alone from now on. */
export async function forgetItemCount(db: Kysely<Rows>, ownerId: string, portalId: string): Promise<void> {
  const { bytes } = await countItemsOf(db, ownerId)
  await forget.run(db, { ownerId })
  await forgetChanges.run(db, { ownerId })
  if (bytes !== 0) await countItems(db, portalId, { items: 0, bytes })
}

/** Counts everything again, but for the sums of organizations, which housekeeping makes. */
export async function recountAccounts(db: Kysely<Rows>): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    for (const table of ['item_count_changes', 'item_counts'] as const) await transaction.deleteFrom(table).execute()
    await sql`insert into item_counts (owner_kind, owner_id, items, bytes) select 'user', account, sum(items), sum(bytes)
      from (${sql.raw(accountsOfRows)}) as counted group by account`.execute(transaction)
  })
}

/** Accounts of users, and of what counts for organizations alone, in the order of ids, after one. */
export async function listItemCounts(db: Kysely<Rows>, after: string, num: number): Promise<readonly ItemCount[]> {
  const rows = await db
    .selectFrom('item_counts')
    .leftJoin('users', 'users.user_id', 'item_counts.owner_id')
    .select(['owner_id', 'items', 'bytes'])
    .select((row) => row.fn.coalesce('portal_id', 'owner_id').as('portal_id'))
    .where('owner_kind', '=', 'user')
    .where('owner_id', '>', after)
    .orderBy('owner_id')
    .limit(num)
    .execute()
  return rows.map(({ owner_id, portal_id, items, bytes }) => ({ userId: owner_id, portalId: portal_id, items, bytes }))
}

/** Owners with the most bytes as last summed up, the largest first; what counts for no user is in that of the organization. */
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
    .$if(kind === 'user', (rows) =>
      rows.where('owner_id', 'not in', (of) => of.selectFrom('portals').select('portal_id')),
    )
    .orderBy('bytes', 'desc')
    .orderBy('owner_id')
    .limit(num)
    .execute()
  return rows.map(({ owner_id, items, bytes }) => ({ ownerId: owner_id, items, bytes }))
}
