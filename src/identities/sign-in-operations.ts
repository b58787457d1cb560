import { type AuditDetails, nothingDone, type WithAuditDetails } from '../call/audit-details.ts'
import type { Call } from '../call/call.ts'
import { newUser, type User } from '../directory/user.ts'
import { findNamedRole, usersPath } from '../directory/users/governing.ts'
import type { SignedInAt } from '../oauth/grant.ts'
import { sessionMinutes } from '../oauth/lifetimes.ts'
import { addLink } from '../oauth/passwords/new-password-operations.ts'
import { failedSignIn } from '../tokens/operations.ts'
import { type ComparedSignIn, completeSignIn } from '../tokens/sign-in.ts'
import type { JudgedIdentity } from './claims.ts'
import type { AccountRules } from './rules.ts'
import type { IdentityReaders, IdentityStores } from './store.ts'

/** Id of the organization whose users sign in through the identity provider; undefined if it does not exist. */
export async function beginProviderSignIn(
  { directory }: IdentityReaders,
  _call: Call,
  { organization }: { readonly organization: string | undefined },
): Promise<string | undefined> {
  const portal = await (organization === undefined ? directory.findDefaultPortal() : directory.findPortal(organization))
  return portal?.portalId
}

/** A proven identity, and the browser session that it begins. */
interface ProviderSignIn {
  readonly identity: JudgedIdentity
  readonly rules: Pick<AccountRules, 'organization' | 'createsUsers' | 'roles'>
  /** Id of the user, if one is made. */
  readonly userId: string
  readonly session: ProviderSession
}

interface ProviderSession {
  readonly sessionHash: string
  /** Hash of the session that the new one replaces. */
  readonly formerSessionHash: string | undefined
  readonly at: Omit<SignedInAt, 'way' | 'issuer'>
  readonly sealedIdToken: string | undefined
}

/** `unknown`: no user is linked, and none is made. `password`: username and password do not match. */
export type ProviderOutcome =
  | { readonly outcome: 'signed in'; readonly username: string }
  | { readonly outcome: 'unknown' | 'password' }
  /** The problem is for the operator, and for the user too if it is shown. */
  | { readonly outcome: 'refused'; readonly problem: string; readonly isShown: boolean }

/** Signs in the user of an identity: the one that is linked, or expected, or has the verified address, or a new one. */
export async function signInByProvider(
  stores: IdentityStores,
  call: Call,
  input: ProviderSignIn,
): Promise<WithAuditDetails & ProviderOutcome> {
  const { identity, rules } = input
  const portalId = await beginProviderSignIn(stores, call, rules)
  if (portalId === undefined) return refused('OIDC_ORGANIZATION names an organization that does not exist')
  const found = await findUser(stores, portalId, identity)
  if (found && 'problem' in found) return refused(found.problem)
  if (!found && !rules.createsUsers) return { outcome: 'unknown', audit: nothingDone }
  if (found?.user.disabled) return { ...refused(`${found.user.username} is disabled`), audit: failedSignIn(found.user) }
  const role = await judgeRole(stores, portalId, input, found === undefined)
  if ('problem' in role) return { ...refused(role.problem), ...(found && { audit: failedSignIn(found.user) }) }
  const present = found ?? (await makeUser(stores, call, portalId, input, role.role))
  if ('problem' in present) return refused(present.problem, true)
  return signIn(stores, call, input, present, found && role.role)
}

/**
 * Links an identity to the user whose password was just typed, and signs in. A temporary password has to be changed first, for
 * which there is a link.
 */
export async function linkIdentity(
  stores: IdentityStores,
  call: Call,
  input: ProviderSignIn & { readonly signIn: ComparedSignIn; readonly linkHash: string },
): Promise<WithAuditDetails & (ProviderOutcome | { readonly outcome: 'temporary password' })> {
  const { identity, rules } = input
  const portalId = await beginProviderSignIn(stores, call, rules)
  const { user, named, hasToChange } = await completeSignIn(stores, call, input.signIn, portalId ?? '')
  if (named && hasToChange) {
    await addLink(stores, call, named, input.linkHash)
    return { outcome: 'temporary password', audit: failedSignIn(named) }
  }
  if (!user || portalId === undefined) return { outcome: 'password', audit: failedSignIn(named) }
  if (await stores.identities.findIdentity(identity.issuer, identity.subject))
    return refused('the identity is linked already')
  if (await stores.identities.hasIdentity(user.userId)) {
    return refused(`${user.username} has another account of the identity provider`)
  }
  const role = await judgeRole(stores, portalId, input, false)
  if ('problem' in role) return refused(role.problem)
  return signIn(stores, call, input, { user, linkedBy: 'password' }, role.role)
}

/** A user, and how the identity is linked just now; undefined if it was before. */
interface FoundUser {
  readonly user: User
  readonly linkedBy: 'entry' | 'email' | 'creation' | 'password' | undefined
}

