import { nothingDone, type WithAuditDetails } from '../../call/audit-details.ts'
import type { Call } from '../../call/call.ts'
import { requireGoodPassword } from '../../directory/passwords/new-password.ts'
import { type ChosenPassword, linkInterval, linkMilliseconds } from '../../directory/passwords/password.ts'
import { isDefaultAdministrator } from '../../directory/permissions.ts'
import { isMailAddress, type MailedUser, type User } from '../../directory/user.ts'
import { auditOfUser } from '../../directory/users/governing.ts'
import { requireNamed } from '../../directory/users/recovery-operations.ts'
import { requireMayGivePassword } from '../../directory/users/user-operations.ts'
import { failedSignIn } from '../../tokens/operations.ts'
import {
  addFailure,
  type ComparedSignIn,
  compareSignIn,
  requireFewFailures,
  type SignIn,
} from '../../tokens/sign-in.ts'
import { isOfTheFuture } from '../../tokens/token.ts'
import type { OAuthReaders, OAuthStores } from '../store.ts'

/** An administrator makes a link by which a user sets a new password; links that were made before end. */
export async function makePasswordLink(
  stores: OAuthStores,
  call: Call,
  input: { readonly username: string; readonly linkHash: string },
): Promise<WithAuditDetails & { readonly expiresAt: number }> {
  const user = await requireMayGivePassword(stores, call, input.username)
  return { expiresAt: await addLink(stores, call, user, input.linkHash, call.caller?.userId), audit: auditOfUser(user) }
}

/** Makes a link as `makePasswordLink`, by the operator of the server, for a user who is locked out. */
export async function recoverByLink(
  stores: OAuthStores,
  call: Call,
  input: { readonly username: string; readonly linkHash: string },
): Promise<WithAuditDetails & { readonly user: User }> {
  const user = await requireNamed(stores, input.username)
  await addLink(stores, call, user, input.linkHash)
  return { user, audit: { ...auditOfUser(user), portalId: user.portalId } }
}

/**
 * A link for a user who has lost the password, to be mailed. Undefined where none is made, of which the caller says nothing: the
 * name is of no enabled user, who has no address, or no password here to lose, or whose last link is too young. Links that were
 * made before stay, so that no one can end them by asking. Each counts as a failed sign-in from its address, for an account of its
 * own: anyone can ask, and that something is written reveals nothing.
 */
export async function mailPasswordLink(
  stores: OAuthStores,
  call: Call,
  input: SignIn & { readonly linkHash: string },
): Promise<WithAuditDetails & { readonly recipient: MailedUser | undefined }> {
  const { directory, oauth, tokens } = stores
  await requireFewFailures(stores, call, input, undefined)
  await tokens.removeFailures(call.now - input.limit.minutes * 60_000)
  await addFailure(stores, call, input)
  const user = await directory.findUser(input.username)
  if (!user || user.disabled || !isMailAddress(user.email) || !(await hasOwnPassword(stores, user))) {
    return { recipient: undefined, audit: nothingDone }
  }
  const last = await oauth.findLastLinkEnd(user.userId)
  const expiresAt = call.now + linkMilliseconds
  if (last !== undefined && last + linkInterval > expiresAt) return { recipient: undefined, audit: nothingDone }
  await oauth.addLink({ linkHash: input.linkHash, userId: user.userId, expiresAt })
  const { username, email, portalId } = user
  const organization = (await directory.findPortal(portalId))?.name ?? ''
  // The entry names no one as who has asked.
  return { recipient: { username, email, organization }, audit: { ...auditOfUser(user), portalId } }
}

/** Whether a password is theirs to choose: not where the identity provider sends them, and they have none. */
async function hasOwnPassword({ directory }: OAuthReaders, { userId, providerUsername }: User): Promise<boolean> {
  return providerUsername === undefined || (await directory.findPasswordHash(userId)) !== undefined
}

export async function addLink(
  { oauth }: OAuthStores,
  { now }: Call,
  { userId }: User,
  linkHash: string,
  makerId?: string,
): Promise<number> {
  const expiresAt = now + linkMilliseconds
  await oauth.putLink({ linkHash, userId, makerId, expiresAt })
  return expiresAt
}

/** Who sets a new password by a link; undefined if it does not exist, has been used, or has ended. */
export async function findUserOfLink(
  { oauth, directory }: OAuthReaders,
  { now }: Call,
  { linkHash }: { readonly linkHash: string },
): Promise<User | undefined> {
  const link = await oauth.findLink(linkHash)
  const isUsable = link && link.expiresAt > now && !isOfTheFuture({ createdAt: link.expiresAt - linkMilliseconds }, now)
  const user = isUsable ? await directory.findUserById(link.userId) : undefined
  if (!user || user.disabled) return undefined
  if (link?.makerId === undefined) return user
  const maker = await directory.findUserById(link.makerId)
  return maker && !maker.disabled && isDefaultAdministrator(maker, user.portalId) ? user : undefined
}

/** Refuses a password that the user may not have. Otherwise the present hash, which the new one must not match. */
export async function requireGoodNewPassword(
  stores: OAuthReaders,
  _call: Call,
  input: { readonly username: string; readonly password: ChosenPassword },
): Promise<{ readonly presentHash: string | undefined }> {
  const user = await stores.directory.findUser(input.username)
  if (!user) return { presentHash: undefined }
  await requireGoodPassword(stores, user, input.password, 'newPassword')
  return { presentHash: await stores.directory.findPasswordHash(user.userId) }
}

/** Proof with which a user sets a password on the page, without being signed in. */
export type PasswordProof =
  | { readonly by: 'link'; readonly linkHash: string; readonly accountKey: string }
  | ({ readonly by: 'password' } & ComparedSignIn)

/**
 * Sets the password that a user chose on the page, and ends every session, every link, and the limits on sign-in. A link is used
 * by that. A wrong present password counts as a failed sign-in. `newHash` is undefined where the proof alone is judged.
 */
export async function choosePassword(
  stores: OAuthStores,
  call: Call,
  input: { readonly proof: PasswordProof; readonly newHash: string | undefined },
): Promise<WithAuditDetails & { readonly isProven: boolean }> {
  const { proof, newHash } = input
  const { user, named } =
    proof.by === 'link' ? asNamed(await findUserOfLink(stores, call, proof)) : await compareSignIn(stores, call, proof)
  if (!user) return { isProven: false, audit: proof.by === 'link' ? nothingDone : failedSignIn(named) }
  if (newHash === undefined) return { isProven: true, audit: nothingDone }
  await stores.directory.putPasswordHash(user.userId, newHash)
  await stores.tokens.removeTokensOf(user.userId)
  await stores.tokens.removeFailuresOf(proof.accountKey)
  const { username, portalId } = user
  return { isProven: true, audit: { ...auditOfUser(user), username, portalId } }
}

function asNamed(user: User | undefined) {
  return { user, named: user }
}
