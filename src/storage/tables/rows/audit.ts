import type { Generated } from 'kysely'

/** An entry of an organization that is not in the index of the log yet. */
export interface AuditUnindexedRow {
  number: number
}

/** Range of the numbers and times of entries that were indexed together. */
export interface AuditStepRow {
  first_number: number
  last_number: number
  first_at: number
  last_at: number
}

/** An entry in the index of the log. In SQLite, the table is of FTS5, and the number is that of the row. */
export interface AuditWordsRow {
  number: number
  tokens: string
}

export interface AuditRow {
  id: Generated<number>
  happened_at: number
  username: string | null
  portal_id: string | null
  address: string
  operation: string
  target: string
  outcome: number
  request_id: string
  owner_id: string | null
  /** JSON object. */
  data: string | null
  /** Checksum of the columns that `documents` in checksums.ts lists; null where an earlier version of the program wrote the row. */
  checksum: number | null
}
