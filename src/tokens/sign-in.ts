import type { Call } from '../call/call.ts'
import type { User } from '../directory/user.ts'
import { tooManyRequests } from '../errors.ts'
import type { PasswordTurn } from './password.ts'
import {
  findSignInRefusal,
  knownMilliseconds,
  maxKnownAddresses,
  type SignInLimit,
  type SignInSource,
} from './sign-in-limit.ts'
import type { TokenReader, TokenReaders, TokenStores } from './store.ts'

export interface SignIn extends SignInSource {
  readonly username: string
  readonly limit: SignInLimit
}

function sinceWhen(now: number, limit: SignInLimit): number {
  return now - limit.minutes * 60_000
}

/** Refuses with 429 while there are too many failures; successful sign-ins do not count. */
export async function requireFewFailures(
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
export function addFailure({ tokens }: TokenStores, { now }: Call, signIn: SignIn): Promise<void> {
  const { accountKey, address, crossSiteOrigin } = signIn
  return tokens.addFailure({ accountKey, address, crossSiteOrigin, failedAt: now })
}

/** First half of a sign-in by password: reads the hash to compare with; undefined for unknown users. */
export async function beginSignIn(
  stores: TokenReaders,
  call: Call,
  input: SignIn,
): Promise<{ readonly passwordHash: string | undefined; readonly turn: PasswordTurn }> {
  const user = await stores.directory.findUser(input.username)
  const turn = await requireFewFailures(stores, call, input, user)
  return { turn, passwordHash: user && (await stores.directory.findPasswordHash(user.userId)) }
}

/** A sign-in whose password was verified outside the transaction. */
export interface ComparedSignIn extends SignIn {
  /** The hash that the password matched; undefined if it matched none. */
  readonly verifiedHash: string | undefined
}

/** Who signs in by a password, if it matches, and whom the username names. */
export interface SignedIn {
  readonly user: User | undefined
  readonly named: User | undefined
  /** The password matches, and has to be changed first: there is no sign-in, and no failure. */
  readonly hasToChange?: true
}

/**
 * Second half of a sign-in by password: the user; undefined if it failed, which is counted. Failures are counted again here, so
 * many guesses in parallel do not get past the limit. With `portalId`, only users of that organization sign in.
 */
export async function completeSignIn(
  stores: TokenStores,
  call: Call,
  input: ComparedSignIn,
  portalId?: string,
): Promise<SignedIn> {
  const { tokens, directory } = stores
  const compared = await compareSignIn(stores, call, input, portalId)
  if (!compared.user) return compared
  const passwordEnd = await directory.findPasswordEnd(compared.user.userId)
  if (passwordEnd !== undefined && passwordEnd <= call.now) {
    return { user: undefined, named: compared.user, hasToChange: true }
  }
  await tokens.removeExpired(call.now)
  await tokens.putSignIn(compared.user.userId, input.address, call.now, maxKnownAddresses)
  const user = { ...compared.user, lastSignInAt: call.now }
  await directory.updateUser(user)
  return { user, named: user }
}

/** Whether the password is the user's; if not, that is counted. */
export async function compareSignIn(
  stores: TokenStores,
  call: Call,
  input: ComparedSignIn,
  portalId?: string,
): Promise<SignedIn> {
  const { tokens, directory } = stores
  const { limit, verifiedHash } = input
  const named = await directory.findUser(input.username)
  await requireFewFailures(stores, call, input, named)
  await tokens.removeFailures(sinceWhen(call.now, limit))
  const matches =
    named !== undefined &&
    !named.disabled &&
    (portalId === undefined || named.portalId === portalId) &&
    verifiedHash !== undefined &&
    (await directory.findPasswordHash(named.userId)) === verifiedHash
  if (matches) return { user: named, named }
  await addFailure(stores, call, input)
  return { user: undefined, named }
}
