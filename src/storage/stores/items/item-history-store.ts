import { type Kysely, sql } from 'kysely'
import type { RecordedChange } from '../../../call/audit-details.ts'
import {
  type ChangePlace,
  type ItemHistoryStore,
  type StoredChange,
  storedChangeFields,
} from '../../../items/history-store.ts'
import type { Rows } from '../../tables/rows.ts'
import { mapper } from '../mapper.ts'
import { prepared } from '../prepared.ts'
import { count, givenRows, paginate, toJson } from '../select.ts'

const storedChanges = mapper(storedChangeFields)

type ChangeRow = Rows['item_history'] & Pick<Rows['audit'], 'happened_at' | 'username' | 'operation'>

const insertChanges = prepared((db, { entry, rows }: { readonly entry: number; readonly rows: string }) => ({
  compile: () =>
    // PostgreSQL does not know the type of a value alone.
    sql`insert into item_history (entry, item_id, portal_id, run_id, change)
      select cast(${entry} as bigint), item_id, portal_id, run_id, change
      from ${givenRows(db, rows, { item_id: 'text', portal_id: 'text', run_id: 'text', change: 'text' })}`.compile(db),
}))

/** Adds the changes beside an entry of the log. */
export async function addChanges(db: Kysely<Rows>, entry: number, changes: readonly RecordedChange[]): Promise<void> {
  const rows = changes.map(({ itemId, portalId, runId, change }) => ({
    item_id: itemId,
    portal_id: portalId,
    run_id: runId ?? null,
    change: JSON.stringify(change),
  }))
  await insertChanges.send(db, { entry, rows: toJson(rows) })
}

/** Changes of items beside the entries of the log. */
export function itemHistoryStore(db: Kysely<Rows>): ItemHistoryStore {
  const changes = () =>
    db
      .selectFrom('item_history')
      .innerJoin('audit', 'audit.id', 'item_history.entry')
      .select(storedChanges.columns.map((column) => `item_history.${column}` as const))
      .select(['happened_at', 'username', 'operation'])
  const ofRun = (runId: string) => db.selectFrom('item_history').where('run_id', '=', runId)
  return {
    async listItemChanges(itemId, page) {
      const all = db.selectFrom('item_history').where('item_id', '=', itemId)
      const rows = await paginate(changes().where('item_id', '=', itemId).orderBy('entry', 'desc'), page).execute()
      return { total: await count(all), entries: rows.map(toChange) }
    },
    async listEntryChanges(entry) {
      return (await changes().where('entry', '=', entry).orderBy('item_id').execute()).map(toChange)
    },
    async listRunChanges(runId, before, max) {
      const all = changes().where('run_id', '=', runId).where(isBefore(before))
      return (await all.orderBy('entry', 'desc').orderBy('item_id', 'desc').limit(max).execute()).map(toChange)
    },
    async findRunPlace(runId, before) {
      const all = ofRun(runId).where(isBefore(before)).select(['entry', 'item_id as itemId'])
      return all.orderBy('entry', 'desc').orderBy('item_id', 'desc').limit(1).executeTakeFirst()
    },
    async countRunChanges(runId) {
      const changes = await count(ofRun(runId))
      return { changes, revertible: await count(ofRun(runId).where('reverted_at', 'is', null)) }
    },
    async putReverted({ entry, itemId }, at) {
      await db
        .updateTable('item_history')
        .set({ reverted_at: at })
        .where('entry', '=', entry)
        .where('item_id', '=', itemId)
        .execute()
    },
  }
}

/** In the order in which a run is undone: the last change first. */
function isBefore(place: ChangePlace | undefined) {
  if (!place) return sql<boolean>`1 = 1`
  const { entry, itemId } = place
  return sql<boolean>`(entry < ${entry} or (entry = ${entry} and item_id < ${itemId}))`
}

function toChange({ happened_at: at, username, operation, ...row }: ChangeRow): StoredChange {
  return { ...storedChanges.toRecord(row), at, username: username ?? undefined, operation }
}
