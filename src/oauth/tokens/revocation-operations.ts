import { nothingDone, type WithAuditDetails } from '../../call/audit-details.ts'
import type { Call } from '../../call/call.ts'
import { roleOfApps } from '../../call/caller.ts'
import { oauthRefused } from '../../errors.ts'
import { judgeSecret } from '../apps/app.ts'
import { findEnabledApp } from '../apps/app-access.ts'
import type { Grant } from '../grant.ts'
import { replayMilliseconds } from '../lifetimes.ts'
import type { OAuthStores } from '../store.ts'

/**
 * Signs out. A refresh token, or a token of an app, ends what the user allowed that app; a token by username and password ends
 * alone, and so does an app's own. For an unknown token, and for one of another app than the client says, it succeeds and writes no audit entry (chosen).
 * A secret need not be given, as the token itself is proof enough; one that is given has to be the app's (chosen).
 */
export async function revokeToken(
  stores: OAuthStores,
  { now }: Call,
  input: {
    readonly tokenHash: string
    readonly clientId: string | undefined
    readonly secretHash: string | undefined
  },
): Promise<WithAuditDetails> {
  const { oauth, tokens, directory } = stores
  const { tokenHash, clientId, secretHash } = input
  const app = clientId === undefined || secretHash === undefined ? undefined : await findEnabledApp(stores, clientId)
  if (app && judgeSecret(app, secretHash, now) === 'secret')
    throw oauthRefused('invalid_request', 'Invalid client_secret')
  const grant = await findGrantOf(stores, tokenHash)
  if (grant) {
    if (clientId !== undefined && clientId !== grant.clientId) return { audit: nothingDone }
    const user = await directory.findUserById(grant.userId)
    await oauth.removeGrant(grant)
    return { audit: user ? { username: user.username, portalId: user.portalId } : nothingDone }
  }
  const owner = await tokens.findTokenUser(tokenHash)
  if (!owner) return { audit: nothingDone }
  if (owner.role === roleOfApps) {
    if (clientId !== undefined && clientId !== owner.userId) return { audit: nothingDone }
    await oauth.removeAppToken(tokenHash)
  } else await tokens.removeToken(tokenHash)
  return { audit: { username: owner.username, portalId: owner.portalId } }
}

/** Finds the grant of a refresh token, also of one that was exchanged, or of an access token. */
async function findGrantOf({ oauth }: OAuthStores, tokenHash: string): Promise<Grant | undefined> {
  const refreshToken = await oauth.findRefreshToken(tokenHash)
  return refreshToken ? oauth.findGrant(refreshToken.grantId) : oauth.findGrantOfToken(tokenHash)
}

/**
 * Removes tokens, grants, browser sessions, links and the like that have expired, and failed sign-ins that no longer count. What
 * a second use is to be noticed of stays for a day.
 */
export async function removeExpiredTokens(
  { tokens, oauth }: Pick<OAuthStores, 'tokens' | 'oauth'>,
  call: Call,
  input: { failureMinutes: number },
): Promise<WithAuditDetails> {
  await tokens.removeExpired(call.now)
  await oauth.removeEnded(call.now - replayMilliseconds)
  await tokens.removeFailures(call.now - input.failureMinutes * 60_000)
  return { audit: nothingDone }
}
