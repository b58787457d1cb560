import { indexTables } from '../../../src/storage/tables/tables.ts'

type Row = Readonly<Record<string, unknown>>

/** Rows of one table that came and that went since the content was kept; a changed row is in both lists. */
export interface TableChange {
  readonly added: readonly Row[]
  readonly removed: readonly Row[]
}

/** Changes by committed transactions, by table. */
export type Changes = Readonly<Record<string, TableChange>>

/** Tables that go back to how they were. */
export interface RewindableTables {
  /** Remembers every row as it is now. */
  keep(): Promise<void>
  /** Changes since then. */
  changes(): Promise<Changes>
  /** Puts every row back; resolves with the changes. */
  rewind(): Promise<Changes>
  close(): Promise<void>
}

/** Tables of the search index: they follow from the other tables, and go back with them. */
export const tablesOfIndex = indexTables.filter((table) => table !== 'index_version')
