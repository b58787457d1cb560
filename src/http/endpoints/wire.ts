import type { Group } from '../../directory/group.ts'
import type { MemberType } from '../../directory/membership.ts'
import { isBuiltInRole, type Privilege } from '../../directory/privilege.ts'
import type { ListedUser, UserView } from '../../directory/user-view.ts'

/** Groups and users as the public API writes them. */

export function groupToWire(group: Group, username: string | undefined, memberType: MemberType | undefined): object {
  return {
    id: group.groupId,
    title: group.title,
    isInvitationOnly: group.isInvitationOnly,
    owner: group.ownerUsername,
    description: group.description,
    snippet: group.snippet,
    tags: group.tags,
    phone: null,
    sortField: group.sortField,
    sortOrder: group.sortOrder,
    isViewOnly: group.isViewOnly,
    thumbnail: null,
    created: group.createdAt,
    modified: group.modifiedAt,
    access: group.access,
    capabilities: [],
    protected: group.isProtected,
    autoJoin: group.autoJoin,
    hasCategorySchema: group.hasCategorySchema,
    orgId: group.portalId,
    collaborationInfo: {},
    userMembership: { username: username ?? '', memberType: memberType ?? 'none', applications: 0 },
  }
}

/** Privileges, the e-mail address and the like are personal: for the user and administrators only (documented). */
export function userToWire({ user, isConfidant }: ListedUser, privileges?: readonly Privilege[]): object {
  return {
    username: user.username,
    id: user.userId,
    fullName: user.fullName,
    firstName: user.firstName,
    lastName: user.lastName,
    description: user.description,
    ...(isConfidant ? { email: user.email } : {}),
    orgId: user.portalId,
    role: user.role,
    // Clients take a user with a roleId for one with a custom role, however built-in the role is (observed).
    ...(isBuiltInRole(user.role) ? {} : { roleId: user.role }),
    ...(isConfidant && privileges ? { privileges } : {}),
    access: user.access,
    ...(isConfidant ? { disabled: user.disabled } : {}),
    created: user.createdAt,
    modified: user.modifiedAt,
    ...(isConfidant ? { lastLogin: user.lastSignInAt ?? -1 } : {}),
  }
}

export function userViewToWire({ user, isConfidant, privileges, groups = [] }: UserView): object {
  return {
    ...userToWire({ user, isConfidant }, privileges),
    groups: groups.map(({ group, memberType }) => groupToWire(group, user.username, memberType)),
  }
}
