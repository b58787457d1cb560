import { mapParsed, type Parsed } from '../../call/parsed.ts'
import type { SortOrder } from '../../directory/group.ts'
import { compile } from '../../search/compile.ts'
import { allOf, anyOf, type CategoryHolder, negationOf } from '../../search/condition.ts'
import { wordsOf } from '../../search/folding.ts'
import type { Extent } from '../item.ts'
import { categoryNamed, itemNoun, titleNoun } from '../item-fields.ts'
import type { FacetField, ItemCondition, ItemFields, ItemSearch, ItemSortField } from './item-search.ts'

/** A search, wherever it is made. */
export type ItemQuery = Omit<ItemSearch, 'groupId'>

/** Parameters of a search, as given. */
export interface ItemWish {
  readonly q: string | undefined
  readonly filter: string | undefined
  readonly bbox: Extent | undefined
  /** Each list holds if one of its categories does; all lists have to. */
  readonly categories: readonly (readonly string[])[]
  /** Lists as in `categories`, with words of titles. */
  readonly categoryFilters: readonly (readonly string[])[]
  readonly uncategorized: boolean
  /** Undefined where none is given; fields that are 0 for each item are left out. */
  readonly sortFields: readonly ItemSortField[] | undefined
  readonly sortOrder: SortOrder
  readonly countFields: readonly FacetField[]
  readonly countSize: number
}

/** The query that the parameters mean; `holder` has the categories that they name. */
export function parseItemQuery(wish: ItemWish, holder: CategoryHolder): Parsed<ItemQuery> {
  const found = compile(wish, itemNoun)
  const problems = 'problems' in found ? [...found.problems] : []
  if (wish.categories.length > 0 && wish.categoryFilters.length > 0) {
    problems.push('categoryFilters: cannot be given together with categories.')
  }
  if (!('value' in found) || problems.length > 0) return { problems }
  const { condition, hasFreeText } = found.value
  const { bbox, sortFields, sortOrder, countFields, countSize } = wish
  const sort =
    sortFields === undefined
      ? [hasFreeText ? bestFirst : lastModifiedFirst]
      : sortFields.map((field) => (field === 'relevance' ? bestFirst : { field, order: sortOrder }))
  return mapParsed(compile(wish, titleNoun), (inTitle) => ({
    condition: allOf([condition, ...conditionsOnCategories(wish, holder)]),
    inTitle: hasFreeText ? inTitle.condition : undefined,
    bbox,
    sort,
    countFields,
    countSize,
  }))
}

/** Whatever the order that is given (chosen). */
const bestFirst = { field: 'relevance', order: 'desc' } as const
const lastModifiedFirst = { field: 'modified', order: 'desc' } as const

function conditionsOnCategories(wish: ItemWish, holder: CategoryHolder): readonly ItemCondition[] {
  const categories = wish.categories.map((names) => anyOf(names.map((name) => categoryNamed(name, holder))))
  const filters = wish.categoryFilters.map((terms) => anyOf(terms.map((term) => titleHas(term, holder))))
  const uncategorized = wish.uncategorized ? [negationOf<ItemFields>({ kind: 'categorized', holder })] : []
  return [...categories, ...filters, ...uncategorized]
}

function titleHas(term: string, holder: CategoryHolder): ItemCondition {
  const words = wordsOf(term)
  return words.length === 0 ? { kind: 'none' } : { kind: 'categoryWords', holder, words }
}
