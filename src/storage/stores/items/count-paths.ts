import { setImmediate } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { IdSet, PathSet } from '../../../categories/carried-paths.ts'
import { withAbove } from '../../../categories/lineage.ts'
import type { SchemaOwner } from '../../../categories/store.ts'
import { type CategoryCount, uncategorizedPath } from '../../../items/store.ts'
import { isPostgres } from '../../tables/catalog.ts'
import type { Rows } from '../../tables/rows.ts'
import { toColumns } from '../categories/kept-versions.ts'
import { count, type DeadlineCondition, lookBy, withinDeadline } from '../select.ts'
import { type CarryingItems, type ItemNumbers, readItems } from './carrying-items.ts'
import { countSets } from './columns/count-columns.ts'
import { isLive, listFormerOwners } from './group-links.ts'
import { compareTexts } from './index/compare-texts.ts'
import { type Counted, sumByPath } from './index/facets.ts'
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

/** Counts the items that carry each path of the owner, or one below it; paths without items are left out. */
export async function countByPath(
  db: Kysely<Rows>,
  owner: SchemaOwner,
  deadlineCondition: DeadlineCondition,
): Promise<readonly CategoryCount[]> {
  const shown = await selectShown(db, owner).select(['id', 'path']).execute()
  const numbers = isPostgres(db)
    ? sql<string>`string_agg(category_id::text, ',')`
    : sql<string>`group_concat(category_id, ',')`
  const ofItems = withinDeadline(db.selectFrom('item_categories'), deadlineCondition)
    .select(numbers.as('value'))
    .where('category_id', 'in', selectShown(db, owner).select('id'))
    .groupBy('item_number')
  const counted = await db
    .selectFrom(ofItems.as('of_items'))
    .select(['value', sql<number>`count(*)`.as('number')])
    .groupBy('value')
    .execute()
  const paths = new Map(shown.map(({ id, path }) => [id, path]))
  return [...(await sumByPath(lookBy(db, deadlineCondition), paths, counted as readonly Counted[]))]
    .map(([path, items]) => ({ path, items }))
    .sort((one, other) => compareTexts(one.path, other.path))
}

/** Time for all sets of one call (chosen): half of the time of a search. */
const countingMilliseconds = 1_000

/** Items of one category that one statement reads. */
const itemsOfPage = 20_000

/** Counts, for each set, the items that carry at least one of its paths or categories; undefined where that takes too long. */
export async function countItemsOfSets(
  db: Kysely<Rows>,
  { deadlineCondition, index }: SearchMeans,
  counting: Counting,
  hasTime?: () => boolean,
): Promise<readonly (number | undefined)[]> {
  const { owner, sets } = counting
  // An item whose link to a group has ended may still carry categories of the group.
  const isExact = owner.kind === 'portal' || !(await listFormerOwners(db)).has(owner.groupId)
  const known = isExact ? await index.columns?.find(index.db, index.deadlineCondition) : undefined
  if (!known || (known.crowded.size > 0 && known.crowded.has(await findPortalId(db, owner))))
    return countItems(db, counting, deadlineCondition, hasTime)
  const shown = await selectShown(index.db, owner).select(['id', 'path']).execute()
  return countSets(
    lookBy(index.db, index.deadlineCondition),
    known,
    sets.map((set) => idsOf(set, shown)),
  )
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
  // The deadline of the search is enough: its counts are all needed.
  const [categorized = 0, ...counts] = await countItemsOfSets(db, means, { owner, sets }, () => true)
  const items = await count(withinDeadline(selectOwned(db, owner), means.deadlineCondition))
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

/** Counts by statements; undefined for sets that `hasTime` cut off. */
export async function countItems(
  db: Kysely<Rows>,
  { owner, sets }: Counting,
  deadlineCondition: DeadlineCondition,
  hasTime: () => boolean = timer(countingMilliseconds),
  pageSize = itemsOfPage,
): Promise<readonly (number | undefined)[]> {
  const shown = await selectShown(db, owner).select(['id', 'path']).execute()
  const countDifferent = openCounter()
  const read = new Map<number, CarryingItems>()
  const counts: (number | undefined)[] = []
  for (const set of sets) {
    const ids = idsOf(set, shown)
    const missing = ids.filter((id) => !read.has(id))
    await readItems(db, { owner, categories: missing, pageSize, read }, deadlineCondition, hasTime)
    const lists = ids.flatMap((id) => read.get(id) ?? [])
    if (lists.length < ids.length) counts.push(undefined)
    else if (lists.length < 2) counts.push(lists[0]?.count ?? 0)
    else {
      counts.push(hasTime() ? countDifferent(lists) : undefined)
      // Lets other work run in between, even if many sets need no further reading.
      await setImmediate()
    }
  }
  return counts
}

/** Returns a counter of the items that are in at least one of the lists, by a bitmap that is reused for all sets. */
function openCounter(): (lists: readonly CarryingItems[]) => number {
  let bits = new Uint8Array()

  function add(numbers: ItemNumbers): number {
    let added = 0
    for (let place = 0; place < numbers.length; place += 1) {
      const number = numbers[place]!
      // No remainder operator: for numbers that may exceed 32 bits, it takes several times as long.
      const at = Math.floor(number / 8)
      const bit = 1 << (number - at * 8)
      if ((bits[at]! & bit) === 0) added += 1
      bits[at]! |= bit
    }
    return added
  }

  return (lists) => {
    const needed = 1 + Math.floor(Math.max(...lists.map(({ last }) => last)) / 8)
    if (needed > bits.length) bits = new Uint8Array(needed)
    else bits.fill(0)
    let count = 0
    for (const { pages } of lists) for (const numbers of pages) count += add(numbers)
    return count
  }
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
