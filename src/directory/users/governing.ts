import type { AuditDetails } from '../../call/audit-details.ts'
import { requirePermission } from '../../call/call.ts'
import type { Caller } from '../../call/caller.ts'
import { isBuiltInRole, type Privilege } from '../../call/privilege.ts'
import { operationRefused } from '../../errors.ts'
import { say } from '../../sentences/say.ts'
import { mayGiveRole, mayGovernUser } from '../permissions.ts'
import { privilegesOf, type Role, unknownRole } from '../role.ts'
import type { DirectoryReaders } from '../store.ts'
import type { User } from '../user.ts'

/** Who may change other users, and what has to stay. */

/**
 * The role that a text names: a built-in one, or a custom one of the organization by its id, or by its name where no other role
 * has that name (chosen).
 */
export async function findNamedRole(
  { directory }: DirectoryReaders,
  portalId: string,
  text: string,
): Promise<{ readonly role: string; readonly custom?: Role } | { readonly problem: string }> {
  if (isBuiltInRole(text)) return { role: text }
  const identified = await directory.findRole(text)
  if (identified?.portalId === portalId) return { role: text, custom: identified }
  const roles = await directory.listRoleNames(portalId)
  const [named, another] = roles.filter(({ name }) => name === text)
  const names = roles.map(({ name }) => name)
  if (named === undefined) return { problem: unknownRole(text, names) }
  if (another !== undefined) return { problem: say('roleAmbiguous', { role: text }) }
  const custom = await directory.findRole(named.roleId)
  return { role: named.roleId, ...(custom && { custom }) }
}

async function findCustomRole(directory: DirectoryReaders['directory'], role: string): Promise<Role | undefined> {
  return isBuiltInRole(role) ? undefined : directory.findRole(role)
}

/** Privileges of the user's role. */
export async function listPrivilegesOf({ directory }: DirectoryReaders, { role }: User): Promise<readonly Privilege[]> {
  return privilegesOf(role, await findCustomRole(directory, role))
}

/** The role that a text names, or why the caller may not give it. */
export async function findRoleToGive(
  stores: DirectoryReaders,
  caller: Caller,
  text: string,
): Promise<{ readonly role: string } | { readonly problem: string }> {
  const named = await findNamedRole(stores, caller.portalId, text)
  if ('problem' in named) return named
  const { role, custom } = named
  return mayGiveRole(caller, role, privilegesOf(role, custom))
    ? { role }
    : { problem: say('roleNotGiven', { role: text }) }
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
  throw operationRefused(say('lastAdministrator', { username: user.username }))
}

/** Audit details of a change of this user. */
export function auditOfUser({ username, userId }: User): AuditDetails {
  return { target: usersPath([username]), ownerId: userId }
}

/** Audit target of these users. */
export function usersPath(usernames: readonly string[]): string {
  return `/community/users/${usernames.join()}`
}
