import type { AuditEntry } from './entry.ts'

/** Reading methods of the audit log. */
export interface AuditReader {
  /** How many entries there may be: exact but for numbers that were taken by writes that failed. Reads two rows. */
  estimateEntries(): Promise<number>
  /** Entries from before this time. Reads every entry. */
  countEntries(before: number): Promise<number>
}

/** The audit log. Entries are never changed; only the oldest can be removed. */
export interface AuditStore extends AuditReader {
  add(entry: AuditEntry): Promise<void>
  /** Removes the oldest entries from before this time, a bounded number; resolves with it. */
  removeEntries(before: number): Promise<number>
}
