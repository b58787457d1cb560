import type { Kysely } from 'kysely'
import type { CarriedPathStore, PathMoves, PlacedCategory } from '../../../categories/carried-paths.ts'
import { clearPlaces, movePlaces, undoPlaces } from '../../../categories/lineage.ts'
import type { SchemaOwner } from '../../../categories/store.ts'
import type { Rows } from '../../tables/rows.ts'
import { type InTime, whileInTime } from '../select.ts'
import { countItems, selectShown } from './count-paths.ts'
import { requireNumbers } from './item-categories.ts'
import { placeCategories, readCategories } from './place-categories.ts'

/** Paths that items carry, in tables. */
export function carriedPathStore(db: Kysely<Rows>, inTime: InTime): CarriedPathStore {
  async function change(
    owner: SchemaOwner,
    reckon: (categories: readonly PlacedCategory[]) => PathMoves,
  ): Promise<PathMoves> {
    const categories = await readCategories(db, owner)
    const moves = reckon(categories)
    await placeCategories(db, owner, categories, moves)
    return moves
  }

  return {
    async listCarriedPaths(owner) {
      const rows = await whileInTime(selectShown(db, owner), inTime)
        .select('path')
        .distinct()
        .where((row) => row.exists(carriedBy(db)))
        .orderBy('path')
        .execute()
      return rows.map(({ path }) => path)
    },
    async isCarried(owner, path) {
      const found = await selectShown(db, owner)
        .select('id')
        .where((row) =>
          row.or([
            row('path', '=', path),
            // What begins with the path and a slash.
            row.and([row('path', '>', `${path}/`), row('path', '<', `${path}0`)]),
          ]),
        )
        .where((row) => row.exists(carriedBy(db)))
        .limit(1)
        .execute()
      return found.length > 0
    },
    countItems: (owner, sets) => countItems(db, { owner, sets }, inTime),
    async movePaths(owner, moves, before) {
      if (before.length > 0) await requireNumbers(db, owner, before)
      return change(owner, (categories) => movePlaces(categories, moves))
    },
    undoMoves: (owner, changes) => change(owner, (categories) => undoPlaces(categories, changes)),
    clearPaths: (owner, paths) => change(owner, (categories) => clearPlaces(categories, paths)),
  }
}

/** An item that carries the category of the statement around it. */
function carriedBy(db: Kysely<Rows>) {
  return db
    .selectFrom('item_categories')
    .select('item_number')
    .whereRef('item_categories.category_id', '=', 'category_paths.id' as never)
}
