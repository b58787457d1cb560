import { type Kysely, sql } from 'kysely'
import { withAbove } from '../../../categories/lineage.ts'
import type { SchemaOwner } from '../../../categories/store.ts'
import { fold } from '../../../search/folding.ts'
import type { CategoryPathRow } from '../../tables/rows/categories.ts'
import type { Rows } from '../../tables/rows.ts'
import { type OwnerColumns, toColumns } from '../categories/kept-versions.ts'
import { prepared } from '../prepared.ts'
import { givenRows, isAmong, toJson } from '../select.ts'
import type { IndexedCategory } from './index/index-item.ts'

/** Items in a JSON array. */
type OfItems = OwnerColumns & { readonly items: string }

const selectCarried = prepared((db, { owner_kind, owner_id, items }: OfItems) =>
  db
    .selectFrom('item_categories')
    // In this order: in the other one, SQLite would read every path of the owner for each item.
    .crossJoin('category_paths')
    .select(['item_number as item', 'category_id as category', 'position', 'path', 'state'])
    .whereRef('category_paths.id', '=', 'item_categories.category_id')
    .where((row) => isAmong(db, row.ref('item_number'), items, 'bigint'))
    .where('owner_kind', '=', owner_kind)
    .where('owner_id', '=', owner_id)
    .orderBy('position')
    .orderBy('category_id'),
)

const selectNumbers = prepared((db, { owner_kind, owner_id, paths }: OwnerColumns & { readonly paths: string }) =>
  db
    .selectFrom('category_paths')
    .select(['id', 'path', 'parent_id'])
    .where('owner_kind', '=', owner_kind)
    .where('owner_id', '=', owner_id)
    .where((row) => isAmong(db, row.ref('path'), paths, 'text'))
    .where('state', '=', sql.lit('primary')),
)

/** A row of an item, as a row of a JSON array. */
interface Carried {
  readonly item: number
  readonly category: number
  readonly position: number
}

const carriedColumns = { item: 'bigint', category: 'bigint', position: 'integer' } as const

const deleteCarried = prepared((db, { rows }: { rows: string }) => ({
  compile: () =>
    sql`delete from item_categories where (category_id, item_number) in
      (select category, item from ${givenRows(db, rows, carriedColumns)})`.compile(db),
}))

const putCarried = prepared((db, { rows }: { rows: string }) => ({
  compile: () =>
    // "where true": SQLite would take "on conflict" for a part of the join.
    sql`insert into item_categories (category_id, item_number, position)
      select category, item, position from ${givenRows(db, rows, carriedColumns)} where true
      on conflict (category_id, item_number) do update set position = excluded.position`.compile(db),
}))

const deleteAssigned = prepared((db, { owner_kind, owner_id, item }: OwnerColumns & { readonly item: number }) =>
  db
    .deleteFrom('item_categories')
    .where('item_number', '=', item)
    .where((row) =>
      row.exists(
        row
          .selectFrom('category_paths')
          .select('id')
          .whereRef('category_paths.id', '=', 'item_categories.category_id')
          .where('owner_kind', '=', owner_kind)
          .where('owner_id', '=', owner_id),
      ),
    ),
)

const deletePaths = prepared((db, { owner_kind, owner_id }: OwnerColumns) =>
  db.deleteFrom('category_paths').where('owner_kind', '=', owner_kind).where('owner_id', '=', owner_id),
)

/** Shown paths of each of the items, in the order in which they were assigned; items without any are left out. */
export async function listAssigned(
  db: Kysely<Rows>,
  owner: SchemaOwner,
  items: readonly number[],
): Promise<ReadonlyMap<number, readonly string[]>> {
  const rows = await selectCarried.all(db, { ...toColumns(owner), items: toJson(items) })
  const byItem = Map.groupBy(rows.filter(isShown), ({ item }) => item)
  return new Map([...byItem].map(([item, carried]) => [item, listPaths(carried)]))
}

/** Distinct paths. */
function listPaths(carried: readonly Pick<CategoryPathRow, 'path' | 'state'>[]): readonly string[] {
  return [...new Set(carried.filter(isShown).map(({ path }) => path))]
}

function isShown({ state }: Pick<CategoryPathRow, 'state'>): boolean {
  return state !== 'cleared'
}

/** Paths of one owner that an item is to carry. */
export interface Assigned {
  readonly item: number
  readonly paths: readonly string[]
}

/**
 * Replaces the paths of the owner that the items carry, each item once, by a few statements for any number of them. A path that
 * stays keeps its categories: one that was merged into another can still be restored. Where all stay, nothing changes.
 */
