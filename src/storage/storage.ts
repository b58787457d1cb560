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

/** The storage as the program sees it, whichever engine is behind it. */
export interface Storage {
  /** The engine and where its data is, without secrets: for people to read. */
  readonly description: string
  /** Work that changes nothing. Each question sees what is committed at its moment. */
  read<Result>(work: (stores: Stores) => Promise<Result>): Promise<Result>
  /** One transaction: all of the work or, if it throws, nothing. Acknowledged only when it is on the disk. */
  write<Result>(work: (stores: Stores) => Promise<Result>): Promise<Result>
  /** Resolves if the database answers. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** The database cannot be used; the message is one sentence for the operator. */
export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable'
}
