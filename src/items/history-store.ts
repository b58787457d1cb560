import type { Page, Slice } from '../paging.ts'
import { field, type RecordOf } from '../record.ts'
import type { ItemChange, UnkeptChange } from './item-change.ts'

export const storedChangeFields = {
  /** Number of the entry of the log. */
  entry: field.number(),
  itemId: field.id(),
  portalId: field.text(),
  /** Job that it is a part of. */
  runId: field.id().optional(),
  change: field.json<ItemChange | UnkeptChange>(),
  /** Time at which it was undone. */
  revertedAt: field.time().optional(),
}

/** Change of an item, with the entry of the log that it is recorded beside. */
export interface StoredChange extends RecordOf<typeof storedChangeFields> {
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

/** Entry and item of a change. */
export interface ChangePlace {
  readonly entry: number
  readonly itemId: string
}

export interface ItemHistoryStore extends ItemHistoryReader {
  putReverted(change: ChangePlace, at: number): Promise<void>
}
