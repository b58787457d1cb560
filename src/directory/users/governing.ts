import { operationRefused } from '../../errors.ts'
import type { AuditDetails } from '../../operations/audit-details.ts'
import { requirePermission } from '../../operations/call.ts'
import type { Caller } from '../caller.ts'
import { mayGiveRole, mayGovernUser } from '../permissions.ts'
import { isBuiltInRole, type Privilege } from '../privilege.ts'
import { privilegesOf, type Role } from '../role.ts'
import type { DirectoryReaders } from '../store.ts'
import type { User } from '../user.ts'

/** Who may change other users, and what has to stay. */

async function findCustomRole(directory: DirectoryReaders['directory'], role: string): Promise<Role | undefined> {
  return isBuiltInRole(role) ? undefined : directory.findRole(role)
}

/** Privileges of the user's role. */
export async function listPrivilegesOf({ directory }: DirectoryReaders, { role }: User): Promise<readonly Privilege[]> {
  return privilegesOf(role, await findCustomRole(directory, role))
}

/** Why the caller may not give this role; undefined if they may. */
export async function findRoleProblem(
  { directory }: DirectoryReaders,
  caller: Caller,
  role: string,
): Promise<string | undefined> {
  const custom = await findCustomRole(directory, role)
  if (!isBuiltInRole(role) && custom?.portalId !== caller.portalId) return `The role ${role} does not exist.`
  if (!mayGiveRole(caller, role, privilegesOf(role, custom))) return `You may not give the role ${role}.`
  return undefined
}

/** Refuses unless the caller may use this privilege on the user. */
export async function requireGoverns(
  stores: DirectoryReaders,
  caller: Caller,
  user: User,
  privilege: Privilege,
): Promise<void> {
  requirePermission(mayGovernUser(caller, user, await listPrivilegesOf(stores, user), privilege))
}

/** Refuses to leave an organization without an enabled default administrator (chosen). */
export async function requireAnotherAdministrator({ directory }: DirectoryReaders, user: User): Promise<void> {
  if (user.role !== 'org_admin' || user.disabled) return
  if ((await directory.countAdministrators(user.portalId)) > 1) return
  throw operationRefused(`${user.username} is the last administrator of the organization.`)
}

/** Audit details of a change of this user. */
export function auditOfUser({ username, userId }: User): AuditDetails {
  return { target: usersPath([username]), ownerId: userId }
}

/** Audit target of these users. */
export function usersPath(usernames: readonly string[]): string {
  return `/community/users/${usernames.join()}`
}
