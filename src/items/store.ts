import type { RecordedChange } from '../call/audit-details.ts'
import type { CarriedPathReader, CarriedPathStore } from '../categories/carried-paths.ts'
import type { CategoryReaders, CategoryStores, SchemaOwner } from '../categories/store.ts'
import type { SortOrder } from '../directory/group.ts'
import type { ForeignItem, ItemTotals, KeptBytes } from '../directory/store.ts'
import type { Page, Slice } from '../paging.ts'
import type { Item } from './item.ts'
import type { FacetCounts, ItemSearch, ItemViewer } from './search/item-search.ts'

/** Stored fields of an item; its access follows from its level and its links. */
export type NewItem = Omit<Item, 'ownerUsername' | 'access'>

/** A link between an item and a group that it is shared with. */
export interface ItemLink {
  readonly groupId: string
  /** Whether members of the group may update the item, as its owner confirmed, while the group gives that to its members. */
  readonly givesControl: boolean
}

/** Paths that an item is to carry. */
export interface AssignedPaths {
  readonly itemId: string
  readonly paths: readonly string[]
}

/** An item, and what a user may do with it as a member of groups. */
export interface ItemOfMember {
  readonly item: Item
  /** Whether the user is a member of a group that the item is shared with. */
  readonly isShared: boolean
  /** Whether a group gives its members, and so the user, control of the item. */
  readonly hasControl: boolean
}

export interface FoundItem extends ItemOfMember {
  /** Categories of the group that the item carries, in the order in which they were assigned, in a search of the group. */
  readonly groupCategories: readonly string[] | undefined
}

export interface FoundItems extends Slice<FoundItem> {
  readonly counts: readonly FacetCounts[]
}

/** Account of a user, or with the id of the organization what counts for it alone. */
export interface ItemCount extends ItemTotals {
  readonly userId: string
  readonly portalId: string
}

/** A user or an organization, with what it has. */
export interface LargestOwner extends ItemTotals {
  readonly ownerId: string
}

/** How many items carry a category or one below it. */
export interface CategoryCount {
  readonly path: string
  readonly items: number
}

/** Stands for a path: items without a category. */
export const uncategorizedPath = 'uncategorized'

/** Items of an organization or a group at the beginning of a day of UTC, such as 2026-11-28. */
export interface CoverageDay {
  readonly day: string
  readonly items: number
  readonly uncategorized: number
}

export const itemSortFields = ['modified', 'created', 'title', 'type'] as const
export type ItemSortField = (typeof itemSortFields)[number]

/** The order of a list; what is equal in it is in the order of ids. */
export interface ItemOrder {
  readonly sortField: ItemSortField
  readonly sortOrder: SortOrder
}

