import type { Generated } from 'kysely'
import type { storedChangeFields } from '../../../items/history-store.ts'
import type { ItemAccess, itemFields } from '../../../items/item.ts'
import type { RowOf } from '../../../record.ts'

export interface ItemRow extends RowOf<typeof itemFields> {
  /** Number by which other tables refer to the item. */
  id: Generated<number>
  /** The level, or `shared` where that is private and a group has the item. */
  access: ItemAccess
  /** Folded, for sorting. */
  title_key: string
  /** Extent in degrees: all four bounds are set, or none. */
  west: number | null
  south: number | null
  east: number | null
  north: number | null
  /** Checksum of the columns that `documents` in checksums.ts lists; null where an earlier version of the program wrote the row. */
  checksum: number | null
}

interface ItemTextRow {
  item_number: number
  text: string
  /** Checksum of the columns that `documents` in checksums.ts lists; null where an earlier version of the program wrote the row. */
  checksum: number | null
}

/** The group may be removed: see EndedLinksRow. */
export interface ItemGroupRow {
  item_number: number
  group_id: string
  gives_control: number
}

/** Links that have ended but still have rows. */
export interface EndedLinksRow {
  group_id: string
  /** Owner of their items; empty for all links of a group that is removed. */
  owner_id: string
  /** Number of the last item whose link is removed: items up to it have none left. */
  after_item: number
}

/** A category that an item carries itself. */
export interface ItemCategoryRow {
  category_id: number
  item_number: number
  /** From 0, in the order in which they were assigned; several categories of one path have the same. */
  position: number
}

/**
 * Items of a user, or of an organization as last counted by housekeeping, and the bytes that count for it. A user's row with the id
 * of an organization has what counts for that alone.
 */
export interface ItemCountRow {
  owner_kind: 'user' | 'portal'
  owner_id: string
  items: number
  bytes: number
}

/** Number of the items of an owner of categories that carry a path or one below it, at the beginning of a day. */
interface CoverageDayRow {
  /** `portal` or `group`. */
  owner_kind: string
  owner_id: string
  /** Day of UTC, such as 2026-11-28. */
  day: string
  /** Empty for all items of the owner, `uncategorized` for those without a category. */
  path: string
  items: number
}

/** Change that is not yet summed up in the count of a user. */
interface ItemCountChangeRow {
  id: Generated<number>
  owner_id: string
  /** Both are negative where items went. */
  items: number
  bytes: number
}

export interface ItemTables {
  items: ItemRow
  /** Ids of items that are removed. */
  removed_items: { item_id: string }
  item_texts: ItemTextRow
  item_groups: ItemGroupRow
  ended_links: EndedLinksRow
  item_categories: ItemCategoryRow
  item_counts: ItemCountRow
  coverage_days: CoverageDayRow
  item_count_changes: ItemCountChangeRow
  item_history: RowOf<typeof storedChangeFields>
}
