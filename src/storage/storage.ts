import type { AuditReader, AuditStore } from '../audit/store.ts'
import type { ChecksumReader, ChecksumStore } from '../call/checksums.ts'
import type { DiskReader } from '../call/disk.ts'
import type { DraftReader, DraftStore } from '../categories/drafts/store.ts'
import type { SchemaHistoryReader, SchemaHistoryStore } from '../categories/history/store.ts'
import type { CategoryReader, CategoryStore } from '../categories/store.ts'
import type { CollaborationReader, CollaborationStore } from '../collaborations/store.ts'
import type { DirectoryReader, DirectoryStore } from '../directory/store.ts'
import type { ErasureReader, ErasureStore } from '../directory/users/erasure.ts'
import type { IdentityReader, IdentityStore } from '../identities/store.ts'
import type { ItemHistoryReader, ItemHistoryStore } from '../items/history-store.ts'
import type { ItemReader, ItemStore } from '../items/store.ts'
import type { JobReader, JobStore } from '../jobs/store.ts'
import type { OAuthReader, OAuthStore } from '../oauth/store.ts'
import type { TemplateReader, TemplateStore } from '../schema-files/templates/store.ts'
import type { TokenReader, TokenStore } from '../tokens/store.ts'
import type { WebhookReader, WebhookStore } from '../webhooks/store.ts'

/** The stores as a read gets them: without methods that write. */
export interface Readers {
  readonly directory: DirectoryReader
  readonly categories: CategoryReader
  readonly schemaHistory: SchemaHistoryReader
  readonly drafts: DraftReader
  readonly templates: TemplateReader
  readonly items: ItemReader
  readonly itemHistory: ItemHistoryReader
  readonly collaborations: CollaborationReader
  readonly tokens: TokenReader
  readonly oauth: OAuthReader
  readonly identities: IdentityReader
  readonly jobs: JobReader
  readonly audit: AuditReader
  readonly checksums: ChecksumReader
  readonly erasure: ErasureReader
  readonly webhooks: WebhookReader
  readonly disk: DiskReader
}

/** The stores as a write gets them, with the audit. */
export interface Stores extends Readers {
  readonly directory: DirectoryStore
  readonly categories: CategoryStore
  readonly schemaHistory: SchemaHistoryStore
  readonly drafts: DraftStore
  readonly templates: TemplateStore
  readonly items: ItemStore
  readonly itemHistory: ItemHistoryStore
  readonly collaborations: CollaborationStore
  readonly tokens: TokenStore
  readonly oauth: OAuthStore
  readonly identities: IdentityStore
  readonly jobs: JobStore
  readonly audit: AuditStore
  readonly checksums: ChecksumStore
  readonly erasure: ErasureStore
  readonly webhooks: WebhookStore
}

/** Runs a command inside a transaction. After a conflict with another write it may run again from the start. */
export type Execute<Command> = (stores: Stores, command: Command) => Promise<unknown>

/** Runs a search on a snapshot. */
export type ExecuteSearch<Search> = (stores: Readers, search: Search) => Promise<unknown>

/** `own`: for a server, or a command beside which none may run; `beside`: for a few writes, whether a server runs or not. */
export type DatabaseAccess = 'own' | 'beside'

/** Options of the searches of a storage. */
export interface SearchOptions<Search> {
  readonly execute: ExecuteSearch<Search>
  /** Time for one search from when it begins; by default `maxSearchMilliseconds`. */
  readonly milliseconds?: number
}

/** Gauges and counters of an engine, for the metrics. Counters start with the process. */
export interface StorageFigures {
  readonly connections: { readonly open: number; readonly idle: number }
  /** Reads, searches and writes that are queued or wait for a connection. */
  readonly waiting: number
  /** Writes that were retried after a conflict. */
  readonly retries: number
  /** Look-ups of callers in the cache. */
  readonly callerCache: { readonly hits: number; readonly misses: number }
  /** Undefined without a search replica. */
  readonly replica?: ReplicaFigures | undefined
}

