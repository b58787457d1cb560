import type { App } from './apps/app.ts'
import { isBuiltIn } from './apps/app.ts'
import { outOfBand } from './apps/redirect-uri.ts'

const day = 24 * 60

/** Minutes; chosen but for the lives of tokens, which are documented. */
export const accessMinutes = 30
const defaultRefreshMinutes = 14 * day
const maxBuiltInRefresh = day
/** A grant ends without a refresh for so long. */
export const idleMinutes = 7 * day
export const sessionIdleMinutes = 2 * 60
export const sessionMinutes = 12 * 60

/** The moment, and that since which a session has to have been used: an earlier one has ended. */
export function timesOfSessions(now: number): { readonly now: number; readonly idleSince: number } {
  return { now, idleSince: now - sessionIdleMinutes * 60_000 }
}

/** Milliseconds for which a page of sign-in may be open. */
export const requestMilliseconds = 30 * 60_000

/** How long a code is remembered after its end, so that a second use is noticed. */
export const replayMilliseconds = day * 60_000

/** Milliseconds for which a code is valid: a person who copies it needs minutes. */
export function codeMilliseconds(redirectUri: string): number {
  return redirectUri === outOfBand ? 10 * 60_000 : 60_000
}

/** Minutes from the sign-in after which everything of a grant has ended, however often it is renewed. */
export function maxLifetimeMinutes(app: Pick<App, 'portalId'>, max: number): number {
  return isBuiltIn(app) ? Math.min(maxBuiltInRefresh, max) : max
}

/**
 * Minutes for which a refresh token lives: what the client asks for, two weeks without a wish, and with -1 as long as
 * possible (documented).
 */
export function refreshMinutes(app: Pick<App, 'portalId'>, requested: number | undefined, max: number): number {
  const longest = maxLifetimeMinutes(app, max)
  if (requested === undefined) return Math.min(defaultRefreshMinutes, longest)
  return requested === -1 ? longest : Math.min(requested, longest)
}
