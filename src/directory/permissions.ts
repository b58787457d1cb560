import type { Caller } from '../call/caller.ts'
import { isAdministrative, type Privilege } from '../call/privilege.ts'
import type { GroupOutline, GroupProperties } from './group.ts'
import { isOwnerOrManager, type MemberType } from './membership.ts'
import type { Portal } from './portal.ts'
import type { User } from './user.ts'

/** Permissions, as pure functions of the caller and the resource. */

/** A default administrator holds the built-in role; a custom role with every privilege is still not one. */
export function isDefaultAdministrator(caller: Pick<Caller, 'portalId' | 'role'>, portalId: string): boolean {
  return caller.portalId === portalId && caller.role === 'org_admin'
}

/** Privileges are limited to the caller's own organization. */
export function holds(caller: Caller, portalId: string, privilege: Privilege): boolean {
  return caller.portalId === portalId && caller.privileges.has(privilege)
}

/** A portal is seen by its members; a public one by anyone. */
export function canViewPortal(caller: Caller | undefined, portal: Portal): boolean {
  return portal.access === 'public' || caller?.portalId === portal.portalId
}

/** Administrators see every group of their organization (contract §1). */
export function canViewGroup(
  caller: Caller | undefined,
  group: GroupOutline,
  memberType: MemberType | undefined,
): boolean {
  if (group.access === 'public' || memberType) return true
  if (!caller || caller.portalId !== group.portalId) return false
  if (holds(caller, group.portalId, 'portal:admin:viewGroups')) return true
  return group.access === 'org' && caller.privileges.has('portal:user:viewOrgGroups')
}

/** Whether it is the owner or a manager of the group; not administrators of the organization (description §4.1). */
export function mayManageCategories(memberType: MemberType | undefined): boolean {
  return isOwnerOrManager(memberType)
}

/** Default administrators, and custom roles with the privilege (description §4.2; its name documented). */
export function mayAssignPortalSchema(caller: Caller, portalId: string): boolean {
  return holds(caller, portalId, 'portal:admin:updateItemCategorySchema')
}

/** Default administrators only: the privilege to assign is not enough (description §4.3). */
export function mayDeletePortalSchema(caller: Caller, portalId: string): boolean {
  return isDefaultAdministrator(caller, portalId)
}

/** Owner, managers, and callers who may update any group of the organization. */
export function mayUpdateGroup(caller: Caller, group: GroupOutline, memberType: MemberType | undefined): boolean {
  return isOwnerOrManager(memberType) || holds(caller, group.portalId, 'portal:admin:updateGroups')
}

/** The owner, and callers who may delete any group of the organization. */
export function mayDeleteGroup(caller: Caller, group: GroupOutline, memberType: MemberType | undefined): boolean {
  return memberType === 'owner' || holds(caller, group.portalId, 'portal:admin:deleteGroups')
}

/** The owner, and callers who may reassign any group of the organization. */
export function mayReassignGroup(caller: Caller, group: GroupOutline, memberType: MemberType | undefined): boolean {
  return memberType === 'owner' || holds(caller, group.portalId, 'portal:admin:reassignGroups')
}

/** Owner, managers, and callers who may assign members of the organization to its groups. */
export function mayAddMembers(caller: Caller, group: GroupOutline, memberType: MemberType | undefined): boolean {
  return isOwnerOrManager(memberType) || holds(caller, group.portalId, 'portal:admin:assignToGroups')
}

/**
 * Members of the group, or only its owner and managers where it hides them; and callers who may view any group of the
 * organization.
 */
export function canViewMembers(caller: Caller, group: GroupOutline, memberType: MemberType | undefined): boolean {
  const isShown = group.hidesMembers ? isOwnerOrManager(memberType) : memberType !== undefined
  return isShown || holds(caller, group.portalId, 'portal:admin:viewGroups')
}

/** The privilege that the caller lacks to give a group what `change` gives it; undefined for none (documented). */
export function findPrivilegeToGive(
  { privileges }: Caller,
  group: GroupRules,
  change: Partial<GroupRules>,
): Privilege | undefined {
  const given = { ...group, ...change }
  const isGiven = (name: 'givesItemControl' | 'isLeavingDisallowed') => given[name] && !group[name]
  const opensMembership = given.membershipAccess !== 'org' && given.membershipAccess !== group.membershipAccess
  const needed: readonly (Privilege | false)[] = [
    given.access === 'org' && group.access !== 'org' && 'portal:user:shareGroupToOrg',
    given.access === 'public' && group.access !== 'public' && 'portal:user:shareGroupToPublic',
    isGiven('givesItemControl') && 'portal:admin:createUpdateCapableGroup',
    isGiven('isLeavingDisallowed') && 'portal:admin:createLeavingDisallowedGroup',
    opensMembership && 'portal:user:addExternalMembersToGroup',
  ]
  return needed.filter((privilege) => privilege !== false).find((privilege) => !privileges.has(privilege))
}

/** Properties of a group that take a privilege. */
type GroupRules = Pick<GroupProperties, 'access' | 'givesItemControl' | 'isLeavingDisallowed' | 'membershipAccess'>

/**
 * A public profile is seen by anyone, one of access `org` by members with the privilege to view users, a private one only
 * by its user and administrators (documented).
 */
export function canViewUser(caller: Caller | undefined, user: User): boolean {
  if (user.access === 'public' || canViewPersonalDetails(caller, user)) return true
  if (!caller || caller.portalId !== user.portalId) return false
  return user.access === 'org' && canViewUsers(caller)
}

/** E-mail address, privileges and the like: for the user and administrators (documented). */
export function canViewPersonalDetails(caller: Caller | undefined, user: User): boolean {
  if (!caller) return false
  return caller.userId === user.userId || holds(caller, user.portalId, 'portal:admin:viewUsers')
}

export function canViewUsers(caller: Caller): boolean {
  return caller.privileges.has('portal:user:viewOrgUsers') || caller.privileges.has('portal:admin:viewUsers')
}

export function mayUpdateUser(caller: Caller, user: User, held: readonly Privilege[]): boolean {
  return caller.userId === user.userId || mayGovernUser(caller, user, held, 'portal:admin:updateUsers')
}

/**
 * A privilege over users must not reach those who administer more than the caller: users are governed by callers who hold
 * all of their administrative privileges. What users and publishers may do does not count (chosen). `held` are the
 * privileges of the user's role.
 */
export function mayGovernUser(caller: Caller, user: User, held: readonly Privilege[], privilege: Privilege): boolean {
  return holds(caller, user.portalId, privilege) && mayGiveRole(caller, user.role, held.filter(isAdministrative))
}

/** A default administrator gives the role of one; any other caller only roles with privileges they hold (chosen). */
export function mayGiveRole(caller: Caller, role: string, privileges: readonly Privilege[]): boolean {
  if (caller.role === 'org_admin') return true
  return role !== 'org_admin' && privileges.every((privilege) => caller.privileges.has(privilege))
}
