/** How a user signed in. */
export type SignInMethod = 'password' | 'session' | 'provider'

/** Place of a sign-in, for the list of sessions. */
export interface SignedInAt {
  readonly way: SignInMethod
  readonly address: string
  /** The start of the User-Agent. */
  readonly agent: string
  /** Issuer of an identity provider, and its session. */
  readonly issuer: string | undefined
  readonly providerSession: string | undefined
}

/** Permission that a user gave an app; its codes, refresh tokens and tokens end with it. People call it a session. */
export interface Grant extends SignedInAt {
  readonly grantId: string
  readonly userId: string
  readonly clientId: string
  /** Epoch milliseconds. */
  readonly createdAt: number
  /** Time of the last token. */
  readonly lastUsedAt: number
  /** It ends then in any case. */
  readonly expiresAt: number
  /** It ends when it is unused for so long. */
  readonly idleMinutes: number
  /** The app gave its secret for the code, and has to give it at every refresh (RFC 6749 §6). */
  readonly needsSecret: boolean
}

/** One-time code for the first tokens of a grant. */
export interface AuthorizationCode {
  readonly codeHash: string
  readonly grantId: string
  readonly clientId: string
  readonly redirectUri: string
  readonly challenge: string | undefined
  readonly challengeMethod: 'S256' | 'plain' | undefined
  readonly refreshMinutes: number
  readonly expiresAt: number
  /** Undefined until it is used. */
  readonly usedAt: number | undefined
}

export interface RefreshToken {
  readonly tokenHash: string
  readonly grantId: string
  readonly createdAt: number
  readonly expiresAt: number
  readonly lifetimeMinutes: number
  /** Undefined while it is valid. */
  readonly exchangedAt: number | undefined
}

/** A user who is signed in on the pages of sign-in. */
export interface BrowserSession extends SignedInAt {
  readonly sessionHash: string
  readonly userId: string
  readonly createdAt: number
  readonly lastUsedAt: number
  readonly expiresAt: number
  /** For the identity provider's sign-out. */
  readonly sealedIdToken: string | undefined
}

/** Maximum length of a User-Agent that is kept, in characters. */
export const maxAgentLength = 200
