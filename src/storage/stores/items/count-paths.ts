import { setImmediate } from 'node:timers/promises'
import { type Kysely, type SelectQueryBuilder, sql } from 'kysely'
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

/** The same by statements; undefined where `hasTime` did not last. */
export async function countItems(
  db: Kysely<Rows>,
  { owner, sets }: Counting,
  inTime: InTime,
  hasTime: () => boolean = timer(countingMilliseconds),
  pageSize = itemsOfPage,
): Promise<readonly (number | undefined)[]> {
  const shown = await selectShown(db, owner).select(['id', 'path']).execute()
  const countDifferent = openCounter()
  const read = new Map<number, CarryingItems>()
  const counts: (number | undefined)[] = []
  for (const set of sets) {
    const lists: CarryingItems[] = []
    const ids = idsOf(set, shown)
    for (const id of ids) {
      const carrying = read.get(id) ?? (await readItems(db, { owner, category: id, pageSize }, inTime, hasTime))
      if (!carrying) break
      read.set(id, carrying)
      lists.push(carrying)
    }
    if (lists.length < ids.length) counts.push(undefined)
    else if (lists.length < 2) counts.push(lists[0]?.numbers.length ?? 0)
    else {
      counts.push(hasTime() ? countDifferent(lists) : undefined)
      // Others come in between, however many sets have what is read already.
      await setImmediate()
    }
  }
  return counts
}

/** The numbers of the items that carry a category, in their order, and the last of them. */
interface CarryingItems {
  readonly numbers: readonly number[]
  readonly last: number
}

/** Counts the items that are in at least one of the lists, by a bit for each: one memory for all sets. */
function openCounter(): (lists: readonly CarryingItems[]) => number {
  let bits = new Uint8Array()
  return (lists) => {
    const needed = 1 + Math.floor(Math.max(...lists.map(({ last }) => last)) / 8)
    if (needed > bits.length) bits = new Uint8Array(needed)
    else bits.fill(0)
    let count = 0
    for (const { numbers } of lists) {
      for (const number of numbers) {
        const at = Math.floor(number / 8)
        const bit = 1 << (number % 8)
        if ((bits[at]! & bit) === 0) count += 1
        bits[at]! |= bit
      }
    }
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

/** Items that carry the category, page by page, without those whose links to the group have ended; undefined without time. */
async function readItems(
  db: Kysely<Rows>,
  { owner, category, pageSize }: { owner: SchemaOwner; category: number; pageSize: number },
  inTime: InTime,
  hasTime: () => boolean,
): Promise<CarryingItems | undefined> {
  const numbers: number[] = []
  let last = 0
  for (let size = pageSize; size === pageSize; ) {
    if (!hasTime()) return undefined
    const page = whileInTime(db.selectFrom('item_categories'), inTime)
      .select('item_number as number')
      .where('category_id', '=', category)
      .where((row) => row.not(hasLeft(owner)))
      .where('item_number', '>', last)
      .orderBy('item_number')
      .limit(pageSize)
    const read = isPostgres(db) ? await readPacked(db, page) : (await page.execute()).map(({ number }) => number)
    for (const number of read) numbers.push(number)
    last = read.at(-1) ?? last
    size = read.length
  }
  return { numbers, last }
}

const bytesOfNumber = 8

/** Numbers in their order. For PostgreSQL, a row for each of them takes five times as long (measured). */
async function readPacked(
  db: Kysely<Rows>,
  page: SelectQueryBuilder<Rows, never, { number: number }>,
): Promise<readonly number[]> {
  const { packed } = await db
    .selectFrom(page.as('page'))
    .select(sql<Buffer | null>`string_agg(int8send(number), '' order by number)`.as('packed'))
    .executeTakeFirstOrThrow()
  const numbers: number[] = []
  for (let at = 0; packed && at < packed.length; at += bytesOfNumber) {
    // Counted from 1, they do not come to need the first two bytes.
    numbers.push(packed.readUIntBE(at + 2, 6))
  }
  return numbers
}
