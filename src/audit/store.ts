import type { AuditEntry, StoredEntry } from '../call/audit-entry.ts'
import type { AuditFilter } from './filter.ts'

/** A part of the entries of one organization, in the order of their numbers. */
export interface LogSearch {
  readonly portalId: string
  readonly filter: AuditFilter
  readonly order: 'asc' | 'desc'
  /** Number of the entry before the first one; undefined from the beginning. */
  readonly after?: number | undefined
  readonly most: number
}

/** How far the log could be indexed. */
export interface LogEnd {
  /** Number of the latest entry; 0 if there is none. */
  readonly last: number
  /** Transactions that may still add entries with lower numbers; on SQLite there are none. */
  readonly writers: readonly string[]
}

/** Entries whose numbers follow each other, so many that a term has one small row for all of them. */
export interface LogBlock {
  readonly block: number
  /** The lowest number that an entry of the block can have. */
  readonly firstNumber: number
  readonly entries: readonly StoredEntry[]
}

/** A block as it is stored in the index. */
export interface IndexedBlock {
  readonly block: number
  /** Epoch milliseconds: of all entries. */
  readonly firstAt: number
  readonly lastAt: number
  /** How many entries it had when it was read. */
  readonly size: number
  readonly terms: readonly IndexedTerm[]
}

export interface IndexedTerm {
  readonly portalId: string
  readonly term: string
  /** Of the entries within the block, from 0, increasing. */
  readonly positions: readonly number[]
}

/** Names that a log shows beside ids, of one organization. What does not exist any more is not there. */
export interface LogNames {
  /** Full names by username. */
  readonly fullNames: ReadonlyMap<string, string>
  /** Usernames by user id. */
  readonly usernames: ReadonlyMap<string, string>
  /** Titles of items and groups by id. */
  readonly titles: ReadonlyMap<string, string>
}

/** Reading methods of the audit log. */
export interface AuditReader {
  /** How many entries there may be: exact but for numbers that were taken by writes that failed. Reads two rows. */
  estimateEntries(): Promise<number>
  /** Entries from before this time. Reads every entry. */
  countEntries(before: number): Promise<number>
  /**
   * Every entry that was added before is found, whether it is indexed or not: the index narrows down what is looked at, and
   * entries that it does not have yet are all looked at.
   */
  listEntries(search: LogSearch): Promise<readonly StoredEntry[]>
  findLogNames(
    portalId: string,
    ids: {
      readonly usernames: Iterable<string>
      readonly userIds: Iterable<string>
      readonly targets: Iterable<string>
    },
  ): Promise<LogNames>
  findEnd(): Promise<LogEnd>
  /** Which of these transactions go on. */
  listWriters(): Promise<readonly string[]>
  /** Terms of blocks of which the index is not what follows from the entries. Reads all of both. */
  countDisagreements(): Promise<number>
  /** The next block without an index, if all of its numbers are up to `last`. */
  findUnindexed(last: number): Promise<LogBlock | undefined>
}

/** The audit log. Entries are never changed; only the oldest can be removed. */
export interface AuditStore extends AuditReader {
  add(entry: AuditEntry): Promise<void>
  /** Removes the oldest entries from before this time with their index, a bounded number; resolves with it. */
  removeEntries(before: number): Promise<number>
  /** Adds a block to the index; false, and nothing is done, if another server did so or entries were removed meanwhile. */
  addBlock(block: IndexedBlock): Promise<boolean>
}
