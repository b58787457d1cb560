import type { Ledger } from './ledger.ts'

/** Runs a question that every engine understands; whole numbers may come as text. */
export type Query = <Row>(sql: string) => Promise<readonly Row[]>

/** The audit of a write that was done. */
export interface Audited {
  readonly operation: string
  readonly target: string
  readonly happened_at: number | string
  readonly request_id: string
}

/** Tables against what the clients know, and where in a test that is. */
export interface Claim {
  readonly query: Query
  readonly ledger: Ledger
  /** Begins the message of a failure. */
  readonly place: string
}
