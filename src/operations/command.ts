import type { RefusalKind } from '../audit/operations.ts'
import type { AuditEntry } from '../call/audit-entry.ts'
import type { CommandId, InputOf, SearchId } from './registry.ts'

/** A call whose caller is not resolved yet: the transaction that runs the operation looks it up. */
export interface Invocation {
  /** SHA-256 of the caller's token; undefined for an anonymous caller. */
  readonly tokenHash: string | undefined
  /** Epoch milliseconds. */
  readonly now: number
  /** Whether an app may call as itself; absent where it may not. */
  readonly allowsApps?: boolean
  /** Errors of the request as a whole, thrown after the operation ran, as an operation without input never sees them. */
  readonly problems: readonly string[]
}

/** A write as plain values, so that any thread can execute it: the only message that a storage accepts. */
export type WriteCommand<Id extends CommandId = CommandId> = Id extends CommandId ? Written<Id> : never

/** A search as plain values, so that any thread can execute it. */
export type Search<Id extends SearchId = SearchId> = Id extends SearchId ? Searched<Id> : never

interface Searched<Id extends SearchId> extends Invocation {
  readonly operation: Id
  readonly input: InputOf<Id>
}

interface Written<Id extends CommandId> extends Invocation {
  readonly operation: Id
  readonly input: InputOf<Id>
  /** The members of the audit entry that describe the request. */
  readonly origin: Pick<AuditEntry, 'address' | 'target' | 'requestId'> & {
    /** User who runs a command of the program, in place of a caller. */
    readonly username?: string
  }
  /** Kinds whose limit of refusal entries the caller has reached: refused parts of these are only counted. */
  readonly countedRefusals?: readonly RefusalKind[]
}
