import type { FacetCounts } from '../../../items/search/item-search.ts'
import { type FoundItemView, type ItemPage, searchWindow } from '../../../items/search/search-operations.ts'
import { pageMembers, pageToWire } from '../page.ts'
import { component, integer, list, object, text, type ValueOf } from '../shape.ts'
import { itemControl, itemMembers, itemToWire } from './item.ts'

const groupCategories = list(
  text(),
  'In the content of a group: paths of categories of the group, in the order in which they were assigned.',
)

/** Members may be excluded. */
const foundItemShape = component(
  'FoundItem',
  'An item as a search finds it: without the members that are excluded.',
  object({}, { ...itemMembers, itemControl, groupCategories }),
)

export const groupItemShape = component(
  'GroupItem',
  'An item of a group.',
  object({ ...itemMembers, groupCategories }, { itemControl }),
)

const aggregationsShape = object({
  counts: list(
    object({
      fieldName: text('The counted field.'),
      fieldValues: list(
        object({ value: text(), count: integer('Items with this value.', 0) }),
        'The largest counts first.',
      ),
    }),
    'In the order of countFields.',
  ),
})

export const foundItemsShape = object(
  {
    query: text('The given `q`.'),
    ...pageMembers,
    start: integer('The given `start`.'),
    results: list(foundItemShape),
  },
  { aggregations: aggregationsShape },
)

export function groupItemToWire(view: FoundItemView): ValueOf<typeof groupItemShape> {
  return { ...itemToWire(view), groupCategories: view.groupCategories ?? [] }
}

interface SearchRequest {
  readonly q: string | undefined
  readonly countFields: readonly string[]
  readonly exclude: readonly string[] | undefined
}

/** `nextStart` is -1 where the next page would begin outside the window. */
export function foundItemsToWire(
  found: ItemPage,
  { q = '', countFields, exclude = [] }: SearchRequest,
): ValueOf<typeof foundItemsShape> {
  const { start, num } = found.page
  const reachable = Math.min(found.total, searchWindow)
  // A page before the first or after the last is like the one behind the last.
  const page = { start: start < 1 || start > reachable ? reachable + 1 : start, num }
  const paged = pageToWire('results', { ...found, total: reachable, page }, (view) => foundItemToWire(view, exclude))
  return {
    query: q,
    total: found.total,
    start,
    num: paged.num,
    nextStart: paged.nextStart,
    results: paged.results,
    ...(countFields.length > 0 ? { aggregations: { counts: countFields.map(countsOf(found.counts)) } } : {}),
  }
}

function foundItemToWire(view: FoundItemView, exclude: readonly string[]): ValueOf<typeof foundItemShape> {
  const item = view.groupCategories === undefined ? itemToWire(view) : groupItemToWire(view)
  if (exclude.length === 0) return item
  return Object.fromEntries(Object.entries(item).filter(([member]) => !exclude.includes(member)))
}

/** A field that no item has has no values. */
function countsOf(counts: readonly FacetCounts[]) {
  return (fieldName: string) => ({
    fieldName,
    fieldValues: counts.find(({ field }) => field === fieldName)?.values ?? [],
  })
}
