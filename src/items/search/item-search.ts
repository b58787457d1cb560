import type { SortOrder } from '../../directory/group.ts'
import type { CategoryCondition, Condition } from '../../search/condition.ts'
import type { Extent } from '../item.ts'

/** The fields of items that a search knows, by what can be compared with them (content.md §5.3). */
export interface ItemFields {
  readonly text:
    | 'title'
    | 'snippet'
    | 'description'
    | 'tags'
    | 'type'
    | 'typekeywords'
    | 'accessinformation'
    | 'licenseinfo'
  /** Whole values, folded: several of a list. */
  readonly keyword:
    | 'title'
    | 'snippet'
    | 'description'
    | 'tags'
    | 'type'
    | 'typekeywords'
    | 'accessinformation'
    | 'licenseinfo'
    | 'owner'
    | 'id'
    | 'group'
    | 'orgid'
    | 'access'
    | 'culture'
    | 'spatialreference'
    | 'itemtype'
  readonly ordered: 'owner'
  readonly number: 'created' | 'modified'
  readonly category: CategoryCondition
}
export type ItemCondition = Condition<ItemFields>

export const itemSortFields = ['relevance', 'title', 'created', 'modified', 'type', 'owner'] as const
export type ItemSortField = (typeof itemSortFields)[number]

export const facetFields = ['categories', 'tags', 'type', 'access'] as const
export type FacetField = (typeof facetFields)[number]

/** Values that a search counts: beside facets, categories that items carry themselves, and owners by their usernames. */
export const countedFields = [...facetFields, 'carried', 'owner'] as const
export type CountedField = (typeof countedFields)[number]

/** A search for items. Entries that compare equal in every sort field are in the order of their ids. */
export interface ItemSearch {
  readonly condition: ItemCondition
  /**
   * Relevance is the same on both engines: items whose title alone matches `inTitle` come first, and in both parts the last
   * modified first.
   */
  readonly inTitle: ItemCondition | undefined
  readonly bbox: Extent | undefined
  readonly sort: readonly { readonly field: ItemSortField | 'number'; readonly order: SortOrder }[]
  /** The search of a group: its items only, with its categories in `categories` of the counts. */
  readonly groupId: string | undefined
  readonly countFields: readonly CountedField[]
  readonly countSize: number
  /** Whether its condition probably has most items: columns are asked first then, and not the index. */
  readonly isWide?: boolean
}

/** Who searches, and so which items match at all. */
export interface ItemViewer {
  readonly userId: string | undefined
  readonly portalId: string
  readonly canViewOrganizationItems: boolean
  readonly canViewEveryItem: boolean
}

export interface FacetCounts {
  readonly field: CountedField
  /** Largest count first, then by value. */
  readonly values: readonly { readonly value: string; readonly count: number }[]
}
