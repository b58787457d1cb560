import type { CategoryApproval } from '../../../directory/portal.ts'
export interface PortalRow {
  portal_id: string
  name: string
  description: string
  url_key: string
  access: string
  /** Empty if none is set. */
  culture: string
  /** JSON object. */
  category_policy: string
  category_approval: CategoryApproval
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
  /** Empty for a user without a password. */
  password_hash: string
  /** Time from which the password has to be changed at sign-in; null if it does not have to be. */
  password_expires_at: number | null
  created_at: number
  modified_at: number
  last_sign_in_at: number | null
  provider_username: string | null
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
  /** The title in lower case, for sorting: the engines' own functions differ in lower case. */
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
  /** Type of the member that the user becomes. */
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
  /** User who is notified. */
  user_id: string
  type: string
  /** Id of a group, which may be deleted. */
  group_id: string
  group_title: string
  created_at: number
}
