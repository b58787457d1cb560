import { nothingDone, type WithAuditDetails } from '../operations/audit-details.ts'
import type { Call } from '../operations/call.ts'
import type { TokenStore } from './store.ts'

/** Removes tokens that have expired, and failed sign-ins that no longer count. */
export async function removeExpiredTokens(
  { tokens }: { readonly tokens: TokenStore },
  call: Call,
  input: { failureMinutes: number },
): Promise<WithAuditDetails> {
  await tokens.removeExpired(call.now)
  await tokens.removeFailures(call.now - input.failureMinutes * 60_000)
  return { audit: nothingDone }
}
