import type { Kysely } from 'kysely'
import type { AssignedPaths } from '../../../items/store.ts'
import type { Rows } from '../../tables/rows.ts'
import { prepared } from '../prepared.ts'
import { isAmong, toJson } from '../select.ts'
import { isLive } from './group-links.ts'
import { indexItem } from './index/changed-items.ts'
import { listAssigned, putAssigned } from './item-categories.ts'

/** Categories of several items, in the same number of statements as those of one. */

/** A JSON array of ids of items. */
type OfItems = { readonly itemIds: string }

const touch = prepared((db, { itemIds, modifiedAt }: OfItems & { readonly modifiedAt: number }) =>
  db
    .updateTable('items')
    .set({ modified_at: modifiedAt })
    .where((row) => isAmong(db, row.ref('item_id'), itemIds, 'text'))
    .returning(['id', 'item_id', 'portal_id']),
)

const selectNumbers = prepared((db, { itemIds }: OfItems) =>
  db
    .selectFrom('items')
    .select(['id', 'item_id'])
    .where((row) => isAmong(db, row.ref('item_id'), itemIds, 'text')),
)

const selectLinked = prepared((db, { itemIds, groupId }: OfItems & { readonly groupId: string }) =>
  db
    .selectFrom('items')
    .innerJoin('item_groups', 'item_groups.item_number', 'items.id')
    .select(['items.id', 'items.item_id'])
    .where((row) => isAmong(db, row.ref('items.item_id'), itemIds, 'text'))
    .where('item_groups.group_id', '=', groupId)
    .where(isLive),
)

/** Replaces the categories of the items' organizations. */
export async function putCategories(
  db: Kysely<Rows>,
  assigned: readonly AssignedPaths[],
  modifiedAt: number,
): Promise<void> {
  const rows = await touch.all(db, { itemIds: toIds(assigned), modifiedAt })
  for (const [portalId, ofPortal] of Map.groupBy(rows, (row) => row.portal_id)) {
    await putAssigned(db, { kind: 'portal', portalId }, withNumbers(ofPortal, assigned))
  }
  for (const { id } of rows) await indexItem(db, id)
}

/** Paths of the group, for each of the items that it has. */
export async function listGroupCategories(
  db: Kysely<Rows>,
  groupId: string,
  itemIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await selectLinked.all(db, { itemIds: toJson(itemIds), groupId })
  const numbers = rows.map(({ id }) => id)
  const paths = await listAssigned(db, { kind: 'group', groupId }, numbers)
  return new Map(rows.map((row) => [row.item_id, paths.get(row.id) ?? []]))
}

/** Replaces the categories of the group. */
export async function putGroupCategories(
  db: Kysely<Rows>,
  groupId: string,
  assigned: readonly AssignedPaths[],
): Promise<void> {
  const rows = await selectNumbers.all(db, { itemIds: toIds(assigned) })
  await putAssigned(db, { kind: 'group', groupId }, withNumbers(rows, assigned))
  for (const { id } of rows) await indexItem(db, id)
}

function toIds(assigned: readonly AssignedPaths[]): string {
  return toJson(assigned.map(({ itemId }) => itemId))
}

function withNumbers(
  rows: readonly { readonly id: number; readonly item_id: string }[],
  assigned: readonly AssignedPaths[],
) {
  const paths = new Map(assigned.map((one) => [one.itemId, one.paths]))
  return rows.map((row) => ({ item: row.id, paths: paths.get(row.item_id)! }))
}
