/** A token as it is stored: only its SHA-256 hash, never the token itself (contract §2). */
export interface Token {
  /** SHA-256 of the token's text, in lower-case hex. */
  readonly tokenHash: string
  readonly userId: string
  /** Epoch milliseconds. */
  readonly createdAt: number
  readonly expiresAt: number
  /** Grant under which it was issued to an app; undefined for a token by username and password. */
  readonly grantId?: string
  /** Place where it was made, by `addressKey`, and the start of the User-Agent; a grant has its own. */
  readonly address?: string
  readonly agent?: string
}

/** Milliseconds by which the clocks of servers may differ (chosen). */
const maxClockSkew = 5 * 60_000

/** Whether it begins later than clocks may differ: it was given while a clock was wrong, and would outlive its time. */
export function isOfTheFuture({ createdAt }: { readonly createdAt: number }, now: number): boolean {
  return createdAt > now + maxClockSkew
}

const defaultMinutes = 60
/** Fifteen days: no setting allows more (documented). */
export const maxMinutes = 21_600

/** The requested lifetime, capped without an error (documented). */
export function tokenMinutes(requested: number | undefined, max: number): number {
  return Math.min(requested ?? defaultMinutes, max)
}
