import type { CategoryStore } from '../categories/store.ts'
import type { CollaborationStore } from '../collaborations/store.ts'
import type { DirectoryStore } from '../directory/store.ts'
import type { Page, Slice } from '../paging.ts'
import type { TokenStore } from '../tokens/store.ts'

/** Who did what, when, from where, on what, and how it ended. */
export interface AuditEntry {
  /** Epoch milliseconds. */
  readonly at: number
  /** Undefined where nobody was signed in. */
  readonly username: string | undefined
  readonly portalId: string | undefined
  /** Network address of the caller. */
  readonly address: string
  /** Id of the operation's row in the operation table. */
  readonly operation: string
  /** Path of the resource. */
  readonly target: string
  /** 200, or the code of the error. */
  readonly outcome: number
  readonly requestId: string
}

export interface AuditStore {
  add(entry: AuditEntry): Promise<void>
  /** Newest first. */
  list(page: Page): Promise<Slice<AuditEntry>>
}

/** What the rooms need remembered, and the record of who changed it. */
export interface Stores {
  readonly directory: DirectoryStore
  readonly categories: CategoryStore
  readonly collaborations: CollaborationStore
  readonly tokens: TokenStore
  readonly audit: AuditStore
}

/** What is done with the stores and an input. Of a write that met another one it may run again from the start. */
export type Work<Result, Input = undefined> = (stores: Stores, input: Input) => Promise<Result>

/** What an engine is busy with at this moment, and what it counted since the start: for the metrics. */
export interface StorageFigures {
  readonly connections: { readonly open: number; readonly idle: number }
  /** Pieces of work that wait for their turn or for a connection. */
  readonly waiting: number
  /** Writes that ran again because they met another one. */
  readonly retries: number
  /** Look-ups of who calls: answered from memory, and asked of the database. */
  readonly callerCache: { readonly hits: number; readonly misses: number }
}

/**
 * The storage as the program sees it, whichever engine is behind it. Work that has not ended at `until` is given up as
 * StorageUnavailable: milliseconds on the clock of `performance.now()`, a few seconds from now where it is left out.
 */
export interface Storage {
  /** The engine and where its data is, without secrets: for people to read. */
  readonly description: string
  /** Work that changes nothing. Each question sees what is committed at its moment. */
  read<Result>(work: (stores: Stores) => Promise<Result>, until?: number): Promise<Result>
  /**
   * One transaction: all of the work or, if it throws, nothing; and as if no other ran at the same time. Acknowledged
   * only when it is on the disk. Where another thread writes, the work is one that it knows, and input and result are
   * plain values.
   */
  write<Result, Input>(work: Work<Result, Input>, input?: Input, until?: number): Promise<Result>
  /** Resolves if the database answers. */
  ping(): Promise<void>
  figures(): StorageFigures
  close(): Promise<void>
}

/** Milliseconds for one piece of work: a client hears of an outage within five seconds (chosen). */
export const workMilliseconds = 4_500

/** When work that begins now is given up. */
export function deadline(): number {
  return performance.now() + workMilliseconds
}

/** The database cannot be used; the message is one sentence for the operator. */
export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable'
}
