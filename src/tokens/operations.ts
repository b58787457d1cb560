import type { AuditDetails, WithAuditDetails } from '../call/audit-details.ts'
import type { Call } from '../call/call.ts'
import { type Caller, roleOfApps } from '../call/caller.ts'
import { type Parsed, unwrapParsed } from '../call/parsed.ts'
import { builtInRoles, isBuiltInRole, isPrivilege, type Privilege } from '../call/privilege.ts'
import { requireGoodPassword } from '../directory/passwords/new-password.ts'
import type { ChosenPassword } from '../directory/passwords/password.ts'
import type { User } from '../directory/user.ts'
import { requirePasswordChange } from '../directory/users/user-operations.ts'
import { operationRefused } from '../errors.ts'
import { say } from '../sentences/say.ts'
import { addFailure, type ComparedSignIn, completeSignIn, requireFewFailures, type SignIn } from './sign-in.ts'
import type { TokenReader, TokenReaders, TokenStores, TokenUser } from './store.ts'
import { isOfTheFuture } from './token.ts'

const builtInPrivileges = new Map(
  Object.entries(builtInRoles).map(([role, privileges]) => [role, new Set(privileges)] as const),
)

/** The user of a token; undefined if the token is unknown, expired or revoked, or the user disabled. */
export async function findCaller(
  { tokens }: { readonly tokens: TokenReader },
  tokenHash: string,
  now: number,
): Promise<Caller | undefined> {
  const found = await tokens.findTokenUser(tokenHash)
  if (!found || found.disabled || found.expiresAt <= now || isOfTheFuture(found, now)) return undefined
  const { userId, username, portalId, role, owner, hookRevision } = found
  const held = privilegesOf(found)
  const bound = owner && privilegesOf(owner)
  const privileges = bound ? new Set([...held].filter((privilege) => bound.has(privilege))) : held
  const caller = { userId, username, portalId, role, privileges, ...(hookRevision !== undefined && { hookRevision }) }
  return role === roleOfApps ? { ...caller, isApp: true } : caller
}

function privilegesOf({ role, customPrivileges }: Pick<TokenUser, 'role' | 'customPrivileges'>): Set<Privilege> {
  return isBuiltInRole(role) ? builtInPrivileges.get(role)! : new Set((customPrivileges ?? []).filter(isPrivilege))
}

/** A sign-in and its new token. */
export interface NewToken extends ComparedSignIn {
  readonly tokenHash: string
  /** Epoch milliseconds. */
  readonly expiresAt: number
  /** The start of the User-Agent. */
  readonly agent: string
}

/** Second half of a sign-in: stores the token. */
export async function generateToken(
  stores: TokenStores,
  call: Call,
  input: NewToken,
): Promise<WithAuditDetails & { readonly outcome: 'signed in' | 'password' | 'temporary password' }> {
  const { tokenHash, expiresAt, address, agent } = input
  const { user, named, hasToChange } = await completeSignIn(stores, call, input)
  if (!user) return { outcome: hasToChange ? 'temporary password' : 'password', audit: failedSignIn(named) }
  await stores.tokens.addToken({ tokenHash, userId: user.userId, createdAt: call.now, expiresAt, address, agent })
  return { outcome: 'signed in', audit: { username: user.username, portalId: user.portalId } }
}

/** An unknown username is not kept: it may be a password that was typed in the wrong field. */
export function failedSignIn(named: User | undefined): AuditDetails {
  return { username: named?.username, portalId: named?.portalId, outcome: 400 }
}

/** A change of password. */
export interface PasswordChange extends SignIn {
  readonly newPassword: Parsed<ChosenPassword>
}

/** First half of a change of password: reads the hash to compare the present password with. */
export async function beginPasswordChange(
  stores: TokenReaders,
  call: Call,
  input: PasswordChange,
): Promise<{ readonly isSelf: boolean; readonly passwordHash: string }> {
  const { user, isSelf, passwordHash } = await requirePasswordChange(stores, call, input)
  await requireGoodPassword(stores, user, unwrapParsed(input.newPassword), 'newPassword')
  if (isSelf) await requireFewFailures(stores, call, input, user)
  return { isSelf, passwordHash }
}

/** A change of password whose passwords were verified and hashed outside the transaction. */
export interface VerifiedChange extends SignIn {
  /** Undefined if the present password was wrong. */
  readonly verified: { readonly presentHash: string; readonly newHash: string } | undefined
}

/**
 * Second half: sets the password and ends every session of the user, also that of the call: what is signed in afterwards has the
 * new password (chosen). Refused if the password was changed meanwhile. A wrong present password counts as a failed sign-in. What
 * an administrator gives has to be changed, and ends the limits on the account, whose user may have reached them.
 */
export async function changePassword(
  stores: TokenStores,
  call: Call,
  input: VerifiedChange,
): Promise<WithAuditDetails & { readonly changed: boolean }> {
  const { user, isSelf, passwordHash } = await requirePasswordChange(stores, call, input)
  const { verified } = input
  if (isSelf) await requireFewFailures(stores, call, input, user)
  if (!verified) {
    await addFailure(stores, call, input)
    return { changed: false, audit: { outcome: 400 } }
  }
  if (passwordHash !== verified.presentHash) throw operationRefused(say('passwordChanged'))
  await stores.directory.putPasswordHash(user.userId, verified.newHash, isSelf ? undefined : call.now)
  await stores.tokens.removeTokensOf(user.userId)
  if (!isSelf) await stores.tokens.removeFailuresOf(input.accountKey)
  return { changed: true, audit: {} }
}

/** A change of password as the public API has it (observed). */
export async function resetUser(
  stores: TokenStores,
  call: Call,
  input: VerifiedChange,
): Promise<WithAuditDetails & { readonly changed: boolean }> {
  return changePassword(stores, call, input)
}
