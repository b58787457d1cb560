import { expressionBuilder, type Kysely } from 'kysely'
import type { CarriedPathStore, PathMoves, PlacedCategory } from '../../../categories/carried-paths.ts'
import { clearPlaces, movePlaces, undoPlaces } from '../../../categories/lineage.ts'
import type { SchemaOwner } from '../../../categories/store.ts'
import type { Rows } from '../../tables/rows.ts'
import { toColumns } from '../categories/kept-versions.ts'
import { isAmong, toJson, withinDeadline } from '../select.ts'
import { countItemsOfSets, selectShown } from './count-paths.ts'
import { hasLeft } from './group-links.ts'
import { compareTexts } from './index/compare-texts.ts'
import { requireNumbers } from './item-categories.ts'
import type { SearchMeans } from './item-search.ts'
import { placeCategories, readCategories } from './place-categories.ts'

/** Links of items that a plan's statements look at (chosen): about half a second. */
const maxLooks = 300_000

/** Paths that items carry, in tables. */
export function carriedPathStore(db: Kysely<Rows>, means: SearchMeans): CarriedPathStore {
  const { deadlineCondition } = means
  async function change(
    owner: SchemaOwner,
    reckon: (categories: readonly PlacedCategory[]) => PathMoves,
  ): Promise<PathMoves> {
    const categories = await readCategories(db, owner)
    const moves = reckon(categories)
    await placeCategories(db, owner, categories, moves)
    return moves
  }

  /** Every category of the owner, the paths among them. */
  async function readWith(owner: SchemaOwner, paths: ReadonlySet<string>) {
    const categories = await readCategories(db, owner)
    // No two primary ones have one path.
    const known = categories.filter(({ state, path }) => state === 'primary' && paths.has(path))
    if (known.length === paths.size) return categories
    await requireNumbers(db, owner, [...paths])
    return readCategories(db, owner)
  }

  /** Paths among these that an item carries. The engines look up categories by id; they would compare paths each with each. */
  async function listCarriedPaths(
    owner: SchemaOwner,
    categories: readonly PlacedCategory[],
  ): Promise<readonly string[]> {
    const ids = toJson(categories.map(({ id }) => id))
    const rows = await db
      .selectFrom('category_paths')
      .select('path')
      .where((row) => isAmong(db, row.ref('id'), ids, 'bigint'))
      .where(isCarried(db, owner))
      .execute()
    return rows.map(({ path }) => path)
  }

  return {
    async listCarriedOf(owner, paths) {
      const rows = await selectShown(db, owner)
        .select('path')
        .where((row) => isAmong(db, row.ref('path'), toJson(paths), 'text'))
        .where(isCarried(db, owner))
        .execute()
      return [...new Set(rows.map(({ path }) => path))].sort(compareTexts)
    },
    async listCarried(owner) {
      const { owner_kind, owner_id } = toColumns(owner)
      const rows = await withinDeadline(db.selectFrom('category_paths'), deadlineCondition)
        .select(['id', 'path', 'state'])
        .where('owner_kind', '=', owner_kind)
        .where('owner_id', '=', owner_id)
        .where(isCarried(db, owner))
        .orderBy('id')
        .execute()
      return rows
    },
    async isCarried(owner, path) {
      const found = await selectShown(db, owner)
        .select('id')
        .where((row) =>
          row.or([
            row('path', '=', path),
            // Paths that begin with this path and a slash: 0 is the next character.
            row.and([row('path', '>', `${path}/`), row('path', '<', `${path}0`)]),
          ]),
        )
        .where(isCarried(db, owner))
        .limit(1)
        .execute()
      return found.length > 0
    },
    countItems: (owner, sets) => countItemsOfSets(db, means, { owner, sets }, maxLooks),
    async movePaths(owner, moves, before) {
      const categories = await readWith(owner, before)
      const others = categories.filter(({ path, state }) => state !== 'cleared' && !before.has(path))
      // Each look-up reads a page of its own: most paths are in the schema, and are not looked up.
      const carried = others.length > 0 ? await listCarriedPaths(owner, others) : []
      const moved = movePlaces(categories, moves, [...before, ...carried])
      await placeCategories(db, owner, categories, moved)
      return moved
    },
    undoMoves: (owner, changes) => change(owner, (categories) => undoPlaces(categories, changes)),
    clearPaths: (owner, paths) => change(owner, (categories) => clearPlaces(categories, paths)),
  }
}

/** Whether an item carries the category of the owner in the statement around it. */
function isCarried(db: Kysely<Rows>, owner: SchemaOwner) {
  const carrying = db
    .selectFrom('item_categories')
    .select('item_number')
    .whereRef('item_categories.category_id', '=', 'category_paths.id' as never)
    .where((row) => row.not(hasLeft(owner)))
  return expressionBuilder<Rows, 'category_paths'>().exists(carrying)
}
