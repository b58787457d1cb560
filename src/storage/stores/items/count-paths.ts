import { type Kysely, sql } from 'kysely'
import type { IdSet, PathSet } from '../../../categories/carried-paths.ts'
import type { SchemaOwner } from '../../../categories/store.ts'
import type { CategoryCount } from '../../../items/store.ts'
import { isPostgres } from '../../tables/catalog.ts'
import type { Rows } from '../../tables/rows.ts'
import { toColumns } from '../categories/kept-versions.ts'
import { countSets } from '../item-columns/count-columns.ts'
import type { FollowedColumns } from '../item-columns/followed-columns.ts'
import { type InTime, whileInTime } from '../select.ts'
import { compareTexts } from './compare-texts.ts'
import { type Counted, sumByPath } from './facets.ts'
import { hasLeft, listFormerOwners } from './group-links.ts'

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

/** For all sets of one call (chosen): half of the time of a search. */
const countingMilliseconds = 1_000

/** Items of one category that are read at once. */
const itemsOfPage = 20_000

/** For each set, how many items carry at least one of its paths or categories; undefined where that would take too long. */
export async function countItemsOfSets(
  db: Kysely<Rows>,
  { inTime, columns }: { readonly inTime: InTime; readonly columns: FollowedColumns | undefined },
  counting: Counting,
): Promise<readonly (number | undefined)[]> {
  const { owner, sets } = counting
  // An item whose link to a group has ended may still have what the group gave it.
  const isExact = owner.kind === 'portal' || !(await listFormerOwners(db)).has(owner.groupId)
  const known = isExact ? await columns?.find(db, inTime) : undefined
  if (!known) return countItems(db, counting, inTime)
  const shown = await selectShown(db, owner).select(['id', 'path']).execute()
  return countSets(
    known,
    sets.map((set) => idsOf(set, shown)),
  )
}

interface Counting {
  readonly owner: SchemaOwner
  readonly sets: readonly (PathSet | IdSet)[]
}

/**
 * The same by statements; undefined where `hasTime` did not last. Reading the numbers takes a third of the time of
 * `count(distinct …)` in SQLite, as measured, and can be ended on both engines.
 */
export async function countItems(
  db: Kysely<Rows>,
  { owner, sets }: Counting,
  inTime: InTime,
  hasTime: () => boolean = timer(countingMilliseconds),
): Promise<readonly (number | undefined)[]> {
  const shown = await selectShown(db, owner).select(['id', 'path']).execute()
  const read = new Map<number, readonly number[]>()
  const counts: (number | undefined)[] = []
  for (const set of sets) {
    const items = new Set<number>()
    let isWhole = true
    for (const id of idsOf(set, shown)) {
      const carrying = read.get(id) ?? (await readItems(db, { owner, category: id }, inTime, hasTime))
      isWhole &&= carrying !== undefined
      if (!carrying) break
      read.set(id, carrying)
      for (const item of carrying) items.add(item)
    }
    counts.push(isWhole ? items.size : undefined)
  }
  return counts
}

function timer(milliseconds: number): () => boolean {
  const end = performance.now() + milliseconds
  return () => performance.now() < end
}

function idsOf(set: PathSet | IdSet, shown: readonly { readonly id: number; readonly path: string }[]) {
  return 'ids' in set ? set.ids : shown.filter(({ path }) => isIn(set, path)).map(({ id }) => id)
}

function isIn({ paths, isBelowToo }: PathSet, carried: string): boolean {
  return paths.some((path) => carried === path || (isBelowToo && carried.startsWith(`${path}/`)))
}

/** Items that carry the category, page by page, without those whose links to the group have ended; undefined without time. */
async function readItems(
  db: Kysely<Rows>,
  { owner, category }: { owner: SchemaOwner; category: number },
  inTime: InTime,
  hasTime: () => boolean,
): Promise<readonly number[] | undefined> {
  const items: number[] = []
  for (let size = itemsOfPage; size === itemsOfPage; ) {
    if (!hasTime()) return undefined
    const page = await whileInTime(db.selectFrom('item_categories'), inTime)
      .select('item_number')
      .where('category_id', '=', category)
      .where((row) => row.not(hasLeft(owner)))
      .where('item_number', '>', items.at(-1) ?? 0)
      .orderBy('item_number')
      .limit(itemsOfPage)
      .execute()
    for (const { item_number } of page) items.push(item_number)
    size = page.length
  }
  return items
}
