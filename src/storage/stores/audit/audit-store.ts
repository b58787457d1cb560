import { type Kysely, sql } from 'kysely'
import type { AuditStore } from '../../../audit/store.ts'
import type { Rows } from '../../tables/rows.ts'
import { addChanges } from '../items/item-history-store.ts'
import { pick, prepared } from '../prepared.ts'
import { count, type DeadlineCondition } from '../select.ts'
import { auditColumns, toRow } from './audit-rows.ts'
import { indexEntries, removeFromIndex } from './log-index.ts'
import { findLogNames, findNamed } from './log-names.ts'
import { searchLog } from './log-search.ts'

type NewRow = ReturnType<typeof toRow>

const insertEntry = prepared((db, row: NewRow) => db.insertInto('audit').values(pick(row, auditColumns)))
const insertNumbered = prepared((db, row: NewRow) =>
  db.insertInto('audit').values(pick(row, auditColumns)).returning('id'),
)

/** Maximum entries that one call removes (chosen): bounds the transaction. */
const maxRemoved = 1_000

/** Ids of old entries among those with the lowest numbers, as there is no index of times. */
const listOldest = prepared((db, { before }: { before: number }) =>
  db
    .selectFrom(
      db.selectFrom('audit').select(['id', 'happened_at']).orderBy('id').limit(sql.lit(maxRemoved)).as('oldest'),
    )
    .select('oldest.id')
    .where('oldest.happened_at', '<', before),
)

export function auditStore(db: Kysely<Rows>, deadlineCondition?: DeadlineCondition): AuditStore {
  return {
    async add(entry, changes = []) {
      const row = toRow(entry)
      if (changes.length === 0) return insertEntry.send(db, row)
      const { id } = (await insertNumbered.first(db, row))!
      await addChanges(db, id, changes)
    },
    async removeEntries(before) {
      const rows = await listOldest.all(db, { before })
      if (rows.length === 0) return 0
      const ids = rows.map(({ id }) => id)
      await db.deleteFrom('audit').where('id', 'in', ids).execute()
      await removeFromIndex(db, ids)
      return rows.length
    },
    listEntries: (search) => searchLog(db, search, deadlineCondition),
    findNamed: (portalId, word) => findNamed(db, deadlineCondition, portalId, word),
    findLogNames: (portalId, ids) => findLogNames(db, portalId, ids),
    indexEntries: (count) => indexEntries(db, count),
    async estimateEntries() {
      const end = (order: 'asc' | 'desc') =>
        db.selectFrom('audit').select('id').orderBy('id', order).limit(1).executeTakeFirst()
      const [first, last] = [await end('asc'), await end('desc')]
      return first && last ? last.id - first.id + 1 : 0
    },
    countEntries: (before) => count(db.selectFrom('audit').where('happened_at', '<', before)),
  }
}
