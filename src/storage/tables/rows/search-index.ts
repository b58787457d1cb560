import type { Generated } from 'kysely'

/** An item in the index of the search; its words are in another table of SQLite, and in a column of PostgreSQL. */
export interface ItemIndexRow extends IndexRow {
  item_id: string
  created_at: number
  modified_at: number
  access: string
  type: string
  /** Folded, for sorting. */
  type_key: string
  /** JSON array of strings that fold to different ones. */
  tags: string
  /** Numbers of the categories that the item carries itself, with commas between them. */
  categories: string
}

/** A written or removed row of the index; later changes have higher ids, without gaps. Only in SQLite. */
export interface ItemChangeRow {
  id: Generated<number>
  number: number
}

interface GroupIndexRow extends IndexRow {
  group_id: string
}

interface UserIndexRow extends IndexRow {
  user_id: string
}

interface IndexRow {
  number: number
  /** Digest of the compared parts of the record (`digestOfRecord`). */
  digest: string
  /** JSON array: codes of fields with whole folded values. */
  keywords: string
}

/** Tables derived from the others: they are never moved, but rebuilt. */
export interface IndexRows {
  item_index: ItemIndexRow
  group_index: GroupIndexRow
  user_index: UserIndexRow
}
