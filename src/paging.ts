/** The requested part of a list. */
export interface Page {
  /** Position of the first entry, from 1 (documented). */
  readonly start: number
  /** Most entries of the page. */
  readonly num: number
}

/** One page of a list, with the length of the whole list. */
export interface Slice<Entry> {
  readonly total: number
  readonly entries: readonly Entry[]
}
