import { field, type GivenOf, type Named } from '../../record.ts'

export const passwordLinkFields = {
  /** SHA-256 of what is in its address, in lower-case hex. */
  linkHash: field.text(),
  userId: field.id(),
  /** The administrator who made it, without whose right it is worth nothing (chosen); undefined for one that the operator or the page made. */
  makerId: field.id().optional(),
  expiresAt: field.time(),
}

/** By which a user sets a new password once and within an hour, whether an administrator, the operator or the page of sign-in made it (chosen). */
export interface PasswordLink extends GivenOf<typeof passwordLinkFields>, Named {}

export const linkMilliseconds = 60 * 60_000

/** Milliseconds between two links that are mailed to one user (chosen): anyone can ask for them. */
export const linkInterval = 10 * 60_000
