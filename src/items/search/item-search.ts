import type { SortOrder } from '../../directory/group.ts'
import type { RecordOf } from '../../record.ts'
import type { CategoryCondition, Condition, IndexedFields } from '../../search/condition.ts'
import type { Extent, Item, itemFields } from '../item.ts'

/** An item as it is found. */
export interface IndexedItem extends RecordOf<typeof itemFields>, Pick<Item, 'access' | 'ownerUsername'> {
  /** Ids of groups that have it. */
  readonly groups: readonly string[]
}

/** Texts of items, which are found by their words, too. */
export const itemTexts = {
  title: ['t', ({ title }) => [title]],
  tags: ['g', ({ tags }) => tags],
  snippet: ['s', ({ snippet }) => [snippet]],
  description: ['d', ({ description }) => [description]],
  type: ['y', ({ type }) => [type]],
  typekeywords: ['k', ({ typeKeywords }) => typeKeywords],
  accessinformation: ['a', ({ accessInformation }) => [accessInformation]],
  licenseinfo: ['l', ({ licenseInfo }) => [licenseInfo]],
} satisfies IndexedFields<IndexedItem>

/** Whole values, folded: several of a list. */
export const itemKeywords = {
  ...itemTexts,
  owner: ['o', ({ ownerUsername }) => [ownerUsername]],
  id: ['i', ({ itemId }) => [itemId]],
  group: ['r', ({ groups }) => groups],
  orgid: ['p', ({ portalId }) => [portalId]],
  access: ['x', ({ access }) => [access]],
  culture: ['c', ({ culture }) => [culture]],
  spatialreference: ['f', ({ spatialReference }) => [spatialReference]],
  itemtype: ['u', ({ url }) => [url === '' ? 'text' : 'url']],
} satisfies IndexedFields<IndexedItem>

/** The fields of items that a search knows, by what can be compared with them (content.md §5.3). */
export interface ItemFields {
  readonly text: keyof typeof itemTexts
  readonly keyword: keyof typeof itemKeywords
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
