import { operationRefused } from '../../errors.ts'
import type { AuditDetails, WithAuditDetails } from '../../operations/audit-details.ts'
import type { Call } from '../../operations/call.ts'
import { builtInRoles, isBuiltInRole } from '../privilege.ts'
import type { DirectoryReaders, DirectoryStores, Sessions } from '../store.ts'
import type { User } from '../user.ts'
import { requireAnotherAdministrator, usersPath } from './governing.ts'
import { givePassword, type NewPassword } from './user-operations.ts'

/** What the operator of the server does for users who are locked out: without a caller, by the commands of the program. */

/** The user as changed. */
interface Recovered extends WithAuditDetails {
  readonly user: User
}

type StoresOfUsers = DirectoryStores & { readonly tokens: Sessions }

/** Gives a user a password, and ends all sessions and the limits on sign-in that the account has reached. */
export async function recoverPassword(
  stores: StoresOfUsers,
  _call: Call,
  input: { readonly username: string; readonly password: NewPassword },
): Promise<Recovered> {
  const user = await requireNamed(stores, input.username)
  await givePassword(stores, user, input.password)
  return { user, audit: auditOf(user) }
}

/** Lets a disabled user sign in again. */
export async function recoverEnabled(
  stores: DirectoryStores,
  call: Call,
  input: { readonly username: string },
): Promise<Recovered> {
  const user = await requireNamed(stores, input.username)
  const enabled = { ...user, disabled: false, modifiedAt: call.now }
  await stores.directory.updateUser(enabled)
  return { user: enabled, audit: auditOf(user) }
}

/** Gives a user a role, such as `org_admin` where an organization has no administrator any more. */
export async function recoverRole(
  stores: DirectoryStores,
  call: Call,
  input: { readonly username: string; readonly role: string },
): Promise<Recovered> {
  const { username, role } = input
  const user = await requireNamed(stores, username)
  if (!isBuiltInRole(role) && (await stores.directory.findRole(role))?.portalId !== user.portalId) {
    const roles = Object.keys(builtInRoles).join(', ')
    throw operationRefused(`The role ${role} does not exist; give ${roles}, or the id of a role of the organization.`)
  }
  if (role !== 'org_admin') await requireAnotherAdministrator(stores, user)
  const changed = { ...user, role, modifiedAt: call.now }
  await stores.directory.updateUser(changed)
  return { user: changed, audit: { ...auditOf(user), data: { role } } }
}

async function requireNamed({ directory }: DirectoryReaders, username: string): Promise<User> {
  const user = await directory.findUser(username)
  if (user) return user
  throw operationRefused(`There is no user ${username}; "cartulary user list" lists all of them.`)
}

function auditOf({ username, userId, portalId }: User): AuditDetails {
  return { portalId, target: usersPath([username]), ownerId: userId }
}
