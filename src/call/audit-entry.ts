/** Record of a call: caller, time, address, operation, target and outcome. */
export interface AuditEntry {
  /** Epoch milliseconds. */
  readonly at: number
  /** Undefined for an anonymous caller. */
  readonly username: string | undefined
  readonly portalId: string | undefined
  /** Network address of the caller. */
  readonly address: string
  /** Id of the operation. */
  readonly operation: string
  /** Path of the resource. */
  readonly target: string
  /** 200, or the code of the error. */
  readonly outcome: number
  readonly requestId: string
  /** User who owns the target, where the operation knows it. */
  readonly ownerId?: string
  /** Details that the operation adds for readers of the log: never documents, passwords or tokens. */
  readonly data?: AuditData
}

/** An entry as it is stored: numbers increase in the order of addition, on PostgreSQL in about that order. */
export interface StoredEntry extends AuditEntry {
  readonly number: number
}

/** A JSON object of a few short values. `targets` has the ids of all targets, where they are not those of the path. */
export type AuditData = Readonly<Record<string, JsonValue>>

type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [name: string]: JsonValue }
