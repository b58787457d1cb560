import type { Accounted, Call, Caller } from '../directory/caller.ts'
import { builtInRoles, isBuiltInRole, isPrivilege } from '../directory/privilege.ts'
import type { DirectoryStore } from '../directory/store.ts'
import { usernameKey } from '../directory/user.ts'
import { disableUser, requirePasswordChange } from '../directory/user-operations.ts'
import { operationRefused, tooManyRequests } from '../errors.ts'
import type { TokenStore } from './store.ts'
import type { SignInLimit } from './token.ts'

interface Needs {
  readonly tokens: TokenStore
  readonly directory: DirectoryStore
}

const builtInPrivileges = new Map(
  Object.entries(builtInRoles).map(([role, privileges]) => [role, new Set(privileges)] as const),
)

/** Who a token stands for; undefined where it is unknown, expired or revoked, or its user disabled. */
export async function findCaller(
  { tokens }: Pick<Needs, 'tokens'>,
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
  /** Where the sign-in comes from. */
  readonly address: string
  readonly limit: SignInLimit
}

function sinceWhen(now: number, limit: SignInLimit): number {
  return now - limit.minutes * 60_000
}

/** Refuses with 429 while an account has too many failures from an address; successful sign-ins never count. */
async function requireFewFailures({ tokens }: Pick<Needs, 'tokens'>, now: number, signIn: SignIn): Promise<void> {
  const { limit } = signIn
  const failures = await tokens.listFailures(usernameKey(signIn.username), signIn.address, sinceWhen(now, limit))
  if (failures.length < limit.failures) return
  const freeAt = failures[failures.length - limit.failures]! + limit.minutes * 60_000
  throw tooManyRequests(Math.max(1, Math.ceil((freeAt - now) / 1000)))
}

/** First half of a sign-in: the hash to compare with, undefined for unknown users. */
export async function beginSignIn(
  stores: Needs,
  call: Call,
  input: SignIn,
): Promise<{ readonly passwordHash: string | undefined }> {
  await requireFewFailures(stores, call.now, input)
  const user = await stores.directory.findUser(input.username)
  return { passwordHash: user && (await stores.directory.findPasswordHash(user.userId)) }
}

/**
 * Second half, after the password was compared outside the transaction. A burst of guesses gains nothing by running at
 * once: failures are counted again here, and then even the right password is refused.
 */
export async function finishSignIn(
  stores: Needs,
  call: Call,
  input: SignIn & { verifiedHash: string | undefined; tokenHash: string; expiresAt: number },
): Promise<Accounted & { readonly signedIn: boolean }> {
  const { tokens, directory } = stores
  await requireFewFailures(stores, call.now, input)
  await tokens.removeFailures(sinceWhen(call.now, input.limit))
  const user = await directory.findUser(input.username)
  const matches =
    user !== undefined &&
    !user.disabled &&
    input.verifiedHash !== undefined &&
    (await directory.findPasswordHash(user.userId)) === input.verifiedHash
  if (!matches) {
    await tokens.addFailure(usernameKey(input.username), input.address, call.now)
    return { signedIn: false, account: { portalId: user?.portalId, outcome: 400 } }
  }
  await tokens.removeExpired(call.now)
  const { tokenHash, expiresAt } = input
  await tokens.addToken({ tokenHash, userId: user.userId, createdAt: call.now, expiresAt })
  await directory.updateUser({ ...user, lastSignInAt: call.now })
  return { signedIn: true, account: { portalId: user.portalId } }
}

/** Whose token it is, however long ago it expired; undefined for one that is not there. */
export async function findTokenOwner(
  { tokens }: Pick<Needs, 'tokens'>,
  _call: Call,
  input: { tokenHash: string },
): Promise<{ readonly username: string; readonly portalId: string } | undefined> {
  return tokens.findTokenUser(input.tokenHash)
}

/** Sign-out. */
export async function revokeToken(
  { tokens }: Pick<Needs, 'tokens'>,
  _call: Call,
  input: { tokenHash: string },
): Promise<void> {
  await tokens.removeToken(input.tokenHash)
}

/** A wrong password given elsewhere than at sign-in: it counts, and is limited, all the same. */
export async function recordFailedSignIn(stores: Pick<Needs, 'tokens'>, call: Call, input: SignIn): Promise<void> {
  await requireFewFailures(stores, call.now, input)
  await stores.tokens.addFailure(usernameKey(input.username), input.address, call.now)
}

/** Sets a password and ends every token of the user; refused if the password changed meanwhile. */
export async function changePassword(
  stores: Needs,
  call: Call,
  input: SignIn & { verifiedHash: string; passwordHash: string },
): Promise<void> {
  const { user, isSelf, passwordHash: present } = await requirePasswordChange(stores, call, input)
  if (isSelf) await requireFewFailures(stores, call.now, input)
  if (present !== input.verifiedHash) {
    throw operationRefused('The password was changed by somebody else meanwhile.')
  }
  await stores.directory.putPasswordHash(user.userId, input.passwordHash)
  await stores.tokens.removeTokensOf(user.userId)
}

/** Disabling ends the tokens too: enabled again, the user has to sign in. */
export async function disableSignIn(stores: Needs, call: Call, input: { username: string }): Promise<void> {
  const { userId } = await disableUser(stores, call, input)
  await stores.tokens.removeTokensOf(userId)
}
