import { operationRefused } from '../../errors.ts'
import type { WithAuditDetails } from '../../operations/audit-details.ts'
import type { Call } from '../../operations/call.ts'
import { type Parsed, unwrapParsed } from '../../parsed.ts'
import type { Caller } from '../caller.ts'
import { findPasswordProblem } from '../passwords/password.ts'
import type { Portal } from '../portal.ts'
import { requireOwnPortal } from '../portal-operations.ts'
import { requirePrivilege } from '../required-privilege.ts'
import type { DirectoryReaders, DirectoryStores } from '../store.ts'
import { findUsernameProblem, newUser } from '../user.ts'
import { findRoleProblem, usersPath } from './governing.ts'

/**
 * One entry of an invitation list. A password is required where no identity provider is to send the user: no mail is sent, so
 * a generated one could not be delivered.
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
  /** What the identity provider calls the user whom it is to send. */
  readonly providerUsername?: string | undefined
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
  requirePrivilege(caller, portal.portalId, 'portal:admin:inviteUsers')
}

const noPassword = 'No password is given, and no mail is sent from here.'

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
    const reason = await findInviteeProblem(stores, caller, portal, invitee)
    if (reason !== undefined) notInvited.push({ username: invitee.username, reason })
    else invited.push(await addInvitee(stores, call, portal.portalId, invitee))
  }
  return { notInvited, audit: { target: usersPath(invited) } }
}

/** Creates one user in the caller's organization; refused with the reason if it cannot be created. */
export async function createUser(
  stores: DirectoryStores,
  call: Call,
  input: { invitee: Parsed<Invitee> },
): Promise<WithAuditDetails> {
  await requireMayInvite(stores, call, { portalId: 'self' })
  const { caller, portal } = await requireOwnPortal(stores, call, 'self')
  const invitee = unwrapParsed(input.invitee)
  const reason = await findInviteeProblem(stores, caller, portal, invitee)
  if (reason !== undefined) throw operationRefused(`${invitee.username}: ${reason}`)
  const username = await addInvitee(stores, call, portal.portalId, invitee)
  return { audit: { target: usersPath([username]) } }
}

/** Returns the username. */
async function addInvitee(
  { directory }: DirectoryStores,
  call: Call,
  portalId: string,
  invitee: Invitee,
): Promise<string> {
  const user = newUser(invitee, portalId, call.now)
  await directory.addUser(user, invitee.passwordHash)
  return user.username
}

async function findInviteeProblem(
  stores: DirectoryReaders,
  caller: Caller,
  { name: organization }: Portal,
  invitee: Invitee,
): Promise<string | undefined> {
  const named = findUsernameProblem(invitee.username)
  if (named) return named
  const { username, password } = invitee
  if (password === undefined && invitee.providerUsername === undefined) return noPassword
  const problem = password === undefined ? undefined : findPasswordProblem(password, { username, organization })
  if (problem) return problem
  if (password !== undefined && invitee.passwordHash === undefined) return noPassword
  const role = await findRoleProblem(stores, caller, invitee.role)
  if (role) return role
  // Last, so that only an entry which would make a user shows whether a name is free on the whole server.
  const present = await stores.directory.findUser(invitee.username)
  if (!present) return undefined
  return present.portalId === caller.portalId ? 'The username is taken.' : 'The username is not available.'
}
