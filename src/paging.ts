/** Which part of a list a client asks for. */
export interface Page {
  /** Position of the first one, from 1 (documented). */
  readonly start: number
  /** How many at most. */
  readonly num: number
}

/** One page of a list, and how long the whole list is. */
export interface Slice<Entry> {
  readonly total: number
  readonly entries: readonly Entry[]
}
