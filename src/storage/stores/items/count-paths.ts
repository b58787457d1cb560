import { type Kysely, sql } from 'kysely'
import type { IdSet, PathSet } from '../../../categories/carried-paths.ts'
import { withAbove } from '../../../categories/lineage.ts'
import type { SchemaOwner } from '../../../categories/store.ts'
import { type CategoryCount, uncategorizedPath } from '../../../items/store.ts'
import type { Rows } from '../../tables/rows.ts'
import { toColumns } from '../categories/kept-versions.ts'
import { count, givenRows, lookBy, toJson, withinDeadline } from '../select.ts'
import { countSets } from './columns/count-columns.ts'
import { hasLeft, isLive, listFormerOwners } from './group-links.ts'
import { compareTexts } from './index/compare-texts.ts'
import type { SearchMeans } from './item-search.ts'

/** Categories of the owner that items show. */
export function selectShown(db: Kysely<Rows>, owner: SchemaOwner) {
  const { owner_kind, owner_id } = toColumns(owner)
  return db
    .selectFrom('category_paths')
    .where('owner_kind', '=', owner_kind)
    .where('owner_id', '=', owner_id)
    .where('state', '<>', 'cleared')
}

/**
 * Counts, for each set, the items that carry at least one of its paths or categories; none where statements would look at more than
 * `maxLooks` of their links, each as often as sets have it.
 */
export async function countItemsOfSets(
  db: Kysely<Rows>,
  means: SearchMeans,
  { owner, sets }: Counting,
  maxLooks?: number,
): Promise<readonly number[]> {
  const { deadlineCondition, index } = means
  const known = await findColumns(db, means, owner)
  const shown = await selectShown(known ? index.db : db, owner)
    .select(['id', 'path'])
    .execute()
  const ids = sets.map((set) => idsOf(set, shown))
  if (known) return countSets(lookBy(index.db, index.deadlineCondition), known, ids)
  const rows = toJson(ids.flatMap((categories, place) => categories.map((category) => ({ place, category }))))
  const conditions = [sql`not ${hasLeft(owner)}`, ...(deadlineCondition ? [deadlineCondition] : [])]
  const links = sql`from ${givenRows(db, rows, { place: 'integer', category: 'bigint' })}
    cross join item_categories where category_id = given.category and ${sql.join(conditions, sql` and `)}`
  if (maxLooks !== undefined) {
    const next = sql`select 1 ${links} limit 1 offset ${sql.lit(maxLooks)}`
    if ((await next.execute(db)).rows.length > 0) return []
  }
  const counted = await sql<{ place: number; items: number }>`select place, count(distinct item_number) as items
    ${links} group by place`.execute(db)
  const items = new Map(counted.rows.map((row) => [row.place, row.items]))
  return sets.map((_, place) => items.get(place) ?? 0)
}

/** Columns that have all that items carry of the owner's categories. */
async function findColumns(db: Kysely<Rows>, { index }: SearchMeans, owner: SchemaOwner) {
  // An item whose link to a group has ended may still carry categories of the group.
  if (owner.kind !== 'portal' && (await listFormerOwners(db)).has(owner.groupId)) return undefined
  const known = await index.columns?.find(index.db, index.deadlineCondition)
  const isKnown = known && !(known.crowded.size > 0 && known.crowded.has(await findPortalId(db, owner)))
  return isKnown ? known : undefined
}

/**
 * Counts all items of the owner by category: the sum under the empty path, those without a category, and each
 * path that items carry or that is above one.
 */
export async function countCoverage(
  db: Kysely<Rows>,
  means: SearchMeans,
  owner: SchemaOwner,
): Promise<readonly CategoryCount[]> {
  const shown = await selectShown(means.index.db, owner).select(['id', 'path']).execute()
  const paths = [...new Set(shown.flatMap(({ path }) => withAbove(path)))].sort(compareTexts)
  const sets = [{ ids: shown.map(({ id }) => id) }, ...paths.map((path) => ({ paths: [path], isBelowToo: true }))]
  const [categorized = 0, ...counts] = await countItemsOfSets(db, means, { owner, sets })
  const known = owner.kind === 'portal' && (await findColumns(db, means, owner))
  const items = known
    ? known.countItems(owner.portalId)
    : await count(withinDeadline(selectOwned(db, owner), means.deadlineCondition))
  const carried = paths.flatMap((path, at) => (counts[at] ? { path, items: counts[at] } : []))
  return [{ path: '', items }, { path: uncategorizedPath, items: items - categorized }, ...carried]
}

/** Items of an organization, or those that are shared with a group. */
function selectOwned(db: Kysely<Rows>, owner: SchemaOwner) {
  if (owner.kind === 'portal') return db.selectFrom('items').where('portal_id', '=', owner.portalId)
  return db
    .selectFrom('items')
    .innerJoin('item_groups', 'item_groups.item_number', 'items.id')
    .where('item_groups.group_id', '=', owner.groupId)
    .where(isLive)
}

/** Id of the organization whose items alone can carry categories of the owner. */
async function findPortalId(db: Kysely<Rows>, owner: SchemaOwner): Promise<string> {
  if (owner.kind === 'portal') return owner.portalId
  const group = db.selectFrom('groups').select('portal_id').where('group_id', '=', owner.groupId)
  return (await group.executeTakeFirst())?.portal_id ?? ''
}

interface Counting {
  readonly owner: SchemaOwner
  readonly sets: readonly (PathSet | IdSet)[]
}

function idsOf(set: PathSet | IdSet, shown: readonly { readonly id: number; readonly path: string }[]) {
  return 'ids' in set ? set.ids : shown.filter(({ path }) => isIn(set, path)).map(({ id }) => id)
}

function isIn({ paths, isBelowToo }: PathSet, carried: string): boolean {
  return paths.some((path) => carried === path || (isBelowToo && carried.startsWith(`${path}/`)))
}
