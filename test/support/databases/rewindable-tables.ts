type Row = Readonly<Record<string, unknown>>

/** Rows of one table that came and that went since the content was kept; a changed row is in both lists. */
export interface TableChange {
  readonly added: readonly Row[]
  readonly removed: readonly Row[]
}

/** What committed transactions have changed, by table. */
export type Changes = Readonly<Record<string, TableChange>>

/** Tables that go back to how they were. */
export interface RewindableTables {
  /** Remembers every row as it is now. */
  keep(): Promise<void>
  /** What has changed since then. */
  changes(): Promise<Changes>
  /** Puts every row back; answers what had changed. */
  rewind(): Promise<Changes>
  close(): Promise<void>
}
