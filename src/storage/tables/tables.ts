import type { Rows } from './rows.ts'

/** Every table with its primary key, each after the tables that it references. */
export const primaryKeys = {
  portals: ['portal_id'],
  users: ['user_id'],
  roles: ['role_id'],
  groups: ['group_id'],
  members: ['group_id', 'user_id'],
  group_invitations: ['invitation_id'],
  group_applications: ['group_id', 'user_id'],
  notifications: ['notification_id'],
  items: ['id'],
  removed_items: ['item_id'],
  item_texts: ['item_number'],
  item_groups: ['item_number', 'group_id'],
  ended_links: ['group_id', 'owner_id'],
  category_paths: ['id'],
  item_categories: ['category_id', 'item_number'],
  coverage_days: ['owner_kind', 'owner_id', 'day', 'path'],
  oauth_apps: ['client_id'],
  grants: ['grant_id'],
  tokens: ['token_hash'],
  jobs: ['job_id'],
  job_items: ['job_id', 'row'],
  authorization_codes: ['code_hash'],
  refresh_tokens: ['token_hash'],
  app_tokens: ['token_hash'],
  switched_off_apps: ['portal_id', 'client_id'],
  browser_sessions: ['session_hash'],
  consents: ['user_id', 'client_id'],
  user_identities: ['issuer', 'subject'],
  logout_tokens: ['token_hash'],
  one_time_links: ['link_hash'],
  sign_in_failures: ['id'],
  sign_in_addresses: ['user_id', 'address'],
  category_schemas: ['owner_kind', 'owner_id'],
  category_schema_versions: ['owner_kind', 'owner_id', 'version'],
  schema_drafts: ['draft_id'],
  schema_templates: ['portal_id', 'name'],
  collaborations: ['collaboration_id'],
  workspaces: ['workspace_id'],
  participants: ['collaboration_id', 'portal_id'],
  participant_workspaces: ['collaboration_id', 'portal_id', 'workspace_id'],
  invitations: ['invitation_id'],
  invitation_steps: ['invitation_id', 'step'],
  participations: ['portal_id', 'collaboration_id'],
  participation_workspaces: ['portal_id', 'collaboration_id', 'workspace_id'],
  known_keys: ['portal_id', 'signer_portal_id'],
  known_addresses: ['portal_id', 'address', 'signer_portal_id'],
  audit: ['id'],
  item_history: ['entry', 'item_id'],
  webhook_settings: ['portal_id'],
  webhook_revision: ['id'],
  webhooks: ['webhook_id'],
  webhook_deliveries: ['id'],
  webhook_attempts: ['id'],
} as const satisfies { readonly [Name in TableName]: readonly (keyof Rows[Name])[] }

export type TableName = Exclude<keyof Rows, 'item_counts' | 'item_count_changes'>

export const tableNames = Object.keys(primaryKeys) as readonly TableName[]

/** Tables derived from those above: they are never moved, but rebuilt. In SQLite, there are virtual ones beside them. */
export const indexTables = [
  'item_index',
  'group_index',
  'user_index',
  'index_version',
  'inexact_categories',
  'audit_unindexed',
  'audit_steps',
  'owner_tags',
  'item_counts',
  'item_count_changes',
] as const

/** Derived tables that only SQLite has. */
export const indexTablesOfSqlite = ['item_changes'] as const

/** Derived tables that only PostgreSQL has; in SQLite, words are in a virtual table. */
export const indexTablesOfPostgres = ['audit_words', 'owner_tag_changes', 'item_changes'] as const

/** Tables whose ids the database generates. */
export const numberedTables = [
  'items',
  'category_paths',
  'sign_in_failures',
  'audit',
  'webhook_deliveries',
  'webhook_attempts',
] as const satisfies readonly TableName[]
