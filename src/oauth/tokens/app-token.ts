import type { WithAuditDetails } from '../../call/audit-details.ts'
import type { Call } from '../../call/call.ts'
import { nameOfApp } from '../../call/caller.ts'
import type { App } from '../apps/app.ts'
import type { OAuthStores } from '../store.ts'

/** Minutes for which an app's own token lives (documented). */
export const appTokenMinutes = { usual: 120, max: 20_160 } as const

/** A token for the app itself: the caller has given its secret, which is right. The oldest tokens above the limit end (chosen). */
export async function issueAppToken(
  { oauth, tokens }: OAuthStores,
  { now, limits }: Call,
  app: App & { readonly portalId: string },
  tokenHash: string,
  { minutes, latest }: { readonly minutes: number; readonly latest: number },
): Promise<WithAuditDetails & { readonly username: string; readonly expiresAt: number }> {
  const { clientId, portalId } = app
  const username = nameOfApp(clientId)
  const expiresAt = Math.min(now + minutes * 60_000, latest)
  await tokens.removeExpired(now)
  await oauth.addAppToken({ tokenHash, clientId, createdAt: now, expiresAt }, limits.appTokens)
  return { username, expiresAt, audit: { username, portalId } }
}
