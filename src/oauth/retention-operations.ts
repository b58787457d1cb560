import { nothingDone, type WithAuditDetails } from '../call/audit-details.ts'
import type { Call } from '../call/call.ts'
import { replayMilliseconds } from './lifetimes.ts'
import type { OAuthStores } from './store.ts'

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
