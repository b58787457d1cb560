import type { Selectable } from 'kysely'
import type { StoredEntry } from '../../../call/audit-entry.ts'
import type { AuditRow } from '../../tables/rows/audit.ts'
import { requireIntact } from '../checksums.ts'

/** Converts a row; refuses one whose checksum does not match. */
export function toEntry(row: Selectable<AuditRow>): StoredEntry {
  requireIntact('audit', row)
  return {
    number: row.id,
    at: row.happened_at,
    username: row.username ?? undefined,
    portalId: row.portal_id ?? undefined,
    address: row.address,
    operation: row.operation,
    target: row.target,
    outcome: row.outcome,
    requestId: row.request_id,
    ...(row.owner_id === null ? {} : { ownerId: row.owner_id }),
    ...(row.data === null ? {} : { data: JSON.parse(row.data) }),
  }
}
