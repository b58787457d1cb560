import type { Page, Slice } from '../paging.ts'
import type { ItemChange, UnkeptChange } from './item-change.ts'

/** Change of an item, with the entry of the log that it is recorded beside. */
export interface StoredChange {
  /** Number of the entry. */
  readonly entry: number
  readonly itemId: string
  readonly portalId: string
  readonly runId: string | undefined
  readonly change: ItemChange | UnkeptChange
  /** Time at which it was undone. */
  readonly revertedAt: number | undefined
  /** Time, caller and operation of the entry. */
  readonly at: number
  readonly username: string | undefined
  readonly operation: string
}

export interface ItemHistoryReader {
  /** Changes of an item, the last first. */
  listItemChanges(itemId: string, page: Page): Promise<Slice<StoredChange>>
  /** Changes beside an entry of the log, in the order of the items' ids. */
  listEntryChanges(entry: number): Promise<readonly StoredChange[]>
  /** Changes of a run, the last first, before a place. */
  listRunChanges(runId: string, before: ChangePlace | undefined, max: number): Promise<readonly StoredChange[]>
  /** The first of these, without reading it. */
  findRunPlace(runId: string, before: ChangePlace | undefined): Promise<ChangePlace | undefined>
  /** Changes of a run, and how many of these are not undone. */
  countRunChanges(runId: string): Promise<{ readonly changes: number; readonly revertible: number }>
}

/** Place of a change: its entry, and its item. */
export interface ChangePlace {
  readonly entry: number
  readonly itemId: string
}

export interface ItemHistoryStore extends ItemHistoryReader {
  putReverted(change: ChangePlace, at: number): Promise<void>
}
