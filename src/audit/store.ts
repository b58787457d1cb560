import type { AuditEntry } from './entry.ts'

/** Where the audit is kept. */
export interface AuditStore {
  add(entry: AuditEntry): Promise<void>
}
