import type { AuditStore } from '../audit/store.ts'
import type { CategoryReader, CategoryStore } from '../categories/store.ts'
import type { CollaborationReader, CollaborationStore } from '../collaborations/store.ts'
import type { DirectoryReader, DirectoryStore } from '../directory/store.ts'
import type { TokenReader, TokenStore } from '../tokens/store.ts'

/** What a read may ask: none of these has a verb that writes. */
export interface Readers {
  readonly directory: DirectoryReader
  readonly categories: CategoryReader
  readonly collaborations: CollaborationReader
  readonly tokens: TokenReader
}

/** What a write may ask and change, and the record of who changed it. */
export interface Stores extends Readers {
  readonly directory: DirectoryStore
  readonly categories: CategoryStore
  readonly collaborations: CollaborationStore
  readonly tokens: TokenStore
  readonly audit: AuditStore
}

/** Runs a command inside a transaction. After a conflict with another write it may run again from the start. */
export type Execute<Command> = (stores: Stores, command: Command) => Promise<unknown>

/** What an engine is busy with at this moment, and what it counted since the start: for the metrics. */
export interface StorageFigures {
  readonly connections: { readonly open: number; readonly idle: number }
  /** Reads and writes that wait for their turn or for a connection. */
  readonly waiting: number
  /** Writes that ran again after a conflict. */
  readonly retries: number
  /** Look-ups of the caller: answered from memory, and asked of the database. */
  readonly callerCache: { readonly hits: number; readonly misses: number }
}

/**
 * The storage as the program sees it, whichever engine is behind it. A read or a write that has not ended at `until`
 * fails with StorageUnavailable: milliseconds on the clock of `performance.now()`, a few seconds from now if left out.
 */
export interface Storage<Command> {
  /** The engine and where its data is, without secrets: for people to read. */
  readonly description: string
  /** All that the work asks is answered from one snapshot of what is committed. It cannot write. */
  read<Result>(work: (stores: Readers) => Promise<Result>, until?: number): Promise<Result>
  /**
   * One transaction: all of the command or, if it throws, nothing; serializable with every other one, and answered only
   * when it is on the disk. Command and result are plain values.
   */
  write(command: Command, until?: number): Promise<unknown>
  /** Resolves if the database answers. */
  ping(): Promise<void>
  figures(): StorageFigures
  /** Resolves, with the reason, if the storage has failed for good and only another process can go on. */
  readonly failure: Promise<StorageUnavailable>
  close(): Promise<void>
}

/** Milliseconds for one read or write: a client gets the answer to an outage within five seconds (chosen). */
export const longestMilliseconds = 4_500

/** When a read or write that begins now fails. */
export function deadline(): number {
  return performance.now() + longestMilliseconds
}

/** The database cannot be used; the message is one sentence for the operator. */
export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable'
}
