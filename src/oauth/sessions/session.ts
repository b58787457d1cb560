import type { SignInMethod } from '../grant.ts'

/** Kinds of sessions: a token by username and password, a grant to an app, or a browser on the pages of sign-in. */
export const sessionKinds = ['token', 'app', 'browser'] as const
export type SessionKind = (typeof sessionKinds)[number]

/** A sign-in of a user that has not ended. */
export interface Session {
  /** 32 lower-case hex characters: of a grant its id, otherwise half of a hash, by which nothing can be done but end it. */
  readonly sessionId: string
  readonly kind: SessionKind
  /** Undefined unless it is of an app. */
  readonly clientId: string | undefined
  /** Undefined unless it is of an app that is registered here. */
  readonly appTitle: string | undefined
  readonly way: SignInMethod
  /** Key of `addressKey`; undefined for a token that was made before it was kept. */
  readonly address: string | undefined
  readonly agent: string | undefined
  readonly createdAt: number
  /** When the last token was issued, or the page was used last; undefined for a token by username and password. */
  readonly lastUsedAt: number | undefined
  readonly expiresAt: number
}

/** Ways to end a session. */
export type SessionKey =
  | { readonly kind: 'token'; readonly tokenHash: string }
  | { readonly kind: 'app'; readonly grantId: string; readonly userId: string; readonly clientId: string }
  | { readonly kind: 'browser'; readonly sessionHash: string }

/** Id under which what has a hash is shown. */
export function sessionIdOf(hash: string): string {
  return hash.slice(0, 32)
}

export function isSessionId(text: string): boolean {
  return /^[0-9a-f]{32}$/.test(text)
}