export async function putAssigned(db: Kysely<Rows>, owner: SchemaOwner, assigned: readonly Assigned[]): Promise<void> {
  const rows = await selectCarried.all(db, { ...toColumns(owner), items: toJson(assigned.map(({ item }) => item)) })
  const byItem = Map.groupBy(rows, ({ item }) => item)
  const carriedBy = (item: number) => byItem.get(item) ?? []
  const changes = assigned.filter(({ item, paths }) => !isEqual(listPaths(carriedBy(item)), paths))
  const missing = changes.flatMap(({ item, paths }) => {
    const shown = new Set(listPaths(carriedBy(item)))
    return paths.filter((path) => !shown.has(path))
  })
  const numbers = missing.length > 0 ? await requireNumbers(db, owner, missing) : new Map<string, number>()

  const [gone, put]: [Carried[], Carried[]] = [[], []]
  for (const { item, paths } of changes) {
    const before = carriedBy(item)
    const positions = new Map(
      paths.flatMap((path, position) => {
        const own = before.filter((row) => isShown(row) && row.path === path).map(({ category }) => category)
        return (own.length > 0 ? own : [numbers.get(path)!]).map((category) => [category, position] as const)
      }),
    )
    gone.push(...before.filter(({ category }) => !positions.has(category)))
    for (const row of before) if (positions.get(row.category) === row.position) positions.delete(row.category)
    for (const [category, position] of positions) put.push({ item, category, position })
  }
  if (gone.length > 0) await deleteCarried.send(db, { rows: toJson(gone) })
  if (put.length > 0) await putCarried.send(db, { rows: toJson(put) })
}

function isEqual(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((path, at) => path === others[at])
}

/**
 * Assigns paths to an item that has just been added, without a look-up of its categories, which PostgreSQL would take for a
 * conflict with writers that add items. Resolves with its categories for the index; undefined where these have to be looked up.
 */
export async function putFirstAssigned(
  db: Kysely<Rows>,
  owner: SchemaOwner,
  { item, paths }: Assigned,
): Promise<readonly IndexedCategory[] | undefined> {
  if (paths.length === 0) return []
  const categories = await requireCategories(db, owner, paths)
  const rows = [...new Set(paths)].map((path, position) => ({ item, category: categories.get(path)!.id, position }))
  await putCarried.send(db, { rows: toJson(rows) })
  const carried = rows.map(({ category }) => category).sort((one, other) => one - other)
  const parents = new Map([...categories.values()].map(({ id, parentId }) => [id, parentId]))
  const above = new Set<number>()
  for (const category of carried) {
    for (let next = parents.get(category)!; next !== null; next = parents.get(next)!) {
      // A category may be below one that another was merged into.
      if (!parents.has(next)) return undefined
      above.add(next)
    }
  }
  const columns = toColumns(owner)
  return [
    ...carried.map((id) => ({ id, ...columns, is_carried: 1 })),
    ...[...above].map((id) => ({ id, ...columns, is_carried: 0 })),
  ]
}

/** Removes the paths of the owner from the item. */
export async function removeAssigned(db: Kysely<Rows>, owner: SchemaOwner, item: number): Promise<void> {
  await deleteAssigned.send(db, { ...toColumns(owner), item })
}

/** Removes the paths of a removed owner, and so the categories of items. */
export async function removePaths(db: Kysely<Rows>, owner: SchemaOwner): Promise<void> {
  await deletePaths.run(db, toColumns(owner))
}

/** Numbers of the paths and of those above them; new paths are added. */
export async function requireNumbers(
  db: Kysely<Rows>,
  owner: SchemaOwner,
  paths: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  return new Map([...(await requireCategories(db, owner, paths))].map(([path, { id }]) => [path, id]))
}

interface NumberedCategory {
  readonly id: number
  /** Null for a tree. */
  readonly parentId: number | null
}

async function requireCategories(
  db: Kysely<Rows>,
  owner: SchemaOwner,
  paths: readonly string[],
): Promise<ReadonlyMap<string, NumberedCategory>> {
  const wanted = [...new Set(paths.flatMap(withAbove))]
  const rows = await selectNumbers.all(db, { ...toColumns(owner), paths: toJson(wanted) })
  const found = new Map<string, NumberedCategory>(
    rows.map(({ id, path, parent_id }) => [path, { id, parentId: parent_id }]),
  )
  // Shorter paths first, so that the path above each one has its number.
  const missing = wanted.filter((path) => !found.has(path)).sort((one, other) => one.length - other.length)
  for (const path of missing) {
    const titles = path.split('/')
    const parentId = found.get(titles.slice(0, -1).join('/'))?.id ?? null
    const row = {
      ...toColumns(owner),
      path,
      path_key: fold(path),
      depth: titles.length - 1,
      parent_id: parentId,
      state: 'primary' as const,
    }
    const { id } = await db.insertInto('category_paths').values(row).returning('id').executeTakeFirstOrThrow()
    found.set(path, { id, parentId })
  }
  return found
}
