import type { WithAuditDetails } from '../../call/audit-details.ts'
import type { Call } from '../../call/call.ts'
import type { Caller } from '../../call/caller.ts'
import { type Parsed, unwrapParsed } from '../../call/parsed.ts'
import { operationRefused } from '../../errors.ts'
import { type ChosenPassword, findPasswordProblem } from '../passwords/password.ts'
import type { Portal } from '../portal.ts'
import { requireOwnPortal } from '../portal-operations.ts'
import { requirePrivilege } from '../required-privilege.ts'
import type { DirectoryReaders, DirectoryStores } from '../store.ts'
import { findUsernameProblem, newUser } from '../user.ts'
import { findRoleToGive, usersPath } from './governing.ts'

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
  readonly password: ChosenPassword | undefined
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
    const judged = await judgeInvitee(stores, caller, portal, invitee)
    if ('problem' in judged) notInvited.push({ username: invitee.username, reason: judged.problem })
    else invited.push(await addInvitee(stores, call, portal.portalId, { ...invitee, role: judged.role }))
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
  const judged = await judgeInvitee(stores, caller, portal, invitee)
  if ('problem' in judged) throw operationRefused(`${invitee.username}: ${judged.problem}`)
  const username = await addInvitee(stores, call, portal.portalId, { ...invitee, role: judged.role })
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
  return { problem: isOwn ? 'The username is taken.' : 'The username is not available.' }
}

function findInviteePasswordProblem({ name: organization }: Portal, invitee: Invitee): string | undefined {
  const { username, password, providerUsername, passwordHash } = invitee
  if (password === undefined) return providerUsername === undefined ? noPassword : undefined
  return (
    findPasswordProblem(password, { username, organization }) ?? (passwordHash === undefined ? noPassword : undefined)
  )
}
