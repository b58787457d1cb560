import type { Generated } from 'kysely'
import type { PlaceState } from '../../categories/carried-paths.ts'

/** Tables as both engines have them: texts, numbers, and 0 or 1 for booleans. Times are epoch milliseconds. */
export interface Rows {
  portals: PortalRow
  users: UserRow
  roles: RoleRow
  groups: GroupRow
  members: MemberRow
  group_invitations: GroupInvitationRow
  group_applications: GroupApplicationRow
  notifications: NotificationRow
  items: ItemRow
  removed_items: RemovedItemRow
  item_texts: ItemTextRow
  item_groups: ItemGroupRow
  ended_links: EndedLinksRow
  category_paths: CategoryPathRow
  item_categories: ItemCategoryRow
  item_counts: ItemCountRow
  tokens: TokenRow
  sign_in_failures: SignInFailureRow
  sign_in_addresses: SignInAddressRow
  category_schemas: CategorySchemaRow
  category_schema_versions: CategorySchemaVersionRow
  schema_usage: SchemaUsageRow
  collaborations: CollaborationRow
  workspaces: WorkspaceRow
  participants: ParticipantRow
  participant_workspaces: ParticipantWorkspaceRow
  invitations: InvitationRow
  invitation_steps: InvitationStepRow
  participations: ParticipationRow
  participation_workspaces: ParticipationWorkspaceRow
  known_keys: KnownKeyRow
  audit: AuditRow
}

/** Tables that follow from the others: they are never moved, but made anew. */
export interface IndexRows {
  item_index: ItemIndexRow
  group_index: GroupIndexRow
  user_index: UserIndexRow
}

/** The index of the audit, which follows from it, too. */
export type AuditIndexRows = {
  audit_terms: AuditTermRow
  audit_blocks: AuditBlockRow
}

/** The entries of one block of the audit that are found under a term. */
export interface AuditTermRow {
  portal_id: string
  term: string
  block: number
  /** As `encodePositions` has them. */
  positions: Uint8Array
}

/** A block of the audit whose entries are in the index. */
export interface AuditBlockRow {
  block: number
  /** Of its entries. */
  first_at: number
  last_at: number
}

/** What the search has of an item; its words are in another table of SQLite, and in a column of PostgreSQL. */
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

export interface GroupIndexRow extends IndexRow {
  group_id: string
}

export interface UserIndexRow extends IndexRow {
  user_id: string
}

interface IndexRow {
  number: number
  /** Of everything that the index has of the record. */
  digest: string
  /** JSON array: codes of fields with whole folded values. */
  keywords: string
}

export interface PortalRow {
  portal_id: string
  name: string
  description: string
  url_key: string
  access: string
  public_key: string
  sealed_private_key: string
  created_at: number
  modified_at: number
}

export interface UserRow {
  user_id: string
  username: string
  /** Lower-case username, unique. */
  username_key: string
  portal_id: string
  full_name: string
  first_name: string
  last_name: string
  email: string
  description: string
  /** JSON array of strings. */
  tags: string
  culture: string
  region: string
  units: string
  access: string
  role: string
  disabled: number
  password_hash: string
  created_at: number
  modified_at: number
  last_sign_in_at: number | null
}

export interface RoleRow {
  role_id: string
  portal_id: string
  name: string
  description: string
  /** JSON array of strings. */
  privileges: string
  created_at: number
  modified_at: number
}

export interface GroupRow {
  group_id: string
  portal_id: string
  owner_id: string
  title: string
  description: string
  snippet: string
  /** JSON array of strings. */
  tags: string
  /** The title in lower case, for sorting: the engines' own functions differ in what lower case is. */
  title_key: string
  access: string
  sort_field: string
  sort_order: string
  is_view_only: number
  is_invitation_only: number
  auto_join: number
  is_protected: number
  created_at: number
  modified_at: number
  /** Whether its members may update the items that are shared with it. */
  gives_item_control: number
  is_leaving_disallowed: number
  hides_members: number
  membership_access: string
  shown_item_types: string
  phone: string
}

export interface MemberRow {
  group_id: string
  user_id: string
  member_type: string
  joined_at: number
}

/** An open invitation; at most one for a group and a user. */
export interface GroupInvitationRow {
  invitation_id: string
  group_id: string
  user_id: string
  inviter_id: string
  /** What the user becomes. */
  member_type: string
  created_at: number
  expires_at: number
}

/** An open request to join. */
export interface GroupApplicationRow {
  group_id: string
  user_id: string
  created_at: number
}

export interface NotificationRow {
  notification_id: string
  /** Who is notified. */
  user_id: string
  type: string
  /** The group may be deleted. */
  group_id: string
  group_title: string
  created_at: number
}

