import { type Kysely, sql } from 'kysely'
import type { PathMoves, PlacedCategory } from '../../../categories/carried-paths.ts'
import type { SchemaOwner } from '../../../categories/store.ts'
import { fold } from '../../../search/folding.ts'
import type { Rows } from '../../tables/rows.ts'
import { type OwnerColumns, toColumns } from '../categories/kept-versions.ts'
import { prepared } from '../prepared.ts'
import { givenRows, isAmong, toJson } from '../select.ts'
import { requireNumbers } from './item-categories.ts'

/** A category with its parent: the one above it in its path. */
interface StoredCategory extends PlacedCategory {
  /** Null for a tree. */
  readonly parentId: number | null
}

/** Rows in a JSON array: a move may change every category, by as many statements as one. */
interface PlacedRows {
  readonly rows: string
}

const selectCategories = prepared((db, { owner_kind, owner_id }: OwnerColumns) =>
  db
    .selectFrom('category_paths')
    .select(['id', 'path', 'state', 'parent_id as parentId'])
    .where('owner_kind', '=', owner_kind)
    .where('owner_id', '=', owner_id),
)

const putPlaces = prepared((db, { rows }: PlacedRows) => ({
  compile: () => {
    const columns = { id: 'bigint', path: 'text', path_key: 'text', depth: 'integer', state: 'text' } as const
    return sql`update category_paths
      set path = given.path, path_key = given.path_key, depth = given.depth, state = given.state
      from ${givenRows(db, rows, columns)} where category_paths.id = given.id`.compile(db)
  },
}))

const putMerged = prepared((db, { rows }: PlacedRows) =>
  db
    .updateTable('category_paths')
    .set({ state: sql.lit('merged') })
    .where((row) => isAmong(db, row.ref('id'), rows, 'bigint')),
)

const putParents = prepared((db, { rows }: PlacedRows) => ({
  compile: () => {
    const columns = { id: 'bigint', parent: 'bigint' } as const
    return sql`update category_paths set parent_id = given.parent
      from ${givenRows(db, rows, columns)} where category_paths.id = given.id`.compile(db)
  },
}))

const putInexact = prepared((db, { rows }: PlacedRows) => ({
  compile: () =>
    // "where true": SQLite would take "on conflict" for a part of a join.
    sql`insert into inexact_categories (category_id)
      select id from ${givenRows(db, rows, { id: 'bigint' })} where true on conflict do nothing`.compile(db),
}))

/** Every category of the owner, in any order. */
export function readCategories(db: Kysely<Rows>, owner: SchemaOwner): Promise<readonly StoredCategory[]> {
  return selectCategories.all(db, toColumns(owner))
}

/** Places categories, each below its parent there, and records where the index is not exact any more. */
export async function placeCategories(
  db: Kysely<Rows>,
  owner: SchemaOwner,
  before: readonly StoredCategory[],
  { rows }: PathMoves,
): Promise<void> {
  const moved = rows.map(({ id, to: { path, state } }) => {
    return { id, path, path_key: fold(path), depth: path.split('/').length - 1, state }
  })
  const arriving = new Set(rows.filter(({ to }) => to.state === 'primary').map(({ to }) => to.path))
  const yielding = rows.filter(({ from }) => from.state === 'primary' && arriving.has(from.path)).map(({ id }) => id)
  // First, so that no two primary ones have one path at any time.
  if (yielding.length > 0) await putMerged.send(db, { rows: toJson(yielding) })
  if (moved.length > 0) await putPlaces.send(db, { rows: toJson(moved) })
  const places = new Map(rows.map(({ id, to }) => [id, to]))
  const placed = before.map((category) => {
    const to = places.get(category.id)
    return to ? { ...category, ...to } : category
  })
  const after = await attach(db, owner, placed)
  const hidden = rows.filter(({ from, to }) => (from.state === 'cleared') !== (to.state === 'cleared'))
  // No parent changed, and nothing was hidden or shown: every category has the same ones below it.
  if (after === placed && hidden.length === 0) return
  const inexact = [...findInexact(before, after, new Set(hidden.map(({ id }) => id)))]
  if (inexact.length > 0) await putInexact.send(db, { rows: toJson(inexact.map((id) => ({ id }))) })
}

/** Gives each category the parent that its path requires. Resolves with the tree. */
async function attach(
  db: Kysely<Rows>,
  owner: SchemaOwner,
  categories: readonly StoredCategory[],
): Promise<readonly StoredCategory[]> {
  const loose = findLoose(categories).toSorted(byId)
  if (loose.length === 0) return categories
  // The youngest of several categories with one path is the parent.
  const numbers = new Map(categories.toSorted(byId).map(({ id, path }) => [path, id]))
  const missing = new Set(loose.map(({ path }) => pathAbove(path)).filter((path) => path !== '' && !numbers.has(path)))
  if (missing.size > 0) for (const [path, id] of await requireNumbers(db, owner, [...missing])) numbers.set(path, id)
  const parents = loose.map(({ id, path }) => ({ id, parent: numbers.get(pathAbove(path)) ?? null }))
  await putParents.send(db, { rows: toJson(parents) })
  return readCategories(db, owner)
}

function byId(one: StoredCategory, other: StoredCategory): number {
  return one.id - other.id
}

function findLoose(categories: readonly StoredCategory[]): readonly StoredCategory[] {
  const paths = new Map(categories.map(({ id, path }) => [id, path]))
  return categories.filter(({ path, parentId }) => (parentId === null ? '' : paths.get(parentId)) !== pathAbove(path))
}

function pathAbove(path: string): string {
  return path.slice(0, path.lastIndexOf('/'))
}

/** Categories that have other categories below them than before, or that have hidden ones. */
function findInexact(
  before: readonly StoredCategory[],
  after: readonly StoredCategory[],
  hidden: ReadonlySet<number>,
): ReadonlySet<number> {
  const [formerly, now] = [parentsOf(before), parentsOf(after)]
  const inexact = new Set<number>()
  for (const { id, parentId } of before) {
    if (!hidden.has(id) && now.get(id) === parentId) continue
    const [was, is] = [listAbove(formerly, id), listAbove(now, id)]
    for (const one of hidden.has(id) ? was.union(is) : was.symmetricDifference(is)) inexact.add(one)
  }
  return inexact
}

type Parents = ReadonlyMap<number, number | null>

function parentsOf(categories: readonly StoredCategory[]): Parents {
  return new Map(categories.map(({ id, parentId }) => [id, parentId]))
}

function listAbove(parents: Parents, id: number): Set<number> {
  const above = new Set<number>()
  for (let next = parents.get(id) ?? null; next !== null; next = parents.get(next) ?? null) above.add(next)
  return above
}
