import type { Generated } from 'kysely'
import type { PlaceState } from '../../../categories/carried-paths.ts'

/** A category that items carry, or that is above one, with its present path. It stays when the schema loses it. */
export interface CategoryPathRow {
  id: Generated<number>
  owner_kind: string
  owner_id: string
  path: string
  /** Folded, for the search. */
  path_key: string
  /** 1 for a tree. */
  depth: number
  /** Null for a tree. */
  parent_id: number | null
  /** `primary`, of which there is at most one for a path, `merged` into it, or `cleared`, which hides it. */
  state: PlaceState
}

/** The latest version of an owner's schema, and what is kept of all its versions. */
export interface CategorySchemaRow {
  owner_kind: string
  owner_id: string
  version: number
  /** 0 after a deletion. */
  is_set: number
  /** Of the latest version. */
  assigned_at: number
  /** The version whose row has the present document. */
  document_version: number
  /** Of the present document, as its version has it; another one where an earlier version of the program has written it. */
  checksum: number
  kept_versions: number
  /** Of all kept documents, comments and moves, in UTF-8. */
  kept_bytes: number
  /** Organization of the owner; null for a group that was deleted by an earlier version of the program. */
  portal_id: string | null
  /** When the oldest version was replaced that can be removed; null if there is none but that of a deleted group. */
  removable_since: number | null
  /** Null if the group exists. */
  group_deleted_at: number | null
}

export interface CategorySchemaVersionRow {
  owner_kind: string
  owner_id: string
  version: number
  /** Null where the version is a deletion, and where `same_as` has the version with the same document. */
  document: string | null
  author: string
  assigned_at: number
  same_as: number | null
  /** Null in versions of earlier tables, and in deletions. */
  trees: number | null
  categories: number | null
  /** Null where the version was simply assigned or deleted. */
  action: 'assign' | 'delete' | 'restore' | 'import' | null
  comment: string | null
  /** JSON: the moves that were declared, and what undoes them. */
  moves: string | null
  path_moves: string | null
  restored_from: number | null
  /** Of what `documents` in checksums.ts names; null where an earlier version of the program has written the row. */
  checksum: number | null
}

/** What is kept of the category schemas of an organization and its groups, deleted ones included. */
export interface SchemaUsageRow {
  portal_id: string
  versions: number
  bytes: number
}

/** What is not yet summed up in the row of an organization; negative where versions were removed. */
export interface SchemaUsageChangeRow extends SchemaUsageRow {
  id: Generated<number>
}
