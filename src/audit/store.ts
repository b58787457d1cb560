import type { RecordedChange } from '../call/audit-details.ts'
import type { AuditEntry, StoredEntry } from '../call/audit-entry.ts'
import type { AuditFilter } from './filter.ts'

/** A part of the entries of one organization, in the order of their numbers. */
export interface LogSearch {
  readonly portalId: string
  readonly filter: AuditFilter
  readonly order: 'asc' | 'desc'
  /** Number of the entry before the first one; undefined from the beginning. */
  readonly after?: number | undefined
  readonly max: number
}

/** Names that a log shows beside ids, of one organization; deleted users, items and groups have none. */
export interface LogNames {
  /** Full names by username. */
  readonly fullNames: ReadonlyMap<string, string>
  /** Usernames by user id. */
  readonly usernames: ReadonlyMap<string, string>
  /** Titles of items and groups by id. */
  readonly titles: ReadonlyMap<string, string>
  /** Numbers of entries with changes of items that are not undone. */
  readonly revertible: ReadonlySet<number>
}

/** Reading methods of the audit log. */
export interface AuditReader {
  /** Estimates the number of entries: exact except for numbers used by failed writes. Reads two rows. */
  estimateEntries(): Promise<number>
  /** Entries from before this time. Reads every entry. */
  countEntries(before: number): Promise<number>
  /** Finds every entry that was added before, indexed or not: entries that are not indexed yet are scanned. */
  listEntries(search: LogSearch): Promise<readonly StoredEntry[]>
  /** Usernames, and ids of groups and items, whose present names have a word that begins like this: at most 100 of each. */
  findNamed(portalId: string, word: string): Promise<readonly string[]>
  findLogNames(
    portalId: string,
    ids: {
      readonly usernames: Iterable<string>
      readonly userIds: Iterable<string>
      readonly targets: Iterable<string>
      /** Numbers of entries. */
      readonly entries: readonly number[]
    },
  ): Promise<LogNames>
}

/** The audit log. Entries are never changed; only the oldest can be removed. */
export interface AuditStore extends AuditReader {
  /** Answers it with the changes of items that are recorded beside it. */
  add(entry: AuditEntry, changes?: readonly RecordedChange[]): Promise<void>
  /** Removes the oldest entries from before this time with their index, a bounded number; resolves with it. */
  removeEntries(before: number): Promise<number>
  /** Adds the `count` oldest unindexed entries to the index; resolves with their number, or with 0 if there are fewer. */
  indexEntries(count: number): Promise<number>
}
