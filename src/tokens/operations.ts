import type { Caller } from '../directory/caller.ts'
import { builtInRoles, isBuiltInRole, isPrivilege } from '../directory/privilege.ts'
import type { User } from '../directory/user.ts'
import { requirePasswordChange } from '../directory/users/user-operations.ts'
import { operationRefused, tooManyRequests } from '../errors.ts'
import { nothingDone, type WithAuditDetails } from '../operations/audit-details.ts'
import type { Call } from '../operations/call.ts'
import { type Parsed, unwrapParsed } from '../parsed.ts'
import type { PasswordTurn } from './password.ts'
import {
  findSignInRefusal,
  knownMilliseconds,
  mostKnownAddresses,
  type SignInLimit,
  type SignInSource,
} from './sign-in-limit.ts'
import type { TokenReader, TokenReaders, TokenStores } from './store.ts'

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
  if (!found || found.disabled || found.expiresAt <= now) return undefined
  const { userId, username, portalId, role, customPrivileges } = found
  const privileges = isBuiltInRole(role)
    ? builtInPrivileges.get(role)!
    : new Set((customPrivileges ?? []).filter(isPrivilege))
  return { userId, username, portalId, role, privileges }
}

export interface SignIn extends SignInSource {
  readonly username: string
  readonly limit: SignInLimit
}

function sinceWhen(now: number, limit: SignInLimit): number {
  return now - limit.minutes * 60_000
}

/** Refuses with 429 while there are too many failures; successful sign-ins do not count. */
async function requireFewFailures(
  { tokens }: { readonly tokens: TokenReader },
  { now, limits }: Call,
  signIn: SignIn,
  user: User | undefined,
): Promise<PasswordTurn> {
  const { limit, address } = signIn
  const failures = await tokens.listFailures(signIn, sinceWhen(now, limit))
  const isKnownAddress = user !== undefined && (await tokens.hasSignedIn(user.userId, address, now - knownMilliseconds))
  const refusal = findSignInRefusal(signIn, failures, isKnownAddress, limit, limits, now)
  if (!refusal) return { address, isKnownAddress }
  const seconds = Math.max(1, Math.ceil((refusal.freeAt - now) / 1000))
  const account = user && { username: user.username, portalId: user.portalId }
  throw tooManyRequests(refusal.limit, seconds, { bucket: refusal.bucket, ...account })
}

/** Counts a failed sign-in. */
function addFailure({ tokens }: TokenStores, { now }: Call, signIn: SignIn): Promise<void> {
  const { accountKey, address, crossSiteOrigin } = signIn
  return tokens.addFailure({ accountKey, address, crossSiteOrigin, failedAt: now })
}

/** First half of a sign-in: reads the hash to compare with; undefined for unknown users. */
export async function beginSignIn(
  stores: TokenReaders,
  call: Call,
  input: SignIn,
): Promise<{ readonly passwordHash: string | undefined; readonly turn: PasswordTurn }> {
  const user = await stores.directory.findUser(input.username)
  const turn = await requireFewFailures(stores, call, input, user)
  return { turn, passwordHash: user && (await stores.directory.findPasswordHash(user.userId)) }
}

/** A sign-in whose password was verified outside the transaction, and its new token. */
export interface ComparedSignIn extends SignIn {
  /** The hash that the password matched; undefined if it matched none. */
  readonly verifiedHash: string | undefined
  readonly tokenHash: string
  /** Epoch milliseconds. */
  readonly expiresAt: number
}

/**
 * Second half of a sign-in: stores the token. Failures are counted again here, so many guesses in parallel do not get past
 * the limit.
 */
export async function generateToken(
  stores: TokenStores,
  call: Call,
  input: ComparedSignIn,
): Promise<WithAuditDetails & { readonly signedIn: boolean }> {
  const { tokens, directory } = stores
  const { address, limit, verifiedHash, tokenHash, expiresAt } = input
  const user = await directory.findUser(input.username)
  await requireFewFailures(stores, call, input, user)
  await tokens.removeFailures(sinceWhen(call.now, limit))
  const matches =
    user !== undefined &&
    !user.disabled &&
    verifiedHash !== undefined &&
    (await directory.findPasswordHash(user.userId)) === verifiedHash
  if (!matches) {
    await addFailure(stores, call, input)
    // Of an unknown username nothing is kept: it may be a password that was typed in the wrong field.
    return { signedIn: false, audit: { username: user?.username, portalId: user?.portalId, outcome: 400 } }
  }
  await tokens.removeExpired(call.now)
  await tokens.addToken({ tokenHash, userId: user.userId, createdAt: call.now, expiresAt })
  await tokens.putSignIn(user.userId, address, call.now, mostKnownAddresses)
  await directory.updateUser({ ...user, lastSignInAt: call.now })
  return { signedIn: true, audit: { username: user.username, portalId: user.portalId } }
}

/** Signs out. For an unknown token it succeeds and writes no audit entry (chosen). */
export async function revokeToken(
  { tokens }: Pick<TokenStores, 'tokens'>,
  _call: Call,
  input: { tokenHash: string },
): Promise<WithAuditDetails> {
  const owner = await tokens.findTokenUser(input.tokenHash)
  if (!owner) return { audit: nothingDone }
  await tokens.removeToken(input.tokenHash)
  return { audit: { username: owner.username, portalId: owner.portalId } }
}

/** A change of password. */
export interface PasswordChange extends SignIn {
  readonly newPassword: Parsed<string>
}

/** First half of a change of password: reads the hash to compare the present password with. */
export async function beginPasswordChange(
  stores: TokenReaders,
  call: Call,
  input: PasswordChange,
): Promise<{ readonly isSelf: boolean; readonly passwordHash: string }> {
  const { user, isSelf, passwordHash } = await requirePasswordChange(stores, call, input)
  unwrapParsed(input.newPassword)
  if (isSelf) await requireFewFailures(stores, call, input, user)
  return { isSelf, passwordHash }
}

/** A change of password whose passwords were verified and hashed outside the transaction. */
export interface VerifiedChange extends SignIn {
  /** Undefined if the present password was wrong. */
  readonly verified: { readonly presentHash: string; readonly newHash: string } | undefined
}

/**
 * Second half: sets the password and revokes every token of the user; refused if the password was changed meanwhile. A
 * wrong present password counts as a failed sign-in. An administrator's change ends the limits on the account, whose user
 * may have reached them.
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
  if (passwordHash !== verified.presentHash) throw operationRefused('The password was changed meanwhile.')
  await stores.directory.putPasswordHash(user.userId, verified.newHash)
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
