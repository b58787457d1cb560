import type { Generated } from 'kysely'

/** The entries of one block of the audit that are found under a term. */
export interface AuditTermRow {
  portal_id: string
  term: string
  block: number
  /** As `encodePositions` has them. */
  positions: Uint8Array
}

/** A block of the audit whose entries are in the index. */
export interface AuditBlockRow {
  block: number
  /** Of its entries. */
  first_at: number
  last_at: number
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
}
