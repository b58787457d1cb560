import type { AuditRow, AuditStepRow, AuditUnindexedRow, AuditWordsRow } from './rows/audit.ts'
import type {
  CategoryPathRow,
  CategorySchemaRow,
  CategorySchemaVersionRow,
  SchemaDraftRow,
  SchemaTemplateRow,
} from './rows/categories.ts'
import type {
  CollaborationRow,
  InvitationRow,
  InvitationStepRow,
  KnownAddressRow,
  KnownKeyRow,
  ParticipantRow,
  ParticipantWorkspaceRow,
  ParticipationRow,
  ParticipationWorkspaceRow,
  WorkspaceRow,
} from './rows/collaborations.ts'
import type {
  GroupApplicationRow,
  GroupInvitationRow,
  GroupRow,
  MemberRow,
  NotificationRow,
  PortalRow,
  RoleRow,
  UserRow,
} from './rows/directory.ts'
import type {
  CoverageDayRow,
  EndedLinksRow,
  ItemCategoryRow,
  ItemCountChangeRow,
  ItemCountRow,
  ItemGroupRow,
  ItemHistoryRow,
  ItemRow,
  ItemTextRow,
  RemovedItemRow,
} from './rows/items.ts'
import type { JobItemRow, JobRow } from './rows/jobs.ts'
import type {
  AppTokenRow,
  AuthorizationCodeRow,
  BrowserSessionRow,
  ConsentRow,
  GrantRow,
  LogoutTokenRow,
  OAuthAppRow,
  OneTimeLinkRow,
  RefreshTokenRow,
  SwitchedOffAppRow,
  UserIdentityRow,
} from './rows/oauth.ts'
import type { GroupIndexRow, ItemIndexRow, UserIndexRow } from './rows/search-index.ts'
import type { SignInAddressRow, SignInFailureRow, TokenRow } from './rows/tokens.ts'

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
  coverage_days: CoverageDayRow
  item_count_changes: ItemCountChangeRow
  tokens: TokenRow
  jobs: JobRow
  job_items: JobItemRow
  sign_in_failures: SignInFailureRow
  sign_in_addresses: SignInAddressRow
  category_schemas: CategorySchemaRow
  category_schema_versions: CategorySchemaVersionRow
  schema_drafts: SchemaDraftRow
  schema_templates: SchemaTemplateRow
  collaborations: CollaborationRow
  workspaces: WorkspaceRow
  participants: ParticipantRow
  participant_workspaces: ParticipantWorkspaceRow
  invitations: InvitationRow
  invitation_steps: InvitationStepRow
  participations: ParticipationRow
  participation_workspaces: ParticipationWorkspaceRow
  known_keys: KnownKeyRow
  known_addresses: KnownAddressRow
  oauth_apps: OAuthAppRow
  grants: GrantRow
  authorization_codes: AuthorizationCodeRow
  refresh_tokens: RefreshTokenRow
  app_tokens: AppTokenRow
  switched_off_apps: SwitchedOffAppRow
  browser_sessions: BrowserSessionRow
  consents: ConsentRow
  user_identities: UserIdentityRow
  logout_tokens: LogoutTokenRow
  one_time_links: OneTimeLinkRow
  audit: AuditRow
  item_history: ItemHistoryRow
}

/** Tables derived from the others: they are never moved, but rebuilt. */
export interface IndexRows {
  item_index: ItemIndexRow
  group_index: GroupIndexRow
  user_index: UserIndexRow
}

/** Tables of the index of the log, which are derived from the audit. */
export type AuditIndexRows = {
  audit_unindexed: AuditUnindexedRow
  audit_steps: AuditStepRow
  audit_words: AuditWordsRow
}