interface Problem {
  readonly problem: string
}

function refused(problem: string, isShown = false) {
  return { outcome: 'refused', problem, isShown, audit: nothingDone } as const
}

/** Never by a username or an address that the provider merely says (chosen). */
async function findUser(
  { identities, directory }: IdentityReaders,
  portalId: string,
  { issuer, subject, linkValue, verifiedEmail }: JudgedIdentity,
): Promise<FoundUser | Problem | undefined> {
  const linked = await identities.findIdentity(issuer, subject)
  if (linked) {
    const user = await directory.findUserById(linked.userId)
    if (user?.portalId !== portalId) return { problem: 'the linked user belongs to another organization' }
    return { user, linkedBy: undefined }
  }
  const expected = linkValue === undefined ? [] : await identities.listExpected(portalId, linkValue)
  if (expected.length > 1) return { problem: `${expected.length} users have the idpUsername of this account` }
  if (expected[0]) return { user: expected[0], linkedBy: 'entry' }
  if (verifiedEmail === undefined) return undefined
  const addressed = await identities.listAwaitedByEmail(portalId, verifiedEmail)
  if (addressed.length > 1) return { problem: `several users have the e-mail address of this account` }
  return addressed[0] && { user: addressed[0], linkedBy: 'email' }
}

/** The role that the map gives; undefined where it gives none. */
async function judgeRole(
  stores: IdentityReaders,
  portalId: string,
  { identity, rules }: Pick<ProviderSignIn, 'identity' | 'rules'>,
  isNew: boolean,
): Promise<{ readonly role: string | undefined } | Problem> {
  const { role } = identity
  if (role.kind === 'unmapped' || (rules.roles?.isForNewUsersOnly && !isNew)) return { role: undefined }
  if (role.kind === 'refused') return { problem: role.problem }
  const named = await findNamedRole(stores, portalId, role.role)
  if ('role' in named) return { role: named.role }
  return { problem: `OIDC_ROLE_MAP gives the role ${role.role}, which the organization does not have` }
}

async function makeUser(
  { directory }: IdentityStores,
  { now }: Call,
  portalId: string,
  { identity, userId }: ProviderSignIn,
  role = 'org_viewer',
): Promise<FoundUser | Problem> {
  const { username, profile, display } = identity
  if ('problem' in username) return { problem: `no user is made: ${username.problem}` }
  if (await directory.findUser(username.value)) return { problem: `the username ${username.value} is taken` }
  const person = { ...profile, userId, username: username.value, role, providerUsername: display }
  const user = newUser(person, portalId, now)
  await directory.addUser(user, undefined)
  return { user, linkedBy: 'creation' }
}

async function signIn(
  stores: IdentityStores,
  { now }: Call,
  { identity, session }: Pick<ProviderSignIn, 'identity' | 'session'>,
  { user, linkedBy }: FoundUser,
  role: string | undefined,
): Promise<WithAuditDetails & ProviderOutcome> {
  const { identities, directory, oauth } = stores
  const { issuer, subject, display } = identity
  const { username, portalId, userId } = user
  const about = { username, portalId, target: usersPath([username]), ownerId: userId }
  const audit: AuditDetails[] = [{ username, portalId, operation: 'signInByProvider' }]
  if (linkedBy === undefined) await identities.touchIdentity({ issuer, subject, display, lastUsedAt: now })
  else {
    await identities.addIdentity({ issuer, subject, userId, display, linkedAt: now, lastUsedAt: now })
    if (linkedBy === 'creation') audit.push({ ...about, operation: 'createUser', data: { role: user.role } })
    audit.push({ ...about, operation: 'linkIdentity', data: { issuer, subject, by: linkedBy } })
  }
  const given = await chooseRole(stores, user, role)
  if (given !== user.role)
    audit.push({ ...about, operation: 'updateUserRole', data: { role: given, before: user.role } })
  const providerUsername = user.providerUsername ?? display
  await directory.updateUser({ ...user, role: given, providerUsername, lastSignInAt: now })
  const { sessionHash, formerSessionHash, at, sealedIdToken } = session
  if (formerSessionHash !== undefined) await oauth.removeSession(formerSessionHash)
  await oauth.addSession({
    ...at,
    sessionHash,
    userId,
    way: 'provider',
    issuer,
    createdAt: now,
    lastUsedAt: now,
    expiresAt: now + sessionMinutes * 60_000,
    sealedIdToken,
  })
  return { outcome: 'signed in', username, audit }
}

/** An organization keeps its last administrator, whatever the map says. */
async function chooseRole({ directory }: IdentityStores, user: User, role: string | undefined): Promise<string> {
  if (role === undefined || role === user.role) return user.role
  const isAdministrator = user.role === 'org_admin' && !user.disabled
  if (isAdministrator && (await directory.countAdministrators(user.portalId)) <= 1) return user.role
  return role
}
