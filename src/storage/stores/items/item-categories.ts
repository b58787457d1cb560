import { type Kysely, sql } from 'kysely'
import type { SchemaOwner } from '../../../categories/store.ts'
import type { CategoryCount } from '../../../items/store.ts'
import { fold } from '../../../search/folding.ts'
import type { Rows } from '../../tables/rows.ts'
import { type OwnerColumns, toColumns } from '../kept-versions.ts'
import { prepared } from '../prepared.ts'
import { type InTime, whileInTime } from '../select.ts'

type OfItem = OwnerColumns & { readonly item_number: number }

const selectAssigned = prepared((db, { owner_kind, owner_id, item_number }: OfItem) =>
  db
    .selectFrom('item_categories')
    .innerJoin('category_paths', 'category_paths.id', 'item_categories.category_id')
    .select('category_paths.path')
    .where('item_categories.item_number', '=', item_number)
    .where('item_categories.position', 'is not', null)
    .where('category_paths.owner_kind', '=', owner_kind)
    .where('category_paths.owner_id', '=', owner_id)
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
  return rows.map(({ path }) => path)
}

/** Replaces the paths of the owner that the item carries. */
export async function putAssigned(
  db: Kysely<Rows>,
  owner: SchemaOwner,
  item: number,
  paths: readonly string[],
): Promise<void> {
  await removeAssigned(db, owner, item)
  if (paths.length === 0) return
  const numbers = await requireNumbers(db, owner, paths)
  const positions = new Map(paths.map((path, position) => [path, position]))
  const rows = [...numbers].map(([path, id]) => {
    return { category_id: id, item_number: item, position: positions.get(path) ?? null }
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
function withAncestors(path: string): readonly string[] {
  const titles = path.split('/').slice(1)
  return titles.map((_, at) => `/${titles.slice(0, at + 1).join('/')}`)
}

/** Numbers of the paths and of those above them; new paths get one. */
async function requireNumbers(
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
    const row = { ...toColumns(owner), path, path_key: fold(path), depth: titles.length - 1, parent_id: parent }
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
    .execute()
  return new Map(rows.map(({ id, path }) => [path, id]))
}

/** How many items carry each path of the owner, or one below it; paths that none carries are left out. */
export async function countByPath(
  db: Kysely<Rows>,
  owner: SchemaOwner,
  inTime: InTime,
): Promise<readonly CategoryCount[]> {
  const { owner_kind, owner_id } = toColumns(owner)
  const rows = await whileInTime(db.selectFrom('category_paths'), inTime)
    .innerJoin('item_categories', 'item_categories.category_id', 'category_paths.id')
    .select(['category_paths.path', sql<number>`count(*)`.as('items')])
    .where('category_paths.owner_kind', '=', owner_kind)
    .where('category_paths.owner_id', '=', owner_id)
    .groupBy(['category_paths.id', 'category_paths.path'])
    .orderBy('category_paths.path')
    .execute()
  return rows.map(({ path, items }) => ({ path, items: Number(items) }))
}
