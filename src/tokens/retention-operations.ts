import { nothingDone, type WithAuditDetails } from '../call/audit-details.ts'
import type { Call } from '../call/call.ts'
import { replayMilliseconds } from '../oauth/lifetimes.ts'
import type { TokenStore } from './store.ts'

/** The part of the store of apps and grants that forgets what has ended. */
interface EndingSignIns {
  removeEnded(before: number): Promise<void>
}

/**
 * Removes tokens, grants, browser sessions, links and the like that have expired, and failed sign-ins that no longer count. What
 * a second use is to be noticed of stays for a day.
 */
export async function removeExpiredTokens(
  { tokens, oauth }: { readonly tokens: TokenStore; readonly oauth: EndingSignIns },
  call: Call,
  input: { failureMinutes: number },
): Promise<WithAuditDetails> {
  await tokens.removeExpired(call.now)
  await oauth.removeEnded(call.now - replayMilliseconds)
  await tokens.removeFailures(call.now - input.failureMinutes * 60_000)
  return { audit: nothingDone }
}
