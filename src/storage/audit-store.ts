import type { Kysely } from 'kysely'
import type { Rows } from './rows.ts'
import { count, window } from './select.ts'
import type { AuditStore } from './storage.ts'

export function auditStore(db: Kysely<Rows>): AuditStore {
  return {
    async add(entry) {
      await db
        .insertInto('audit')
        .values({
          happened_at: entry.at,
          username: entry.username ?? null,
          portal_id: entry.portalId ?? null,
          address: entry.address,
          operation: entry.operation,
          target: entry.target,
          outcome: entry.outcome,
          request_id: entry.requestId,
        })
        .execute()
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
