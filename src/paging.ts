/** The requested part of a list. */
export interface Page {
  /** Position of the first entry, from 1 (documented). */
  readonly start: number
  /** Maximum number of entries of the page. */
  readonly num: number
}

/** Bytes that a page has about at most: it has at least one entry, and ends before the one that exceeds them (chosen). */
export const maxPageBytes = 1024 * 1024

/** One page of a list, with the length of the whole list. */
export interface Slice<Entry> {
  readonly total: number
  readonly entries: readonly Entry[]
}
