/** An account of the identity provider, proven by a signed ID token. */
export interface ProvenIdentity {
  readonly issuer: string
  readonly subject: string
  /** Claims of the ID token and of the user information; where both have one, that of the ID token. */
  readonly claims: Readonly<Record<string, unknown>>
  readonly idToken: string
  /** Id of the session there, by which a logout token names it. */
  readonly session: string | undefined
}

/** State that a sign-in begins with, and has to come back to. */
export interface ProviderTransaction {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

/** Content of a valid logout token: a session has ended, or all of a subject. */
export interface LogoutNotice {
  readonly issuer: string
  readonly subject: string | undefined
  readonly session: string | undefined
  /** Id of the logout token, which counts once. */
  readonly tokenId: string
  /** Epoch milliseconds. */
  readonly issuedAt: number
}

/** The identity provider. Every method rejects with ProviderFailure. */
export interface IdentityProvider {
  /** Address of the sign-in. */
  begin(transaction: ProviderTransaction, callback: string): Promise<string>
  /** `answer`: the callback's address with what the provider added to it. */
  complete(transaction: ProviderTransaction, answer: URL): Promise<ProvenIdentity>
  readLogoutToken(token: string): Promise<LogoutNotice>
  /** Address of the sign-out there; undefined if the provider has none. */
  findSignOut(idToken: string | undefined, back: string): Promise<string | undefined>
  /** Findings about the provider, for its inspection. */
  inspect(callback: string): AsyncIterable<ProviderFinding>
}

/** One finding of an inspection. */
export interface ProviderFinding {
  readonly level: 'ok' | 'warning' | 'problem'
  readonly text: string
}

/** `unreachable`: it does not answer as it should. `refused`: what it or a browser sent is not accepted. */
export class ProviderFailure extends Error {
  override readonly name = 'ProviderFailure'
  readonly kind: 'unreachable' | 'refused'

  /** `message` is for the operator: it has no token, code or secret in it. */
  constructor(kind: 'unreachable' | 'refused', message: string) {
    super(message)
    this.kind = kind
  }
}

/** Maximum number of milliseconds for which a logout token counts (documented). */
export const logoutTokenMilliseconds = 120_000
