import { call } from './session.ts'

/** Entries of a list from its start, and their total number. */
export interface Entries<Entry> {
  readonly entries: readonly Entry[]
  readonly total: number
}

/** Fetches this many pages of a list, of 100 entries each; by default all. `member`: where an answer has its entries. */
export async function listPages<Entry>(
  path: string,
  member: string,
  signal: AbortSignal,
  pages = Number.POSITIVE_INFINITY,
): Promise<Entries<Entry>> {
  const entries: Entry[] = []
  for (let start = 1, page = 1; ; page++) {
    const answer = await call<Record<string, unknown>>(path, { start, num: 100 }, { signal })
    entries.push(...(answer[member] as Entry[]))
    const { nextStart, total = entries.length } = answer as { readonly nextStart: number; readonly total?: number }
    if (nextStart < 0 || page >= pages) return { entries, total }
    start = nextStart
  }
}
