import { operationRefused, resourceNotFound } from '../../errors.ts'
import type { WithAuditDetails } from '../../operations/audit-details.ts'
import { type Call, requirePermission } from '../../operations/call.ts'
import type { Page, Slice } from '../../paging.ts'
import { type Parsed, unwrapParsed } from '../../parsed.ts'
import type { Caller } from '../caller.ts'
import {
  holds,
  isDefaultAdministrator,
  mayGiveRole,
  mayGovernUser,
  mayUpdateUser,
  seesPersonalDetails,
  seesUsers,
} from '../permissions.ts'
import { requireOwnPortal } from '../portal-operations.ts'
import { isBuiltInRole, type Privilege } from '../privilege.ts'
import { privilegesOf, type Role } from '../role.ts'
import type { DirectoryReaders, DirectoryStores, Sessions } from '../store.ts'
import { findPasswordProblem, findUsernameProblem, newUser, type User } from '../user.ts'
import { requireUser, requireVisibleUser } from './named-user.ts'
import { type ListedUser, type UserView, viewCaller, viewUser } from './user-view.ts'

/** The caller; 499 for an anonymous one, as a client would otherwise take a wrong password for success (observed). */
export async function readSelf(stores: DirectoryReaders, call: Call): Promise<UserView> {
  return viewCaller(stores, call)
}

export async function readUser(stores: DirectoryReaders, call: Call, input: { username: string }): Promise<UserView> {
  return viewUser(stores, call, await requireVisibleUser(stores, call, input.username))
}

export async function listUsers(
  stores: DirectoryReaders,
  call: Call,
  input: { portalId: string; page: Parsed<Page> },
): Promise<Slice<ListedUser> & { readonly page: Page }> {
  const { caller, portal } = await requireOwnPortal(stores, call, input.portalId)
  requirePermission(seesUsers(caller))
  const page = unwrapParsed(input.page)
  const seenBy = caller.privileges.has('portal:admin:viewUsers') ? undefined : caller.userId
  const { total, entries } = await stores.directory.listUsers(portal.portalId, page, seenBy)
  return { total, page, entries: entries.map((user) => ({ user, isConfidant: seesPersonalDetails(caller, user) })) }
}

/** One entry of an invitation list. A password is required: no mail is sent, so a generated one could not be delivered. */
export interface Invitee {
  readonly userId: string
  readonly username: string
  readonly fullName: string
  readonly firstName: string
  readonly lastName: string
  readonly email: string
  readonly role: string
  readonly password: string | undefined
  /** Hash of the password, computed outside the transaction; undefined without an acceptable password. */
  readonly passwordHash: string | undefined
}

/** Refuses unless the caller may invite. Called before passwords are hashed, and again in the writing transaction. */
export async function requireMayInvite(
  stores: DirectoryReaders,
  call: Call,
  input: { portalId: string },
): Promise<void> {
  const { caller, portal } = await requireOwnPortal(stores, call, input.portalId)
  requirePermission(holds(caller, portal.portalId, 'portal:admin:inviteUsers'))
}

interface Invited extends WithAuditDetails {
  readonly notInvited: readonly { readonly username: string; readonly reason: string }[]
}

/** Creates the users that it can; returns the others with the reason for each. */
export async function inviteUsers(
  stores: DirectoryStores,
  call: Call,
  input: { portalId: string; invitees: Parsed<readonly Invitee[]> },
): Promise<Invited> {
  await requireMayInvite(stores, call, input)
  const { caller, portal } = await requireOwnPortal(stores, call, input.portalId)
  const invited: string[] = []
  const notInvited: { username: string; reason: string }[] = []
  for (const invitee of unwrapParsed(input.invitees)) {
    const reason = await findInviteeProblem(stores, caller, invitee)
    if (reason !== undefined || invitee.passwordHash === undefined) {
      notInvited.push({ username: invitee.username, reason: reason ?? 'No password is given.' })
      continue
    }
    const user = newUser(invitee, portal.portalId, call.now)
    await stores.directory.addUser(user, invitee.passwordHash)
    invited.push(user.username)
  }
  return { notInvited, audit: { target: usersPath(invited) } }
}

async function findInviteeProblem(
  stores: DirectoryReaders,
  caller: Caller,
  invitee: Invitee,
): Promise<string | undefined> {
  const named = findUsernameProblem(invitee.username)
  if (named) return named
  if (invitee.password === undefined) return 'No password is given, and no mail is sent from here.'
  const password = findPasswordProblem(invitee.password)
  if (password) return password
  const role = await findRoleProblem(stores, caller, invitee.role)
  if (role) return role
  // Last, so that only an entry which would make a user shows whether a name is free on the whole server.
  const present = await stores.directory.findUser(invitee.username)
  if (!present) return undefined
  return present.portalId === caller.portalId ? 'The username is taken.' : 'The username is not available.'
}

async function findCustomRole(directory: DirectoryReaders['directory'], role: string): Promise<Role | undefined> {
  return isBuiltInRole(role) ? undefined : directory.findRole(role)
}

/** Privileges of the user's role. */
async function listPrivilegesOf({ directory }: DirectoryReaders, { role }: User): Promise<readonly Privilege[]> {
  return privilegesOf(role, await findCustomRole(directory, role))
}

