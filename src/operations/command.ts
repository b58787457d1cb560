import type { AuditEntry } from '../audit/entry.ts'
import type { CommandId, InputOf } from './registry.ts'

/** Who asks for an operation, when, and whether the request as a whole could be read. */
export interface Asked {
  /** SHA-256 of the caller's token; undefined for an anonymous caller. */
  readonly tokenHash: string | undefined
  /** Epoch milliseconds. */
  readonly now: number
  /** Why the request cannot be read: operations that take no input do not see it. */
  readonly problems: readonly string[]
}

/** A write as plain values, so that any thread can run it: the only message that a storage takes. */
export type WriteCommand<Id extends CommandId = CommandId> = Id extends CommandId ? Written<Id> : never

interface Written<Id extends CommandId> extends Asked {
  readonly operation: Id
  readonly input: InputOf<Id>
  /** What the audit has beside the operation, the caller and the time. */
  readonly origin: Pick<AuditEntry, 'address' | 'target' | 'requestId'>
}
