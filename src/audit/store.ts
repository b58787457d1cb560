import type { AuditEntry } from './entry.ts'

/** The audit log, append only. */
export interface AuditStore {
  add(entry: AuditEntry): Promise<void>
}
