/** Entries of a full page of a list (chosen). */
export const pageSize = 25

/** Position of the first entry that the query of a screen asks for, from 1. */
export function startOf(query: URLSearchParams): number {
  const start = Number(query.get('start') ?? 1)
  return Number.isSafeInteger(start) && start > 0 ? start : 1
}

/** Position of a shown page in its list. */
export interface ShownPage {
  readonly total: number
  /** Position of the first entry, from 1. */
  readonly start: number
  /** Start of the next page, as the server gives it; -1 on the last one. A page may have fewer entries than a full one. */
  readonly nextStart: number
}

/** Last position of a page, and the starts of the pages before and after, if there are any; `num`: entries of a full page. */
export function partsOf({ total, start, nextStart }: ShownPage, num = pageSize) {
  const after = nextStart > 0 ? nextStart : undefined
  return {
    end: after === undefined ? Math.min(start + num - 1, total) : after - 1,
    before: start > 1 ? Math.max(1, start - num) : undefined,
    after,
  }
}

/** Ids between two rows of a list, both included, in either order: the range of a choice with Shift. */
export function rangeOf(ids: readonly string[], from: string, to: string): readonly string[] {
  const [a, b] = [ids.indexOf(from), ids.indexOf(to)]
  return a < 0 || b < 0 ? [to] : ids.slice(Math.min(a, b), Math.max(a, b) + 1)
}
