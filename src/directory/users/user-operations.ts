import type { WithAuditDetails } from '../../call/audit-details.ts'
import { type Call, requirePermission } from '../../call/call.ts'
import type { Caller } from '../../call/caller.ts'
import { type Parsed, unwrapParsed } from '../../call/parsed.ts'
import { operationRefused, resourceNotFound } from '../../errors.ts'
import type { Page, Slice } from '../../paging.ts'
import { allOf, type Condition } from '../../search/condition.ts'
import { say } from '../../sentences/say.ts'
import { requireGoodPassword } from '../passwords/new-password.ts'
import type { ChosenPassword } from '../passwords/password.ts'
import { canViewPersonalDetails, canViewUsers, isDefaultAdministrator, mayUpdateUser } from '../permissions.ts'
import { requireOwnPortal, requirePrivilege } from '../portal-operations.ts'
import type { DirectoryReaders, DirectoryStores, IdentitiesOfUsers, LinksOfUsers, Sessions } from '../store.ts'
import { type MailedUser, type User, userProviders } from '../user.ts'
import {
  auditOfUser,
  findNamedRole,
  findRoleToGive,
  listPrivilegesOf,
  requireAnotherAdministrator,
  requireGoverns,
  usersPath,
} from './governing.ts'
import { requireUser, requireVisibleUser } from './named-user.ts'
import { type UserFields, withoutDetailsOfOthers } from './user-search.ts'
import { type ListedUser, type UserView, viewCaller, viewUser } from './user-view.ts'

/** The caller; 499 for an anonymous one, as a client would otherwise take a wrong password for success (observed). */
export async function readSelf(stores: DirectoryReaders, call: Call): Promise<UserView> {
  return viewCaller(stores, call)
}

export async function readUser(stores: DirectoryReaders, call: Call, input: { username: string }): Promise<UserView> {
  return viewUser(stores, call, await requireVisibleUser(stores, call, input.username))
}

/** Which users are listed: values as they are given. */
export interface AskedUsers {
  readonly role: string | undefined
  readonly provider: string | undefined
  readonly condition: Condition<UserFields>
}

export async function listUsers(
  stores: DirectoryReaders,
  call: Call,
  input: { portalId: string; asked: Parsed<AskedUsers>; page: Parsed<Page> },
): Promise<Slice<ListedUser> & { readonly page: Page }> {
  const { caller, portal } = await requireOwnPortal(stores, call, input.portalId)
  requirePermission(canViewUsers(caller), 'portal:user:viewOrgUsers')
  const page = unwrapParsed(input.page)
  const seenBy = caller.privileges.has('portal:admin:viewUsers') ? undefined : caller.userId
  const { role, provider, condition } = unwrapParsed(input.asked)
  const known = userProviders.find((one) => one === provider?.toLowerCase())
  const asked = provider === undefined || known ? condition : ({ kind: 'none' } as const)
  // Details that are not shown of others are not compared either.
  const own = { kind: 'key', field: 'id', value: caller.userId, isPrefix: false } as const
  const shown = seenBy === undefined ? asked : withoutDetailsOfOthers(provider ? allOf([asked, own]) : asked, seenBy)
  const named = role === undefined ? undefined : await findNamedRole(stores, portal.portalId, role)
  // A role that is not there is held by no user, as any other value that a filter finds nothing for.
  const filter = { seenBy, role: named && 'role' in named ? named.role : role, provider: known, condition: shown }
  const { total, entries } = await stores.directory.listUsers(portal.portalId, page, filter)
  return { total, page, entries: entries.map((user) => ({ user, isConfidant: canViewPersonalDetails(caller, user) })) }
}

/** Needs a signed-in person: an app's token could otherwise redirect the next sign-in. */
const addressIsKept = `email: ${say('mailOfRecovery')}`

export type UserChange = Partial<
  Pick<
    User,
    'fullName' | 'firstName' | 'lastName' | 'email' | 'description' | 'tags' | 'culture' | 'region' | 'units' | 'access'
  >
>

/** A new password that an administrator gives, hashed outside the transaction. */
export interface NewPassword {
  readonly passwordHash: string
  /** Key by which failed sign-ins for the account are counted. */
  readonly accountKey: string
}

/** Whom the identity provider sends as the user: under this name, or undefined for no one. */
export interface ProviderChange {
  readonly providerUsername: string | undefined
}

/**
 * Changes only the given properties. With a password, which the user has to change,
 * or with another account of a provider, all sessions of the user end.
 */
