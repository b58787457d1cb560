import { field, type RecordOf } from '../record.ts'

export const entryFields = {
  /** Undefined for an anonymous caller. */
  username: field.text().optional(),
  portalId: field.text().optional(),
  /** Network address of the caller. */
  address: field.text(),
  /** Id of the operation. */
  operation: field.text(),
  /** Path of the resource. */
  target: field.text(),
  /** 200, or the code of the error. */
  outcome: field.number(),
  requestId: field.text(),
}

/** Record of a call: caller, time, address, operation, target and outcome. */
export interface AuditEntry extends RecordOf<typeof entryFields> {
  /** Epoch milliseconds. */
  readonly at: number
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
