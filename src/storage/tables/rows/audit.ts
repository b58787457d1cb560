import type { Generated } from 'kysely'
import type { entryFields } from '../../../call/audit-entry.ts'
import type { RowOf } from '../../../record.ts'

/** Range of the numbers and times of entries that were indexed together. */
interface AuditStepRow {
  first_number: number
  last_number: number
  first_at: number
  last_at: number
}

export interface AuditRow extends RowOf<typeof entryFields> {
  id: Generated<number>
  happened_at: number
  owner_id: string | null
  /** JSON object. */
  data: string | null
  /** Checksum of the columns that `documents` in checksums.ts lists; null where an earlier version of the program wrote the row. */
  checksum: number | null
}

/** Tables of the index of the log, which are derived from the audit. */
export type AuditIndexRows = {
  /** Entries of organizations that are not in the index of the log yet. */
  audit_unindexed: { number: number }
  audit_steps: AuditStepRow
  /** Entries in the index of the log. In SQLite, the table is of FTS5, and the number is that of the row. */
  audit_words: { number: number; tokens: string }
}
