import type { Caller } from '../directory/caller.ts'
import { builtInRoles, isBuiltInRole, isPrivilege } from '../directory/privilege.ts'
import { usernameKey } from '../directory/user.ts'
import { requirePasswordChange } from '../directory/user-operations.ts'
import { operationRefused, tooManyRequests } from '../errors.ts'
import { nothingDone, type WithAuditDetails } from '../operations/audit-details.ts'
import type { Call } from '../operations/call.ts'
import { type Parsed, unwrapParsed } from '../parsed.ts'
import type { TokenReader, TokenReaders, TokenStores } from './store.ts'
import type { SignInLimit } from './token.ts'

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

export interface SignIn {
  readonly username: string
  /** Network address of the client. */
  readonly address: string
  readonly limit: SignInLimit
}

function sinceWhen(now: number, limit: SignInLimit): number {
  return now - limit.minutes * 60_000
}

/** Refuses with 429 while an account has too many failures from an address; successful sign-ins do not count. */
async function requireFewFailures(
  { tokens }: { readonly tokens: TokenReader },
  now: number,
  signIn: SignIn,
): Promise<void> {
  const { limit } = signIn
  const failures = await tokens.listFailures(usernameKey(signIn.username), signIn.address, sinceWhen(now, limit))
  if (failures.length < limit.failures) return
  const freeAt = failures[failures.length - limit.failures]! + limit.minutes * 60_000
  throw tooManyRequests('signInFailures', Math.max(1, Math.ceil((freeAt - now) / 1000)))
}

/** First half of a sign-in: reads the hash to compare with; undefined for unknown users. */
export async function beginSignIn(
  stores: TokenReaders,
  call: Call,
  input: SignIn,
): Promise<{ readonly passwordHash: string | undefined }> {
  await requireFewFailures(stores, call.now, input)
  const user = await stores.directory.findUser(input.username)
  return { passwordHash: user && (await stores.directory.findPasswordHash(user.userId)) }
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
  const { username, address, limit, verifiedHash, tokenHash, expiresAt } = input
  await requireFewFailures(stores, call.now, input)
  await tokens.removeFailures(sinceWhen(call.now, limit))
  const user = await directory.findUser(username)
  const matches =
    user !== undefined &&
    !user.disabled &&
    verifiedHash !== undefined &&
    (await directory.findPasswordHash(user.userId)) === verifiedHash
  if (!matches) {
    await tokens.addFailure(usernameKey(username), address, call.now)
    return { signedIn: false, audit: { username, portalId: user?.portalId, outcome: 400 } }
  }
  await tokens.removeExpired(call.now)
  await tokens.addToken({ tokenHash, userId: user.userId, createdAt: call.now, expiresAt })
  await directory.updateUser({ ...user, lastSignInAt: call.now })
  return { signedIn: true, audit: { username, portalId: user.portalId } }
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
  const { isSelf, passwordHash } = await requirePasswordChange(stores, call, input)
  unwrapParsed(input.newPassword)
  if (isSelf) await requireFewFailures(stores, call.now, input)
  return { isSelf, passwordHash }
}

/**
 * Second half: sets the password and revokes every token of the user; refused if the password was changed meanwhile. A
 * wrong present password counts as a failed sign-in.
 */
export async function changePassword(
  stores: TokenStores,
  call: Call,
  input: SignIn & {
    /** Undefined if the present password was wrong. */
    readonly verified: { readonly presentHash: string; readonly newHash: string } | undefined
  },
): Promise<WithAuditDetails & { readonly changed: boolean }> {
  const { user, isSelf, passwordHash } = await requirePasswordChange(stores, call, input)
  const { verified } = input
  if (isSelf) await requireFewFailures(stores, call.now, input)
  if (!verified) {
    await stores.tokens.addFailure(usernameKey(input.username), input.address, call.now)
    return { changed: false, audit: { outcome: 400 } }
  }
  if (passwordHash !== verified.presentHash) throw operationRefused('The password was changed meanwhile.')
  await stores.directory.putPasswordHash(user.userId, verified.newHash)
  await stores.tokens.removeTokensOf(user.userId)
  return { changed: true, audit: {} }
}
