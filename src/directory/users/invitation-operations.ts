import type { WithAuditDetails } from '../../call/audit-details.ts'
import type { Call } from '../../call/call.ts'
import type { Caller } from '../../call/caller.ts'
import { type Parsed, unwrapParsed } from '../../call/parsed.ts'
import { operationRefused } from '../../errors.ts'
import { say } from '../../sentences/say.ts'
import { type ChosenPassword, findPasswordProblem, linkMilliseconds } from '../passwords/password.ts'
import type { Portal } from '../portal.ts'
import { requireOwnPortal, requirePrivilege } from '../portal-operations.ts'
import type { DirectoryReaders, DirectoryStores, LinksOfUsers } from '../store.ts'
import { findUsernameProblem, isMailAddress, newUser } from '../user.ts'
import { findRoleToGive, usersPath } from './governing.ts'

/**
 * One entry of an invitation list. Who has neither a password nor is sent by an identity provider chooses one by a link that is
 * mailed, where the server sends mail.
 */
export interface Invitee {
  readonly userId: string
  readonly username: string
  readonly fullName: string
  readonly firstName: string
  readonly lastName: string
  readonly email: string
  readonly description?: string
  readonly role: string
  /** Username at the identity provider that is to send the user. */
  readonly providerUsername?: string | undefined
  readonly password: ChosenPassword | undefined
  /** Hash of the password, computed outside the transaction; undefined without an acceptable password. */
  readonly passwordHash: string | undefined
  /** SHA-256 of the link that is mailed to a user without a password; undefined where the server sends no mail. */
  readonly linkHash?: string | undefined
}

/** A user who was created. */
type InvitedUser = Pick<Invitee, 'userId' | 'username' | 'email'>

/** Users who were created, by whom, and of what organization. */
export interface Invited {
  readonly invited: readonly InvitedUser[]
  readonly inviter: string
  readonly organization: string
}

/** Includes the links by one of which a new user chooses a password. */
type InvitingStores = DirectoryStores & { readonly oauth: LinksOfUsers }

/** Refuses unless the caller may invite. Called before passwords are hashed, and again in the writing transaction. */
export async function requireMayInvite(
  stores: DirectoryReaders,
  call: Call,
  input: { portalId: string },
): Promise<void> {
  const { caller, portal } = await requireOwnPortal(stores, call, input.portalId)
  requirePrivilege(caller, portal.portalId, 'portal:admin:inviteUsers')
}

const noPassword = say('noPasswordNoMail')
const noAddress = say('noPasswordNoAddress')

/** Creates the users that it can; returns the others with the reason for each. */
export async function inviteUsers(
  stores: InvitingStores,
  call: Call,
  input: { portalId: string; invitees: Parsed<readonly Invitee[]> },
): Promise<
  WithAuditDetails &
    Invited & { readonly notInvited: readonly { readonly username: string; readonly reason: string }[] }
> {
  await requireMayInvite(stores, call, input)
  const { caller, portal } = await requireOwnPortal(stores, call, input.portalId)
  const invited: InvitedUser[] = []
  const notInvited: { username: string; reason: string }[] = []
  for (const invitee of unwrapParsed(input.invitees)) {
    const judged = await judgeInvitee(stores, caller, portal, invitee)
    if ('problem' in judged) notInvited.push({ username: invitee.username, reason: judged.problem })
    else invited.push(await addInvitee(stores, call, portal.portalId, { ...invitee, role: judged.role }))
  }
  return { notInvited, ...outcomeOf(caller, portal, invited) }
}

/** Creates one user in the caller's organization; refused with the reason if it cannot be created. */
export async function createUser(
  stores: InvitingStores,
  call: Call,
  input: { invitee: Parsed<Invitee> },
): Promise<WithAuditDetails & Invited> {
  await requireMayInvite(stores, call, { portalId: 'self' })
  const { caller, portal } = await requireOwnPortal(stores, call, 'self')
  const invitee = unwrapParsed(input.invitee)
  const judged = await judgeInvitee(stores, caller, portal, invitee)
  if ('problem' in judged) throw operationRefused(`${invitee.username}: ${judged.problem}`)
  const invited = await addInvitee(stores, call, portal.portalId, { ...invitee, role: judged.role })
  return outcomeOf(caller, portal, [invited])
}

function outcomeOf(
  { username }: Caller,
  { name }: Portal,
  invited: readonly InvitedUser[],
): WithAuditDetails & Invited {
  const target = usersPath(invited.map((user) => user.username))
  return { invited, inviter: username, organization: name, audit: { target } }
}

async function addInvitee(
  { directory, oauth }: InvitingStores,
  call: Call,
  portalId: string,
  invitee: Invitee,
): Promise<InvitedUser> {
  const { userId, username, email, passwordHash, linkHash } = invitee
  await directory.addUser(newUser(invitee, portalId, call.now), passwordHash)
  if (linkHash !== undefined) await oauth.addLink({ linkHash, userId, expiresAt: call.now + linkMilliseconds })
  return { userId, username, email }
}

/** The role that the new user has, or why none is made. */
async function judgeInvitee(
  stores: DirectoryReaders,
  caller: Caller,
  portal: Portal,
  invitee: Invitee,
): Promise<{ readonly role: string } | { readonly problem: string }> {
  const problem = findUsernameProblem(invitee.username) ?? findInviteePasswordProblem(portal, invitee)
  if (problem) return { problem }
  const named = await findRoleToGive(stores, caller, invitee.role)
  if ('problem' in named) return named
  // Last, so that only an entry which would make a user shows whether a name is free on the whole server.
  const present = await stores.directory.findUser(invitee.username)
  if (!present) return named
  const isOwn = present.portalId === caller.portalId
  return { problem: isOwn ? say('usernameOfAnother') : say('usernameNotAvailable') }
}

function findInviteePasswordProblem({ name: organization }: Portal, invitee: Invitee): string | undefined {
  const { username, email, password, providerUsername, passwordHash, linkHash } = invitee
  if (password === undefined) {
    if (providerUsername !== undefined) return undefined
    if (linkHash === undefined) return noPassword
    return isMailAddress(email) ? undefined : noAddress
  }
  return (
    findPasswordProblem(password, { username, organization }) ?? (passwordHash === undefined ? noPassword : undefined)
  )
}
