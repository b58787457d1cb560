import { nothingDone, type WithAuditDetails } from '../call/audit-details.ts'
import type { Call } from '../call/call.ts'
import type { LogoutNotice } from './provider.ts'
import { logoutTokenMilliseconds } from './provider.ts'
import type { EndedSession, IdentityStores } from './store.ts'

/** Sign-ins that a logout token ends; its id is stored as a hash. */
export interface EndedAtProvider extends Pick<LogoutNotice, 'issuer' | 'subject' | 'session' | 'issuedAt'> {
  readonly tokenHash: string
}

/**
 * Ends the browser sessions that the provider names, and what apps were granted by them: of one session there, or of a
 * subject. False for a token that was used before, which ends nothing.
 */
export async function endProviderSessions(
  stores: IdentityStores,
  call: Call,
  input: EndedAtProvider,
): Promise<WithAuditDetails & { readonly isAccepted: boolean }> {
  const { identities, oauth, directory } = stores
  const { issuer, subject, session, tokenHash, issuedAt } = input
  // Clocks may differ by as much as a token is old.
  const isNew = await identities.useLogoutToken(tokenHash, Math.max(issuedAt, call.now) + 2 * logoutTokenMilliseconds)
  if (!isNew) return { isAccepted: false, audit: nothingDone }
  const identity = subject === undefined ? undefined : await identities.findIdentity(issuer, subject)
  if (subject !== undefined && !identity) return { isAccepted: true, audit: nothingDone }
  const ended: EndedSession = session === undefined ? { userId: identity!.userId } : { providerSession: session }
  const grants = await identities.listGrantsOf(issuer, ended)
  for (const grant of grants) await oauth.removeGrant(grant)
  const sessions = await identities.removeSessionsOf(issuer, ended)
  const userId = sessions[0] ?? grants[0]?.userId
  const user = userId === undefined ? undefined : await directory.findUserById(userId)
  if (!user) return { isAccepted: true, audit: nothingDone }
  const { username, portalId } = user
  const data = { sessions: sessions.length, grants: grants.length }
  return { isAccepted: true, audit: { username, portalId, data } }
}
