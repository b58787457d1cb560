import type { Kysely } from 'kysely'
import { prepared } from './prepared.ts'
import type { AuditRow, Rows } from './rows.ts'
import { count, window } from './select.ts'
import type { AuditStore } from './storage.ts'

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
    async list(page) {
      const all = db.selectFrom('audit')
      const rows = await window(all.selectAll().orderBy('id', 'desc'), page).execute()
      return {
        total: await count(all),
        entries: rows.map((row) => ({
          at: row.happened_at,
          username: row.username ?? undefined,
          portalId: row.portal_id ?? undefined,
          address: row.address,
          operation: row.operation,
          target: row.target,
          outcome: row.outcome,
          requestId: row.request_id,
        })),
      }
    },
  }
}