export interface ItemRow {
  /** What the tables of items refer to. */
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
  /** All of the extent in degrees, or none. */
  west: number | null
  south: number | null
  east: number | null
  north: number | null
  /** JSON object. */
  properties: string | null
}

/** The id of an item that is removed. */
export interface RemovedItemRow {
  item_id: string
}

export interface ItemTextRow {
  item_number: number
  text: string
}

/** The group may be removed: see EndedLinksRow. */
export interface ItemGroupRow {
  item_number: number
  group_id: string
  gives_control: number
}

/** Links that have ended, as far as they are still there. */
export interface EndedLinksRow {
  group_id: string
  /** Owner of their items; empty for all links of a group that is removed. */
  owner_id: string
  /** Of items with numbers up to this one, no link is left. */
  after_item: number
}

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

/** A category that an item carries itself. */
export interface ItemCategoryRow {
  category_id: number
  item_number: number
  /** From 0, in the order in which they were assigned; several categories of one path have the same. */
  position: number
}

export interface TokenRow {
  token_hash: string
  user_id: string
  created_at: number
  expires_at: number
}

export interface SignInFailureRow {
  id: Generated<number>
  /** Keyed digest of the username. */
  account_key: string
  /** As `addressKey` has it. */
  address: string
  is_cross_site: number
  /** Null unless it was cross-site. */
  origin: string | null
  failed_at: number
}

/** An address from which a user has signed in. */
export interface SignInAddressRow {
  user_id: string
  /** As `addressKey` has it. */
  address: string
  /** The last time. */
  signed_in_at: number
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
  /** Of the present document: documents with different ones differ. */
  checksum: number
  kept_versions: number
  /** Of all kept documents, comments and moves, in UTF-8. */
  kept_bytes: number
  /** Organization of a group that is deleted; null if the group exists. */
  former_portal_id: string | null
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
}

/** How many items a user owns, and how many an organization has, as counted by housekeeping. */
export interface ItemCountRow {
  owner_kind: 'user' | 'portal'
  owner_id: string
  items: number
}

/** What is kept of the category schemas of an organization and its groups, as counted by housekeeping. */
export interface SchemaUsageRow {
  portal_id: string
  versions: number
  bytes: number
}

export interface CollaborationRow {
  collaboration_id: string
  host_portal_id: string
  name: string
  description: string
  contact_first_name: string
  contact_last_name: string
  contact_email: string
  config: string
  created_at: number
  modified_at: number
}

export interface WorkspaceRow {
  workspace_id: string
  collaboration_id: string
  name: string
  description: string
  created_at: number
  modified_at: number
}

export interface ParticipantRow {
  collaboration_id: string
  portal_id: string
  portal_name: string
  portal_url: string
  role: string
  contact_first_name: string
  contact_last_name: string
  contact_email: string
  created_at: number
  modified_at: number
}

export interface ParticipantWorkspaceRow {
  collaboration_id: string
  portal_id: string
  workspace_id: string
  access_mode: string
  group_id: string | null
}

export interface InvitationRow {
  invitation_id: string
  collaboration_id: string
  host_portal_id: string
  guest_portal_id: string | null
  guest_portal_url: string
  state: string
  /** JSON array of workspace ids with access modes. */
  workspaces: string
  file: string
  /** SHA-256 of the file, in lower-case hex. */
  digest: string
  file_name: string
  /** Number of changes, compared by compare-and-set. */
  revision: number
  created_at: number
  modified_at: number
  expires_at: number
}

export interface InvitationStepRow {
  invitation_id: string
  /** From 1. */
  step: number
  event: string
  from_state: string | null
  to_state: string
  username: string
  happened_at: number
}

/** A collaboration of another portal, as stored by its guest. */
export interface ParticipationRow {
  portal_id: string
  /** The id on this server, mostly the host's own. */
  collaboration_id: string
  host_collaboration_id: string
  name: string
  description: string
  host_portal_id: string
  host_portal_name: string
  host_portal_url: string
  host_first_name: string
  host_last_name: string
  host_email: string
  host_fingerprint: string
  guest_first_name: string
  guest_last_name: string
  guest_email: string
  guest_portal_url: string
  invitation_id: string
  invitation_digest: string
  created_at: number
  modified_at: number
}

export interface ParticipationWorkspaceRow {
  portal_id: string
  collaboration_id: string
  workspace_id: string
  /** Order in the invitation, from 0. */
  position: number
  name: string
  description: string
  access_mode: string
  group_id: string | null
}

/** The key by which an organization knows another portal. */
export interface KnownKeyRow {
  portal_id: string
  signer_portal_id: string
  fingerprint: string
  known_since: number
}

export interface AuditRow {
  id: Generated<number>
  happened_at: number
  username: string | null
  portal_id: string | null
  address: string
  operation: string
  target: string
  outcome: number
  request_id: string
  owner_id: string | null
  /** JSON object. */
  data: string | null
}
