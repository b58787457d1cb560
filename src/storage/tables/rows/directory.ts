import type { groupFields } from '../../../directory/group.ts'
import type {
  groupApplicationFields,
  groupInvitationFields,
  notificationFields,
} from '../../../directory/groups/request.ts'
import type { memberFields } from '../../../directory/membership.ts'
import type { portalFields, portalKeyFields } from '../../../directory/portal.ts'
import type { roleFields } from '../../../directory/role.ts'
import type { userFields } from '../../../directory/user.ts'
import type { RowOf } from '../../../record.ts'

interface PortalRow extends RowOf<typeof portalFields>, RowOf<typeof portalKeyFields> {}

export interface UserRow extends RowOf<typeof userFields> {
  /** Lower-case username, unique. */
  username_key: string
  /** Empty for a user without a password. */
  password_hash: string
  /** Time from which the password has to be changed at sign-in; null if it does not have to be. */
  password_expires_at: number | null
}

interface GroupRow extends RowOf<typeof groupFields> {
  /** The title in lower case, for sorting: the engines' own functions differ in lower case. */
  title_key: string
}

export interface MemberRow extends RowOf<typeof memberFields> {
  group_id: string
}

export interface DirectoryTables {
  portals: PortalRow
  users: UserRow
  roles: RowOf<typeof roleFields>
  groups: GroupRow
  members: MemberRow
  group_invitations: RowOf<typeof groupInvitationFields>
  group_applications: RowOf<typeof groupApplicationFields>
  notifications: RowOf<typeof notificationFields>
}
