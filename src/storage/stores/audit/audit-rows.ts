import type { Selectable } from 'kysely'
import { type AuditEntry, entryFields, type StoredEntry } from '../../../call/audit-entry.ts'
import type { AuditRow } from '../../tables/rows/audit.ts'
import { checksumOf, requireIntact } from '../checksums.ts'
import { mapper } from '../mapper.ts'

const entries = mapper(entryFields)

/** Columns of a new entry. */
export const auditColumns = [...entries.columns, 'happened_at', 'owner_id', 'data', 'checksum'] as const

/** Converts a row; refuses one whose checksum does not match. */
export function toEntry(row: Selectable<AuditRow>): StoredEntry {
  requireIntact('audit', row)
  return {
    number: row.id,
    at: row.happened_at,
    ...entries.toRecord(row),
    ...(row.owner_id === null ? {} : { ownerId: row.owner_id }),
    ...(row.data === null ? {} : { data: JSON.parse(row.data) }),
  }
}

export function toRow(entry: AuditEntry): Omit<AuditRow, 'id'> {
  const { at, ownerId, data } = entry
  const others = { happened_at: at, owner_id: ownerId ?? null, data: data ? JSON.stringify(data) : null }
  const row = { ...entries.toRow(entry), ...others }
  return { ...row, checksum: checksumOf('audit', row) }
}
