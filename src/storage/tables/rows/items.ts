import type { Generated } from 'kysely'

export interface ItemRow {
  /** Number by which other tables refer to the item. */
  id: Generated<number>
  item_id: string
  portal_id: string
  owner_id: string
  level: string
  /** The level, or `shared` where that is private and a group has the item. */
  access: string
  is_protected: number
  /** Bytes of its data in UTF-8. */
  size: number
  /** Bytes that count for its owner and its organization. */
  bytes: number
  created_at: number
  modified_at: number
  title: string
  /** Folded, for sorting. */
  title_key: string
  type: string
  /** JSON array of strings. */
  type_keywords: string
  /** JSON array of strings. */
  tags: string
  culture: string
  spatial_reference: string
  url: string
  snippet: string
  access_information: string
  documentation: string
  license_info: string
  description: string
  /** Extent in degrees: all four bounds are set, or none. */
  west: number | null
  south: number | null
  east: number | null
  north: number | null
  /** JSON object. */
  properties: string | null
  /** Checksum of the columns that `documents` in checksums.ts lists; null where an earlier version of the program wrote the row. */
  checksum: number | null
}

/** The id of an item that is removed. */
export interface RemovedItemRow {
  item_id: string
}

export interface ItemTextRow {
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
export interface CoverageDayRow {
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
export interface ItemCountChangeRow {
  id: Generated<number>
  owner_id: string
  /** Both are negative where items went. */
  items: number
  bytes: number
}

/** Change of an item, beside the entry of the log that it belongs to. */
export interface ItemHistoryRow {
  /** Number of the entry. */
  entry: number
  item_id: string
  portal_id: string
  /** Job that it is a part of. */
  run_id: string | null
  /** JSON object. */
  change: string
  /** Time at which it was undone. */
  reverted_at: number | null
}
