import type { AuditDetails, WithAuditDetails } from '../../call/audit-details.ts'
import type { Call } from '../../call/call.ts'
import { operationRefused } from '../../errors.ts'
import { say } from '../../sentences/say.ts'
import type { DirectoryReaders, DirectoryStores, Sessions } from '../store.ts'
import { findUsernameProblem, newUser, type User } from '../user.ts'
import { auditOfUser, findNamedRole, requireAnotherAdministrator } from './governing.ts'
import { givePassword, type NewPassword } from './user-operations.ts'

/** Operations for users who are locked out: by the server's operator, without a caller, by the commands of the program. */

/** The user as changed. */
interface Recovered extends WithAuditDetails {
  readonly user: User
}

type StoresOfUsers = DirectoryStores & { readonly tokens: Sessions }

/** Gives a user a password, which has to be changed if it is temporary, and ends all sessions and the limits on sign-in that the account has reached. */
export async function recoverPassword(
  stores: StoresOfUsers,
  call: Call,
  input: { readonly username: string; readonly password: NewPassword; readonly isTemporary: boolean },
): Promise<Recovered> {
  const user = await requireNamed(stores, input.username)
  await givePassword(stores, user, input.password, input.isTemporary ? call.now : undefined)
  return { user, audit: auditOf(user) }
}

/** Ends all sessions. */
export async function recoverSessions(
  stores: StoresOfUsers,
  _call: Call,
  input: { readonly username: string },
): Promise<Recovered> {
  const user = await requireNamed(stores, input.username)
  await stores.tokens.removeTokensOf(user.userId)
  return { user, audit: auditOf(user) }
}

/** Lets a user no longer sign in, and ends all sessions; not the last administrator. */
export async function recoverDisabled(
  stores: StoresOfUsers,
  call: Call,
  input: { readonly username: string },
): Promise<Recovered> {
  const user = await requireNamed(stores, input.username)
  await requireAnotherAdministrator(stores, user)
  const disabled = { ...user, disabled: true, modifiedAt: call.now }
  await stores.directory.updateUser(disabled)
  await stores.tokens.removeTokensOf(user.userId)
  return { user: disabled, audit: auditOf(user) }
}

/** Makes a user, whose password has to be changed if it is temporary. */
export async function createUserByOperator(
  stores: DirectoryStores,
  call: Call,
  input: Pick<User, 'userId' | 'username' | 'portalId' | 'role'> & {
    readonly passwordHash: string
    readonly isTemporary: boolean
  },
): Promise<Recovered> {
  const { userId, username, portalId, role, passwordHash, isTemporary } = input
  const problem = findUsernameProblem(username)
  if (problem) throw operationRefused(problem)
  if (await stores.directory.findUser(username)) throw operationRefused(say('usernameTaken', { username }))
  const named = await requireRole(stores, portalId, role)
  const person = { userId, username, fullName: '', firstName: '', lastName: '', email: '', role: named }
  const user = newUser(person, portalId, call.now)
  await stores.directory.addUser(user, passwordHash)
  if (isTemporary) await stores.directory.putPasswordEnd(userId, call.now)
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
  const user = await requireNamed(stores, input.username)
  const role = await requireRole(stores, user.portalId, input.role)
  if (role !== 'org_admin') await requireAnotherAdministrator(stores, user)
  const changed = { ...user, role, modifiedAt: call.now }
  await stores.directory.updateUser(changed)
  return { user: changed, audit: { ...auditOf(user), data: { role } } }
}

/** The id of the role. */
async function requireRole(stores: DirectoryReaders, portalId: string, text: string): Promise<string> {
  const named = await findNamedRole(stores, portalId, text)
  if ('role' in named) return named.role
  throw operationRefused(named.problem)
}

export async function requireNamed({ directory }: DirectoryReaders, username: string): Promise<User> {
  const user = await directory.findUser(username)
  if (user) return user
  throw operationRefused(`There is no user ${username}; "cartulary user list" lists all of them.`)
}

function auditOf(user: User): AuditDetails {
  return { ...auditOfUser(user), portalId: user.portalId }
}
