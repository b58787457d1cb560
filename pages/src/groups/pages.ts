/** Entries on a page of a list. */
export const pageSize = 25

/** The position that a query asks for, from 1. */
export function startOf(query: URLSearchParams): number {
  const start = Number(query.get('start') ?? 1)
  return Number.isSafeInteger(start) && start > 0 ? start : 1
}
