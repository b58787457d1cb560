import type { Query } from '../support/databases/recorded.ts'
import type { Ledger } from './ledger.ts'

/** The audit of a write that was done. */
export interface Audited {
  readonly operation: string
  readonly target: string
  readonly happened_at: number | string
  readonly request_id: string
}

/** Tables and the clients' knowledge to compare, and the place in a test. */
export interface Claim {
  readonly query: Query
  readonly ledger: Ledger
  /** Begins the message of a failure. */
  readonly place: string
}
