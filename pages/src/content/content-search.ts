import { pageSize } from '../elements/lists/page-parts.ts'
import { type CountedPath, maxCounts, readCounts } from '../schemas/item-counts.ts'
import { call, signedIn } from '../session/session.ts'
import type { ListedItem } from './item-list.ts'
import { type ContentState, searchParameters, sortParameters } from './state.ts'

/** A page of the items that a search finds. */
export interface SearchResult {
  readonly total: number
  /** -1 on the last page, and at the limit of the search. */
  readonly nextStart: number
  readonly results: readonly ListedItem[]
  readonly aggregations?: {
    readonly counts: readonly {
      readonly fieldName: string
      readonly fieldValues: readonly CountedPath[]
    }[]
  }
}

/** Fields of items that the list does not show. */
const leftOut = 'description,extent,typeKeywords,documentation,properties,accessInformation,licenseInfo,screenshots'

export function findItems(state: ContentState, signal: AbortSignal): Promise<SearchResult> {
  const page = { ...sortParameters(state), start: state.start, num: pageSize }
  return search(state, page, signal)
}

/**
 * Counts items of the search in all, without a category, unchanged for long, and by category; depends on its filters, not on category,
 * order and page.
 */
export async function countItems(state: ContentState, signal: AbortSignal) {
  const count = (special: ContentState['special'], more: Readonly<Record<string, string | number>> = {}) =>
    search({ ...state, special }, { num: 0, ...more }, signal)
  const [all, uncategorized, stale] = await Promise.all([
    count(undefined, { countFields: 'categories', countSize: maxCounts }),
    count('uncategorized'),
    count('stale'),
  ])
  return {
    total: all.total,
    uncategorized: uncategorized.total,
    stale: stale.total,
    countOf: readCounts(all.aggregations?.counts[0]?.fieldValues ?? []),
  }
}

export async function countFound(state: ContentState, signal: AbortSignal): Promise<number> {
  return (await search(state, { num: 0 }, signal)).total
}

function search(
  state: ContentState,
  more: Readonly<Record<string, string | number>>,
  signal: AbortSignal,
): Promise<SearchResult> {
  const narrowed = narrowedBy(state)
  const path = state.group ? `/content/groups/${encodeURIComponent(state.group)}/search` : '/search'
  return call<SearchResult>(path, { ...narrowed, ...more, exclude: leftOut }, { signal })
}

/** Parameters of the search for this state, without order and page. */
export function narrowedBy(state: ContentState) {
  const { username = '', portal } = signedIn() ?? {}
  return searchParameters(state, { username, portalId: portal?.id ?? '' }, Date.now())
}