/** Reading methods of the items. `find…` resolves with undefined for what does not exist. */
export interface ItemReader extends CarriedPathReader, KeptBytes {
  /** The user is undefined for an anonymous caller. */
  findItemFor(itemId: string, userId: string | undefined): Promise<ItemOfMember | undefined>
  /** Items with these ids that exist, each once, in the order of their ids. */
  listItemsFor(itemIds: readonly string[], userId: string | undefined): Promise<readonly ItemOfMember[]>
  /** Whether an item has or had the id. */
  hasItemId(itemId: string): Promise<boolean>
  /** The data of an item. */
  findItemText(itemId: string): Promise<string | undefined>
  /** Whether the links of the owner's items to the group have ended and are still there: no other is made meanwhile. */
  isEnding(groupId: string, ownerId: string): Promise<boolean>
  /** An item of level `org` in the group whose owner is no member of it. */
  findForeignItem(groupId: string, maxLooks: number): Promise<ForeignItem>
  /** Ordered by the groups' ids. */
  listItemLinks(itemId: string): Promise<readonly ItemLink[]>
  /** For each of the items that is shared with the group, paths of the group's categories, in the order in which they were assigned. */
  listGroupCategories(groupId: string, itemIds: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>
  /** The items that a user owns, as another user reads them. Only in a search. */
  listItemsOf(ownerId: string, userId: string, order: ItemOrder, page: Page): Promise<Slice<ItemOfMember>>
  /** Items and their bytes alone. Reads every item. */
  sumItemsOwnedBy(userId: string): Promise<ItemTotals>
  /** Owners with the most bytes as last counted, the largest first. */
  listLargestOwners(kind: 'user' | 'portal', num: number): Promise<readonly LargestOwner[]>
  /** How many different tags items of a user or an organization have, as last counted, and how many others these are; the first only if these are some. */
  countTags(ownerId: string, more: readonly string[]): Promise<{ readonly present: number; readonly added: number }>
  /** Ordered by their ids, after one of them. */
  listItemCounts(after: string, num: number): Promise<readonly ItemCount[]>
  /** Ordered by the ids, after one of them. */
  listItemIdsOwnedBy(userId: string, max: number, after?: string): Promise<readonly string[]>
  /**
   * All items of the owner under the empty path, those without a category, and in the order of the paths, for each that items carry
   * and those above it: how many carry it or one below it. Only in a search.
   */
  countCoverage(owner: SchemaOwner): Promise<readonly CategoryCount[]>
  /** Ordered by day. */
  listCoverageDays(owner: SchemaOwner): Promise<readonly CoverageDay[]>
  /** Owners with a category schema that have no counts of the day. */
  listUncounted(day: string, max: number): Promise<readonly SchemaOwner[]>
  /** Matches that the viewer sees: how many there are, one page, and counts of their values. Only in a search. */
  searchItems(viewer: ItemViewer, search: ItemSearch, page: Page): Promise<FoundItems>
  /** A page of any length of the matches, each as `toRow` makes it: only some of them are in memory at a time. Only in a search. */
  listFound<Row>(
    viewer: ItemViewer,
    search: ItemSearch,
    page: Page,
    toRow: (found: FoundItem) => Row,
  ): Promise<Slice<Row>>
}

/** Apps that are registered for items. */
export interface AppsOfItems {
  findAppOfItem(itemId: string): Promise<{ readonly clientId: string } | undefined>
  removeApp(clientId: string): Promise<void>
  disownApp(clientId: string, at: number): Promise<void>
}

/** The items' store. */
export interface ItemStore extends ItemReader, CarriedPathStore {
  /** Adds the item with its categories, and its data if `text` is given. */
  addItem(item: NewItem, text?: string): Promise<void>
  /**
   * Changes an item, but not its id, organization, owner and time of creation. Without `text`, the data stays. `grownBy`: how many
   * more bytes it has than before, by default none.
   */
  updateItem(item: NewItem, text?: string, grownBy?: number): Promise<void>
  removeItem(itemId: string): Promise<void>
  /** Gives the item to another user. Links to groups of which that user is no member end, as do those that are ending for either owner. Answers the change. */
  giveItem(itemId: string, userId: string): Promise<readonly RecordedChange[]>
  /** The paths replace those of the organization that the items carry, each item once; that is a change of the items. */
  putCategories(assigned: readonly AssignedPaths[], modifiedAt: number): Promise<void>
  /** The paths replace those of the group that the items carry, each item once. */
  putGroupCategories(groupId: string, assigned: readonly AssignedPaths[]): Promise<void>
  putItemLink(itemId: string, link: ItemLink): Promise<void>
  /** Includes the group's categories of the item. */
  removeItemLink(itemId: string, groupId: string): Promise<void>
  /** Links of the items that the user owns to the group. They end now for every read; what is left of them, `endLinks` removes. Answers what is removed already. */
  removeItemLinksOf(userId: string, groupId: string): Promise<readonly RecordedChange[]>
  /** Removes a bounded number of links to one group that have ended, with its categories. Undefined if there were none. */
  endLinks(): Promise<{ readonly groupId: string; readonly changes: readonly RecordedChange[] } | undefined>
  /** Sums up what users own, and the different tags of their items, a bounded number of changes. False if none was left of these. */
  mergeItemCounts(): Promise<boolean>
  /** Stores counts of a day; those that are there stay. */
  putCoverage(owner: SchemaOwner, day: string, counts: readonly CategoryCount[]): Promise<void>
  /** Removes a bounded number of counts of earlier days; answers how many. */
  removeCoverageBefore(day: string, max: number): Promise<number>
  /** Stores the count of an organization. */
  putItemCount(portalId: string, counted: ItemTotals): Promise<void>
}

/** The readers of this room's queries, and the stores of its changes. */
export interface ItemReaders extends CategoryReaders {
  readonly items: ItemReader
}
export interface ItemStores extends CategoryStores {
  readonly items: ItemStore
}