export async function updateUser(
  stores: DirectoryStores & {
    readonly tokens: Sessions
    readonly identities: IdentitiesOfUsers
    readonly oauth: LinksOfUsers
  },
  call: Call,
  input: {
    username: string
    change: Parsed<UserChange>
    /** Fields that clients send with the rest of a user, and that no update changes. */
    unchangeable: Parsed<Unchangeable>
    password: NewPassword | undefined
    provider: Parsed<ProviderChange | undefined>
    /** Whether links to a new password are mailed, so that the e-mail address decides who signs in. */
    sendsMail: boolean
  },
): Promise<ChangedUser> {
  const { caller, user } = await requireUser(stores, call, input.username)
  requirePermission(mayUpdateUser(caller, user, await listPrivilegesOf(stores, user)))
  const { password } = input
  if (password) requireGivesTo(caller, user)
  const profile = unwrapParsed(input.change)
  requireSame(user, unwrapParsed(input.unchangeable))
  const { email = user.email } = profile
  if (email !== user.email) {
    if (input.sendsMail && !isDefaultAdministrator(caller, user.portalId)) throw operationRefused(addressIsKept)
    await stores.oauth.removeLinks(user.userId)
  }
  const { providerUsername } = unwrapParsed(input.provider) ?? user
  const updated: User = { ...user, ...profile, providerUsername, modifiedAt: call.now }
  if (providerUsername !== user.providerUsername) {
    requirePermission(isDefaultAdministrator(caller, user.portalId))
    await stores.identities.removeIdentitiesOf(user.userId)
    await stores.tokens.removeTokensOf(user.userId)
  }
  await stores.directory.updateUser(updated)
  if (password) await givePassword(stores, user, password, call.now)
  if (email === user.email || user.email === '') return { user: updated, formerEmail: undefined }
  const organization = (await stores.directory.findPortal(user.portalId))?.name ?? ''
  return { user: updated, formerEmail: { username: user.username, email: user.email, organization } }
}

interface ChangedUser {
  readonly user: User
  /** The address that was there before, where it is another one now. */
  readonly formerEmail: MailedUser | undefined
}

interface Unchangeable {
  readonly role: string | undefined
  readonly orgId: string | undefined
}

function requireSame(user: User, { role = user.role, orgId = user.portalId }: Unchangeable): void {
  if (role !== user.role) throw operationRefused('role: is changed by updateUserRole of the organization.')
  if (orgId !== user.portalId) throw operationRefused('orgId: a user stays in the organization.')
}

/** Refuses unless the caller may give the user this password. Called before it is hashed. */
export async function beginGivingPassword(
  stores: DirectoryReaders,
  call: Call,
  input: { username: string; password: ChosenPassword; endsProvider: boolean },
): Promise<User> {
  const user = await requireMayGivePassword(stores, call, input.username, input.endsProvider)
  await requireGoodPassword(stores, user, input.password, 'password')
  return user
}

/**
 * The user, if the caller may give them a password, or have them choose one. A user whom the identity provider sends, and who has
 * none, gets none, unless the same change ends the sign-in there.
 */
export async function requireMayGivePassword(
  stores: DirectoryReaders,
  call: Call,
  username: string,
  endsProvider = false,
): Promise<User> {
  const { caller, user } = await requireUser(stores, call, username)
  requireGivesTo(caller, user)
  const isProvided = user.providerUsername !== undefined && !endsProvider
  if (isProvided && (await stores.directory.findPasswordHash(user.userId)) === undefined) {
    throw operationRefused(say('signsInElsewhere', { username: user.username }))
  }
  return user
}

/** Their own password users change themselves, by showing the present one. */
function requireGivesTo(caller: Caller, user: User): void {
  if (caller.userId === user.userId) throw operationRefused('password: Your own password is changed by reset.')
  requirePermission(isDefaultAdministrator(caller, user.portalId))
}

/**
 * Sets the password, ends all sessions, and the limits on sign-in that the user may have reached. From `expiresAt` on, the
 * password has to be changed: what an administrator gives does not last.
 */
export async function givePassword(
  { directory, tokens }: DirectoryStores & { readonly tokens: Sessions },
  user: User,
  { passwordHash, accountKey }: NewPassword,
  expiresAt: number | undefined,
): Promise<void> {
  await directory.putPasswordHash(user.userId, passwordHash, expiresAt)
  await tokens.removeTokensOf(user.userId)
  await tokens.removeFailuresOf(accountKey)
}

/** Has the user change the password before signing in, from a time on; sessions end if that is now (documented). */
export async function expirePassword(
  stores: DirectoryStores & { readonly tokens: Sessions },
  call: Call,
  input: { readonly username: string; readonly hours: Parsed<number> },
): Promise<WithAuditDetails> {
  const user = await requireMayGivePassword(stores, call, input.username)
  const expiresAt = call.now + unwrapParsed(input.hours) * 3_600_000
  await stores.directory.putPasswordEnd(user.userId, expiresAt)
  if (expiresAt <= call.now) await stores.tokens.removeTokensOf(user.userId)
  return { audit: auditOfUser(user) }
}

export async function updateUserRole(
  stores: DirectoryStores,
  call: Call,
  input: { portalId: string; change: Parsed<{ readonly user: string; readonly role: string }> },
): Promise<WithAuditDetails> {
  const { caller, portal } = await requireOwnPortal(stores, call, input.portalId)
  requirePrivilege(caller, portal.portalId, 'portal:admin:changeUserRoles')
  const { user: username, role: wanted } = unwrapParsed(input.change)
  const user = await stores.directory.findUser(username)
  if (!user || user.portalId !== portal.portalId) throw operationRefused(`user: ${say('userUnknown', { username })}`)
  await requireGoverns(stores, caller, user, 'portal:admin:changeUserRoles')
  const named = await findRoleToGive(stores, caller, wanted)
  if ('problem' in named) throw operationRefused(`role: ${named.problem}`)
  const { role } = named
  if (role !== 'org_admin') await requireAnotherAdministrator(stores, user)
  await stores.directory.updateUser({ ...user, role, modifiedAt: call.now })
  return { audit: { target: usersPath([user.username]) } }
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