/** Why the caller may not give this role; undefined if they may. */
async function findRoleProblem(
  { directory }: DirectoryReaders,
  caller: Caller,
  role: string,
): Promise<string | undefined> {
  const custom = await findCustomRole(directory, role)
  if (!isBuiltInRole(role) && custom?.portalId !== caller.portalId) return `The role ${role} does not exist.`
  if (!mayGiveRole(caller, role, privilegesOf(role, custom))) return `You may not give the role ${role}.`
  return undefined
}

export type UserChange = Partial<Pick<User, 'fullName' | 'firstName' | 'lastName' | 'email' | 'description' | 'access'>>

/** Refuses unless the caller may use this privilege on the user. */
async function requireGoverns(
  stores: DirectoryReaders,
  caller: Caller,
  user: User,
  privilege: Privilege,
): Promise<void> {
  requirePermission(mayGovernUser(caller, user, await listPrivilegesOf(stores, user), privilege))
}

/** Changes only the given properties. */
export async function updateUser(
  stores: DirectoryStores,
  call: Call,
  input: { username: string; change: Parsed<UserChange> },
): Promise<User> {
  const { caller, user } = await requireUser(stores, call, input.username)
  requirePermission(mayUpdateUser(caller, user, await listPrivilegesOf(stores, user)))
  const updated: User = { ...user, ...unwrapParsed(input.change), modifiedAt: call.now }
  await stores.directory.updateUser(updated)
  return updated
}

/** Refuses to leave an organization without an enabled default administrator (chosen). */
async function requireAnotherAdministrator({ directory }: DirectoryReaders, user: User): Promise<void> {
  if (user.role !== 'org_admin' || user.disabled) return
  if ((await directory.countAdministrators(user.portalId)) > 1) return
  throw operationRefused(`${user.username} is the last administrator of the organization.`)
}

export async function updateUserRole(
  stores: DirectoryStores,
  call: Call,
  input: { portalId: string; change: Parsed<{ readonly user: string; readonly role: string }> },
): Promise<WithAuditDetails> {
  const { caller, portal } = await requireOwnPortal(stores, call, input.portalId)
  requirePermission(holds(caller, portal.portalId, 'portal:admin:changeUserRoles'))
  const { user: username, role } = unwrapParsed(input.change)
  const user = await stores.directory.findUser(username)
  if (!user || user.portalId !== portal.portalId) throw operationRefused(`user: ${username} does not exist.`)
  await requireGoverns(stores, caller, user, 'portal:admin:changeUserRoles')
  const problem = await findRoleProblem(stores, caller, role)
  if (problem) throw operationRefused(`role: ${problem}`)
  if (role !== 'org_admin') await requireAnotherAdministrator(stores, user)
  await stores.directory.updateUser({ ...user, role, modifiedAt: call.now })
  return { audit: { target: usersPath([user.username]) } }
}

/** Audit target of these users. */
function usersPath(usernames: readonly string[]): string {
  return `/community/users/${usernames.join()}`
}

/** Disables a user and ends all sessions. The user keeps groups and role, and has to sign in again once enabled. */
export async function disableUser(
  stores: DirectoryStores & { readonly tokens: Sessions },
  call: Call,
  input: { username: string },
): Promise<User> {
  const { caller, user } = await requireUser(stores, call, input.username)
  await requireGoverns(stores, caller, user, 'portal:admin:disableUsers')
  await requireAnotherAdministrator(stores, user)
  await stores.directory.updateUser({ ...user, disabled: true, modifiedAt: call.now })
  await stores.tokens.removeTokensOf(user.userId)
  return user
}

export async function enableUser(stores: DirectoryStores, call: Call, input: { username: string }): Promise<User> {
  const { caller, user } = await requireUser(stores, call, input.username)
  await requireGoverns(stores, caller, user, 'portal:admin:disableUsers')
  await stores.directory.updateUser({ ...user, disabled: false, modifiedAt: call.now })
  return user
}

/** A user who owns groups cannot be deleted; the groups have to be reassigned first (documented). */
export async function deleteUser(stores: DirectoryStores, call: Call, input: { username: string }): Promise<User> {
  const { caller, user } = await requireUser(stores, call, input.username)
  await requireGoverns(stores, caller, user, 'portal:admin:deleteUsers')
  await requireAnotherAdministrator(stores, user)
  const owned = await stores.directory.countGroupsOwnedBy(user.userId)
  if (owned > 0) throw operationRefused(`${user.username} owns ${owned} groups; reassign or delete them first.`)
  await stores.directory.removeUser(user.userId)
  return user
}

/** The user whose password is to be changed, by themselves or a default administrator, with the present hash. */
export async function requirePasswordChange(
  stores: DirectoryReaders,
  call: Call,
  input: { username: string },
): Promise<{ readonly user: User; readonly isSelf: boolean; readonly passwordHash: string }> {
  const { caller, user } = await requireUser(stores, call, input.username)
  const isSelf = caller.userId === user.userId
  requirePermission(isSelf || isDefaultAdministrator(caller, user.portalId))
  const passwordHash = await stores.directory.findPasswordHash(user.userId)
  if (passwordHash === undefined) throw resourceNotFound()
  return { user, isSelf, passwordHash }
}
