import { field, type GivenOf, type Named } from '../record.ts'

export const tokenFields = {
  /** SHA-256 of the token's text, in lower-case hex. */
  tokenHash: field.text(),
  userId: field.id(),
  createdAt: field.time(),
  expiresAt: field.time(),
  /** Grant under which it was issued to an app; undefined for a token by username and password. */
  grantId: field.text().optional(),
  /** Where it was made, as `addressKey` has it, and the start of the User-Agent; a grant has its own. */
  address: field.text().optional(),
  agent: field.text().optional(),
}

/** A token as it is stored: only its SHA-256 hash, never the token itself (contract §2). */
export interface Token extends GivenOf<typeof tokenFields>, Named {}

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
