import { type Kysely, sql } from 'kysely'
import type { SchemaOwner } from '../../../categories/store.ts'
import { fold } from '../../../search/folding.ts'
import type { Rows } from '../../tables/rows.ts'
import { type OwnerColumns, toColumns } from '../categories/kept-versions.ts'
import { prepared } from '../prepared.ts'

type OfItem = OwnerColumns & { readonly item_number: number }

const selectAssigned = prepared((db, { owner_kind, owner_id, item_number }: OfItem) =>
  db
    .selectFrom('item_categories')
    .innerJoin('category_paths', 'category_paths.id', 'item_categories.category_id')
    .select(['category_paths.id', 'category_paths.path'])
    .where('item_categories.item_number', '=', item_number)
    .where('category_paths.owner_kind', '=', owner_kind)
    .where('category_paths.owner_id', '=', owner_id)
    .where('category_paths.state', '<>', sql.lit('cleared'))
    .orderBy('item_categories.position'),
)

const deleteAssigned = prepared((db, { owner_kind, owner_id, item_number }: OfItem) =>
  db
    .deleteFrom('item_categories')
    .where('item_number', '=', item_number)
    .where('category_id', 'in', (expression) =>
      expression
        .selectFrom('category_paths')
        .innerJoin('item_categories as carried', 'carried.category_id', 'category_paths.id')
        .select('category_paths.id')
        .where('carried.item_number', '=', item_number)
        .where('owner_kind', '=', owner_kind)
        .where('owner_id', '=', owner_id),
    ),
)

const deletePaths = prepared((db, { owner_kind, owner_id }: OwnerColumns) =>
  db.deleteFrom('category_paths').where('owner_kind', '=', owner_kind).where('owner_id', '=', owner_id),
)

/** Paths that the item carries, in the order in which they were assigned. */
export async function listAssigned(db: Kysely<Rows>, owner: SchemaOwner, item: number): Promise<readonly string[]> {
  const rows = await selectAssigned.all(db, { ...toColumns(owner), item_number: item })
  return [...new Set(rows.map(({ path }) => path))]
}

/**
 * Replaces the paths of the owner that the item carries. Of a path that stays, the categories stay: one that was merged into
 * another can still be put back.
 */
export async function putAssigned(
  db: Kysely<Rows>,
  owner: SchemaOwner,
  item: number,
  paths: readonly string[],
): Promise<void> {
  const carried = await selectAssigned.all(db, { ...toColumns(owner), item_number: item })
  await removeAssigned(db, owner, item)
  if (paths.length === 0) return
  const present = new Set(carried.map(({ path }) => path))
  const missing = paths.filter((path) => !present.has(path))
  const numbers = missing.length > 0 ? await requireNumbers(db, owner, missing) : new Map<string, number>()
  const rows = paths.flatMap((path, position) => {
    const own = carried.filter((one) => one.path === path).map(({ id }) => id)
    const ids = own.length > 0 ? own : [numbers.get(path)!]
    return ids.map((category_id) => ({ category_id, item_number: item, position }))
  })
  await db.insertInto('item_categories').values(rows).execute()
}

/** Removes the paths of the owner from the item. */
export async function removeAssigned(db: Kysely<Rows>, owner: SchemaOwner, item: number): Promise<void> {
  await deleteAssigned.run(db, { ...toColumns(owner), item_number: item })
}

/** Forgets the paths of an owner that is removed, and so what items carry of them. */
export async function removePaths(db: Kysely<Rows>, owner: SchemaOwner): Promise<void> {
  await deletePaths.run(db, toColumns(owner))
}

/** `/A/B/C` → `/A`, `/A/B`, `/A/B/C`: titles have no slash. */
export function withAncestors(path: string): readonly string[] {
  const titles = path.split('/').slice(1)
  return titles.map((_, at) => `/${titles.slice(0, at + 1).join('/')}`)
}

/** Numbers of the paths and of those above them; new paths get one. */
export async function requireNumbers(
  db: Kysely<Rows>,
  owner: SchemaOwner,
  paths: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const wanted = [...new Set(paths.flatMap(withAncestors))]
  const numbers = await findNumbers(db, owner, wanted)
  // Shorter paths first, so that what is above a path has its number.
  const missing = wanted.filter((path) => !numbers.has(path)).sort((one, other) => one.length - other.length)
  for (const path of missing) {
    const titles = path.split('/')
    const parent = numbers.get(titles.slice(0, -1).join('/')) ?? null
    const row = {
      ...toColumns(owner),
      path,
      path_key: fold(path),
      depth: titles.length - 1,
      parent_id: parent,
      state: 'primary' as const,
    }
    const { id } = await db.insertInto('category_paths').values(row).returning('id').executeTakeFirstOrThrow()
    numbers.set(path, id)
  }
  return numbers
}

async function findNumbers(
  db: Kysely<Rows>,
  owner: SchemaOwner,
  paths: readonly string[],
): Promise<Map<string, number>> {
  const { owner_kind, owner_id } = toColumns(owner)
  const rows = await db
    .selectFrom('category_paths')
    .select(['id', 'path'])
    .where('owner_kind', '=', owner_kind)
    .where('owner_id', '=', owner_id)
    .where('path', 'in', paths)
    .where('state', '=', sql.lit('primary'))
    .execute()
  return new Map(rows.map(({ id, path }) => [path, id]))
}
