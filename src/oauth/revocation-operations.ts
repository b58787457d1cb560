import { nothingDone, type WithAuditDetails } from '../operations/audit-details.ts'
import type { Call } from '../operations/call.ts'
import type { Grant } from './grant.ts'
import type { OAuthStores } from './store.ts'

/**
 * Signs out. A refresh token, or a token of an app, ends what the user allowed that app; a token by username and password ends
 * alone. For an unknown token, and for one of another app than the client says, it succeeds and writes no audit entry (chosen).
 */
export async function revokeToken(
  stores: OAuthStores,
  _call: Call,
  input: { readonly tokenHash: string; readonly clientId: string | undefined },
): Promise<WithAuditDetails> {
  const { oauth, tokens, directory } = stores
  const { tokenHash, clientId } = input
  const grant = await findGrantOf(stores, tokenHash)
  if (grant) {
    if (clientId !== undefined && clientId !== grant.clientId) return { audit: nothingDone }
    const user = await directory.findUserById(grant.userId)
    await oauth.removeGrant(grant)
    return { audit: user ? { username: user.username, portalId: user.portalId } : nothingDone }
  }
  const owner = await tokens.findTokenUser(tokenHash)
  if (!owner) return { audit: nothingDone }
  await tokens.removeToken(tokenHash)
  return { audit: { username: owner.username, portalId: owner.portalId } }
}

/** Of a refresh token, also of one that was exchanged, or of an access token. */
async function findGrantOf({ oauth }: OAuthStores, tokenHash: string): Promise<Grant | undefined> {
  const refreshToken = await oauth.findRefreshToken(tokenHash)
  return refreshToken ? oauth.findGrant(refreshToken.grantId) : oauth.findGrantOfToken(tokenHash)
}
