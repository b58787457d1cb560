import type { Generated } from 'kysely'
import type { PlaceState } from '../../../categories/carried-paths.ts'
import type { draftFields, draftTextFields } from '../../../categories/drafts/draft.ts'
import type { RowOf } from '../../../record.ts'
import type { templateFields } from '../../../schema-files/templates/store.ts'

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

/** Latest version of an owner's schema, and the number of its kept versions. */
export interface CategorySchemaRow {
  owner_kind: string
  owner_id: string
  version: number
  /** 0 after a deletion. */
  is_set: number
  /** Time of the latest version. */
  assigned_at: number
  /** The version whose row has the present document. */
  document_version: number
  /** Checksum of the present document, as in its version; another one where an earlier version of the program wrote it. */
  checksum: number
  kept_versions: number
  /** Organization of the owner; null for a group that was deleted by an earlier version of the program. */
  portal_id: string | null
  /** Time at which the oldest removable version was replaced; null if there is none, or only that of a deleted group. */
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
  /** JSON: the declared moves; `path_moves` has the resulting changes of paths, which are used to undo them. */
  moves: string | null
  path_moves: string | null
  restored_from: number | null
  /** JSON: the draft that it was published from, and who saved and proposed it. */
  draft: string | null
  /** Checksum of the columns that `documents` in checksums.ts lists; null where an earlier version of the program wrote the row. */
  checksum: number | null
}

interface SchemaTemplateRow extends RowOf<typeof templateFields> {
  document: string
  /** Checksum of the document; never null, as every row was written with it. */
  checksum: number | null
}

interface SchemaDraftRow extends RowOf<typeof draftFields>, RowOf<typeof draftTextFields> {
  owner_kind: string
  owner_id: string
  /** Time of a mail that says that it ends. */
  reminded_at: number | null
  /** Checksum of the columns that `documents` in checksums.ts lists; never null, as every row was written with it. */
  checksum: number | null
}

export interface CategoryTables {
  category_paths: CategoryPathRow
  category_schemas: CategorySchemaRow
  category_schema_versions: CategorySchemaVersionRow
  schema_drafts: SchemaDraftRow
  schema_templates: SchemaTemplateRow
}
