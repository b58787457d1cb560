import type { Kysely } from 'kysely'
import type { AuditStore } from '../../audit/store.ts'
import type { AuditRow, Rows } from '../tables/rows.ts'
import { prepared } from './prepared.ts'

const insertEntry = prepared((db, row: Omit<AuditRow, 'id'>) =>
  db.insertInto('audit').values({
    happened_at: row.happened_at,
    username: row.username,
    portal_id: row.portal_id,
    address: row.address,
    operation: row.operation,
    target: row.target,
    outcome: row.outcome,
    request_id: row.request_id,
  }),
)

export function auditStore(db: Kysely<Rows>): AuditStore {
  return {
    async add(entry) {
      await insertEntry.run(db, {
        happened_at: entry.at,
        username: entry.username ?? null,
        portal_id: entry.portalId ?? null,
        address: entry.address,
        operation: entry.operation,
        target: entry.target,
        outcome: entry.outcome,
        request_id: entry.requestId,
      })
    },
  }
}
