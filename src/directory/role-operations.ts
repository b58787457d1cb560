import type { WithAuditDetails } from '../call/audit-details.ts'
import { type Call, requirePermission } from '../call/call.ts'
import { type Parsed, unwrapParsed } from '../call/parsed.ts'
import type { Privilege } from '../call/privilege.ts'
import { operationRefused, resourceNotFound } from '../errors.ts'
import type { Page, Slice } from '../paging.ts'
import { say } from '../sentences/say.ts'
import { isDefaultAdministrator, mayGiveRole } from './permissions.ts'
import { requireOwnPortal, requirePrivilege } from './portal-operations.ts'
import { findRoleNameProblem, type Role } from './role.ts'
import type { DirectoryReaders, DirectoryStores } from './store.ts'

interface RoleId {
  readonly portalId: string
  readonly roleId: string
}

export async function createRole(
  stores: DirectoryStores,
  call: Call,
  input: RoleId & { readonly properties: Parsed<{ readonly name: string; readonly description: string }> },
): Promise<WithAuditDetails> {
  const { caller, portal } = await requireOwnPortal(stores, call, input.portalId)
  requirePrivilege(caller, portal.portalId, 'portal:admin:manageRoles')
  const { name, description } = unwrapParsed(input.properties)
  await requireFreeName(stores, { portalId: portal.portalId, roleId: input.roleId }, name)
  await stores.directory.addRole({
    roleId: input.roleId,
    portalId: portal.portalId,
    name,
    description,
    privileges: [],
    createdAt: call.now,
    modifiedAt: call.now,
  })
  return { audit: { target: `/portals/${portal.portalId}/roles/${input.roleId}` } }
}

export async function listRoles(
  stores: DirectoryReaders,
  call: Call,
  input: { portalId: string; page: Parsed<Page> },
): Promise<Slice<Role> & { readonly page: Page }> {
  const { portal } = await requireOwnPortal(stores, call, input.portalId)
  const page = unwrapParsed(input.page)
  return { ...(await stores.directory.listRoles(portal.portalId, page)), page }
}

/** Members of an organization see its roles: a custom role's user has that id as `role` (documented). */
export async function readRole(stores: DirectoryReaders, call: Call, input: RoleId): Promise<Role> {
  const { portal } = await requireOwnPortal(stores, call, input.portalId)
  const role = await stores.directory.findRole(input.roleId)
  if (!role || role.portalId !== portal.portalId) throw resourceNotFound()
  return role
}

/** The privileges of a role. */
export async function readRolePrivileges(
  stores: DirectoryReaders,
  call: Call,
  input: RoleId,
): Promise<Pick<Role, 'roleId' | 'privileges'>> {
  return readRole(stores, call, input)
}

/** Default administrators only (documented). Takes effect immediately for users with the role. */
export async function setRolePrivileges(
  stores: DirectoryStores,
  call: Call,
  input: RoleId & { readonly privileges: Parsed<readonly Privilege[]> },
): Promise<void> {
  const role = await readRole(stores, call, input)
  requirePermission(call.caller !== undefined && isDefaultAdministrator(call.caller, role.portalId))
  await stores.directory.updateRole({ ...role, privileges: unwrapParsed(input.privileges), modifiedAt: call.now })
}

/** The role, if the caller manages roles and holds all of its privileges. */
async function requireManagedRole(stores: DirectoryReaders, call: Call, input: RoleId): Promise<Role> {
  const { caller } = await requireOwnPortal(stores, call, input.portalId)
  const role = await readRole(stores, call, input)
  requirePrivilege(caller, role.portalId, 'portal:admin:manageRoles')
  requirePermission(mayGiveRole(caller, role.roleId, role.privileges))
  return role
}

export async function updateRole(
  stores: DirectoryStores,
  call: Call,
  input: RoleId & {
    readonly change: Parsed<Partial<Pick<Role, 'name' | 'description'>>>
  },
): Promise<void> {
  const role = await requireManagedRole(stores, call, input)
  const { name = role.name, ...change } = unwrapParsed(input.change)
  // A role that was called so before keeps its name.
  if (name !== role.name) await requireFreeName(stores, role, name)
  await stores.directory.updateRole({ ...role, ...change, name, modifiedAt: call.now })
}

async function requireFreeName(
  { directory }: DirectoryReaders,
  { portalId, roleId }: RoleId,
  name: string,
): Promise<void> {
  const others = (await directory.listRoleNames(portalId)).filter((role) => role.roleId !== roleId)
  const problem = findRoleNameProblem(
    name,
    others.map((role) => role.name),
  )
  if (problem) throw operationRefused(`name: ${problem}`)
}

/** A role that users have cannot be deleted (documented). */
export async function deleteRole(stores: DirectoryStores, call: Call, input: RoleId): Promise<void> {
  const role = await requireManagedRole(stores, call, input)
  const holders = await stores.directory.countUsersWithRole(role.roleId)
  if (holders > 0) throw operationRefused(say('roleHeld', { role: role.name, holders }))
  await stores.directory.removeRole(role.roleId)
}
