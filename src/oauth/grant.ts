import { field, type Named, type RecordOf } from '../record.ts'

/** How a user signed in. */
export type SignInMethod = 'password' | 'session' | 'provider'

const signedInFields = {
  way: field.text<SignInMethod>(),
  address: field.text(),
  /** The start of the User-Agent. */
  agent: field.text(),
  /** Issuer of an identity provider, and its session. */
  issuer: field.text().optional(),
  providerSession: field.text().optional(),
}

/** Where a user signed in, for the list of sessions. */
export interface SignedInAt extends RecordOf<typeof signedInFields>, Named {}

export const grantFields = {
  ...signedInFields,
  grantId: field.text(),
  userId: field.id(),
  clientId: field.text(),
  createdAt: field.time(),
  /** Time of the last token. */
  lastUsedAt: field.time(),
  /** It ends then in any case. */
  expiresAt: field.time(),
  /** It ends when it is unused for so long. */
  idleMinutes: field.number(),
  /** The app gave its secret for the code, and has to give it at every refresh (RFC 6749 §6). */
  needsSecret: field.flag(),
}

/** Permission that a user gave an app; its codes, refresh tokens and tokens end with it. People call it a session. */
export interface Grant extends RecordOf<typeof grantFields>, Named {}

export const codeFields = {
  codeHash: field.text(),
  grantId: field.text(),
  clientId: field.text(),
  redirectUri: field.text(),
  challenge: field.text().optional(),
  challengeMethod: field.choice(['S256', 'plain']).optional(),
  refreshMinutes: field.number(),
  expiresAt: field.time(),
  /** Undefined until it is used; a used one stays for a while, so that a second use is detected. */
  usedAt: field.time().optional(),
}

/** By which an app gets the first tokens of a grant, once. */
export interface AuthorizationCode extends RecordOf<typeof codeFields>, Named {}

export const refreshTokenFields = {
  tokenHash: field.text(),
  grantId: field.text(),
  createdAt: field.time(),
  expiresAt: field.time(),
  /** Lifetime of the token, and of its successor. */
  lifetimeMinutes: field.number(),
  /** Undefined while it is valid; an exchanged one stays, so that a second use is detected. */
  exchangedAt: field.time().optional(),
}

export interface RefreshToken extends RecordOf<typeof refreshTokenFields>, Named {}

export const browserSessionFields = {
  ...signedInFields,
  sessionHash: field.text(),
  userId: field.id(),
  createdAt: field.time(),
  lastUsedAt: field.time(),
  expiresAt: field.time(),
  /** For the identity provider's sign-out. */
  sealedIdToken: field.text().optional(),
}

/** A user who is signed in on the pages of sign-in, by a cookie. */
export interface BrowserSession extends RecordOf<typeof browserSessionFields>, Named {}

/** Longest User-Agent that is kept, in characters. */
export const maxAgentLength = 200
