import { operationRefused, resourceNotFound } from '../errors.ts'
import { accept, type Parsed } from '../input.ts'
import type { Page, Slice } from '../paging.ts'
import { type Call, requirePermission } from './caller.ts'
import { holds, isDefaultAdministrator, mayGiveRole } from './permissions.ts'
import { requireOwnPortal } from './portal-operations.ts'
import type { Privilege } from './privilege.ts'
import type { Role } from './role.ts'
import type { DirectoryStore } from './store.ts'

interface Needs {
  readonly directory: DirectoryStore
}

interface RoleId {
  readonly portalId: string
  readonly roleId: string
}

export async function createRole(
  stores: Needs,
  call: Call,
  input: RoleId & { readonly properties: Parsed<{ readonly name: string; readonly description: string }> },
): Promise<void> {
  const { caller, portal } = await requireOwnPortal(stores, call, input.portalId)
  requirePermission(holds(caller, portal.portalId, 'portal:admin:manageRoles'))
  const { name, description } = accept(input.properties)
  await stores.directory.addRole({
    roleId: input.roleId,
    portalId: portal.portalId,
    name,
    description,
    privileges: [],
    createdAt: call.now,
    modifiedAt: call.now,
  })
}

export async function listRoles(
  stores: Needs,
  call: Call,
  input: { portalId: string; page: Parsed<Page> },
): Promise<Slice<Role> & { readonly page: Page }> {
  const { portal } = await requireOwnPortal(stores, call, input.portalId)
  const page = accept(input.page)
  return { ...(await stores.directory.listRoles(portal.portalId, page)), page }
}

/** Members of an organization see its roles: a custom role's user has that id as `role` (documented). */
export async function readRole(stores: Needs, call: Call, input: RoleId): Promise<Role> {
  const { portal } = await requireOwnPortal(stores, call, input.portalId)
  const role = await stores.directory.findRole(input.roleId)
  if (!role || role.portalId !== portal.portalId) throw resourceNotFound()
  return role
}

/** Default administrators only (documented). Ends what the role's users may no longer do at once. */
export async function setRolePrivileges(
  stores: Needs,
  call: Call,
  input: RoleId & { readonly privileges: Parsed<readonly Privilege[]> },
): Promise<void> {
  const role = await readRole(stores, call, input)
  requirePermission(call.caller !== undefined && isDefaultAdministrator(call.caller, role.portalId))
  await stores.directory.updateRole({ ...role, privileges: accept(input.privileges), modifiedAt: call.now })
}

/** The role, if the caller manages roles and holds all that this one allows. */
async function requireManagedRole(stores: Needs, call: Call, input: RoleId): Promise<Role> {
  const { caller } = await requireOwnPortal(stores, call, input.portalId)
  const role = await readRole(stores, call, input)
  requirePermission(holds(caller, role.portalId, 'portal:admin:manageRoles'))
  requirePermission(mayGiveRole(caller, role.roleId, role.privileges))
  return role
}

export async function updateRole(
  stores: Needs,
  call: Call,
  input: RoleId & {
    readonly change: Parsed<{ readonly name?: string | undefined; readonly description?: string | undefined }>
  },
): Promise<void> {
  const role = await requireManagedRole(stores, call, input)
  const { name, description } = accept(input.change)
  await stores.directory.updateRole({
    ...role,
    name: name ?? role.name,
    description: description ?? role.description,
    modifiedAt: call.now,
  })
}

/** A role that somebody holds is refused (documented). */
export async function deleteRole(stores: Needs, call: Call, input: RoleId): Promise<void> {
  const role = await requireManagedRole(stores, call, input)
  const holders = await stores.directory.countUsersWithRole(role.roleId)
  if (holders > 0)
    throw operationRefused(`The role ${role.name} is held by users (${holders}); give them another one first.`)
  await stores.directory.removeRole(role.roleId)
}
