/** What an answer says of a page of a list, and how many entries were asked for. */
export interface ShownPage {
  readonly total: number
  /** Position of the first entry, from 1. */
  readonly start: number
  /** Entries of a full page. */
  readonly num: number
  /** Where the server says that the next page begins; -1 on the last one. A page may end before it is full. */
  readonly nextStart: number
}

/** The last position that is shown, and where the pages before and after begin, if there are any. */
export function partsOf({ total, start, num, nextStart }: ShownPage): {
  readonly end: number
  readonly before: number | undefined
  readonly after: number | undefined
} {
  const after = nextStart > 0 ? nextStart : undefined
  return {
    end: after === undefined ? Math.min(start + num - 1, total) : after - 1,
    before: start > 1 ? Math.max(1, start - num) : undefined,
    after,
  }
}