/** Figures of the search replica of a server on PostgreSQL. */
export interface ReplicaFigures {
  readonly state: 'waiting' | 'failed' | 'filling' | 'ready'
  /** Reason why the last fill failed; empty if it did not. */
  readonly failure: string
  /** Changes that the last search read before it began. */
  readonly changes: number
  /** Fills since the start. */
  readonly fills: number
  /** Bytes of the file. */
  readonly bytes: number
  /** Times that changes were read, and milliseconds that this took together, of the clock and of the thread's processor time. */
  readonly follows: number
  readonly followMilliseconds: number
  readonly followProcessorMilliseconds: number
}

/** Disk space of a database, in bytes. */
export interface StorageSpace {
  /** Bytes of the whole database, with its log and its indexes. */
  readonly used: number
  /** Free bytes of its disk; undefined where the disk is not this machine's. */
  readonly free: number | undefined
}

/**
 * The storage port, the same for every engine. `until` is the deadline of a read or write, in milliseconds on the clock of
 * `performance.now()`, by default `deadline()`; a read or write past its deadline rejects with StorageUnavailable.
 */
export interface Storage<Command, Search = never> {
  /** The engine and the place of its data, without secrets, for display. */
  readonly description: string
  /** Runs the work on one read-only snapshot of what is committed. */
  read<Result>(work: (stores: Readers) => Promise<Result>, until?: number): Promise<Result>
  /**
   * Runs the search on one read-only snapshot that has every write acknowledged before, without blocking reads and writes.
   * Next is the search of the caller who has used least time lately: `caller` is the id of its organization, or of another
   * whole that shares the time, a blank, and its own id. A search that has not begun at `until`, or when `signal` aborts,
   * rejects with StorageUnavailable. Search and result are plain values.
   */
  search(search: Search, caller: string, until?: number, signal?: AbortSignal): Promise<unknown>
  /**
   * Executes the command in one serializable transaction, undone if it throws. Resolves when the commit is on the disk.
   * Command and result are plain values.
   */
  write(command: Command, until?: number): Promise<unknown>
  /** Resolves if the database can be read. */
  ping(): Promise<void>
  figures(): StorageFigures
  /** Measures the database. */
  measure(): Promise<StorageSpace>
  /** Resolves with the reason if the storage has failed for good: the process has to be restarted. */
  readonly failure: Promise<StorageUnavailable>
  close(): Promise<void>
}

/** Time for one read or write: in an outage, a client gets its answer within five seconds (chosen). */
export const maxMilliseconds = 4_500

/** Deadline of a read or write that begins now. */
export function deadline(): number {
  return performance.now() + maxMilliseconds
}

/** Time for one search from when it begins (chosen): other searches wait meanwhile. */
export const maxSearchMilliseconds = 2_000

/** Error of a stored document whose checksum does not match: the message names its row. No other document is affected. */
export class DamagedDocument extends Error {
  override readonly name = 'DamagedDocument'

  /** Table and key. */
  readonly place: string

  constructor(place: string) {
    super(`The row of ${place} is not what was written, as its checksum says: restore a backup.`)
    this.place = place
  }
}

/** Error of a database that cannot be used; the message is one sentence for the operator. */
export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable'
}

/** Error of a write that lost against others until its deadline; nothing is wrong with the database. */
export class StorageContended extends StorageUnavailable {}

/** Error of a database that a newer version has migrated while this server runs: it accepts no writes any more. */
export class DatabaseNewer extends StorageUnavailable {}

/** Error of a database that may answer later: it is away, starts, or has no connection left. */
export class DatabaseAway extends StorageUnavailable {}

/** Error of a search whose replica is not as new as the database: PostgreSQL answers it instead. */
export class ReplicaBehind extends StorageUnavailable {}

/** Error of a start that was asked to end. */
export class StartEnded extends StorageUnavailable {}

/** Notices of a start that takes long. */
export interface StartNotices {
  /** Says a sentence to the operator now. */
  say?(sentence: string): void
  /** Says from now on, again and again, what is done or waited for. */
  doing?(sentence: string): void
  /** Aborted when the process is asked to end: the start ends between two steps. */
  readonly signal?: AbortSignal | undefined
}

/** Waits of a start on PostgreSQL, by default none. */
export interface StartWait extends StartNotices {
  /** Time to wait for a database that does not answer. */
  readonly databaseMilliseconds?: number
  /** Time to wait for servers of older versions to end, before it migrates the database. */
  readonly serversMilliseconds?: number
}
