import { type Kysely, sql } from 'kysely'
import type { SchemaOwner } from '../../../categories/store.ts'
import type { CategoryCount } from '../../../items/store.ts'
import { isPostgres } from '../../tables/catalog.ts'
import type { Rows } from '../../tables/rows.ts'
import { toColumns } from '../categories/kept-versions.ts'
import { type InTime, whileInTime } from '../select.ts'
import { compareTexts } from './compare-texts.ts'
import { type Counted, sumByPath } from './facets.ts'

/** Categories of the owner that items show. */
export function selectShown(db: Kysely<Rows>, owner: SchemaOwner) {
  const { owner_kind, owner_id } = toColumns(owner)
  return db
    .selectFrom('category_paths')
    .where('owner_kind', '=', owner_kind)
    .where('owner_id', '=', owner_id)
    .where('state', '<>', 'cleared')
}

/** How many items carry each path of the owner, or one below it; paths that none carries are left out. */
export async function countByPath(
  db: Kysely<Rows>,
  owner: SchemaOwner,
  inTime: InTime,
): Promise<readonly CategoryCount[]> {
  const shown = await selectShown(db, owner).select(['id', 'path']).execute()
  const numbers = isPostgres(db)
    ? sql<string>`string_agg(category_id::text, ',')`
    : sql<string>`group_concat(category_id, ',')`
  const ofItems = whileInTime(db.selectFrom('item_categories'), inTime)
    .select(numbers.as('value'))
    .where('category_id', 'in', selectShown(db, owner).select('id'))
    .groupBy('item_number')
  const counted = await db
    .selectFrom(ofItems.as('of_items'))
    .select(['value', sql<number>`count(*)`.as('number')])
    .groupBy('value')
    .execute()
  const paths = new Map(shown.map(({ id, path }) => [id, path]))
  return [...sumByPath(paths, counted as readonly Counted[])]
    .map(([path, items]) => ({ path, items }))
    .sort((one, other) => compareTexts(one.path, other.path))
}
