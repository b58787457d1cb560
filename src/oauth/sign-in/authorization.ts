import { type App, isBuiltIn } from '../apps/app.ts'
import { isRegistered } from '../apps/redirect-uri.ts'
import { refreshMinutes } from '../lifetimes.ts'
import { type Challenge, challengePattern } from './proof-key.ts'

/** Seals what a browser carries from one page to the next; a browser can neither read nor change it. */
export interface TicketSeal {
  /** A text of base64url and dots. */
  seal(purpose: TicketPurpose, value: unknown): Promise<string>
  /** The value; undefined for what was sealed for another purpose, under another secret, or altered. */
  open(purpose: TicketPurpose, text: string): Promise<unknown>
}

export type TicketPurpose = 'authorization' | 'identity provider' | 'identity link' | 'id token'

/** Characters of the client's `state` (chosen). */
export const maxStateLength = 2_048

/** Parameters of a client at authorize, as given. */
export interface GivenAuthorization {
  readonly clientId: string
  readonly responseType: string | undefined
  readonly redirectUri: string | undefined
  readonly state: string | undefined
  readonly challenge: string | undefined
  readonly challengeMethod: string | undefined
  /** Minutes. */
  readonly expiration: number | undefined
}

/** A request that is in order: sealed, it goes with the page of sign-in. */
export interface AuthorizationRequest {
  readonly clientId: string
  readonly redirectUri: string
  readonly state: string | undefined
  readonly challenge: Challenge | undefined
  readonly refreshMinutes: number
}

export type JudgedAuthorization =
  | { readonly request: AuthorizationRequest }
  /** Shown on a page, and never sent to the address, which is not proven. */
  | { readonly page: 'redirectUri' | 'implicit' }
  /** Sent to the address, in the words of RFC 6749 §4.1.2.1. */
  | { readonly error: string; readonly description: string }

/** Whether an app may be signed in to in this way; the client id is the app's. */
export function judgeAuthorization(
  app: App,
  given: GivenAuthorization,
  maxRefreshMinutes: number,
): JudgedAuthorization {
  const { redirectUri, responseType, state, expiration } = given
  if (redirectUri === undefined || !isRegistered(redirectUri, app)) return { page: 'redirectUri' }
  // Python asks so first, and goes on with a code after a page (observed).
  if (responseType === 'token') return { page: 'implicit' }
  if (responseType !== 'code')
    return { error: 'unsupported_response_type', description: 'response_type has to be code.' }
  if (state !== undefined && state.length > maxStateLength)
    return invalid(`state has more than ${maxStateLength} characters.`)
  const challenge = readChallenge(app, given, redirectUri)
  if (typeof challenge === 'string') return invalid(challenge)
  const minutes = refreshMinutes(app, expiration, maxRefreshMinutes)
  return { request: { clientId: app.clientId, redirectUri, state, challenge, refreshMinutes: minutes } }
}

function invalid(description: string): JudgedAuthorization {
  return { error: 'invalid_request', description }
}

/** The challenge, or what is wrong with it. */
function readChallenge(app: App, given: GivenAuthorization, redirectUri: string): Challenge | string | undefined {
  const { challenge, challengeMethod = 'plain' } = given
  if (challenge === undefined) {
    if (given.challengeMethod !== undefined) return 'code_challenge is missing.'
    const needsNone = app.cannotProve || app.appType === 'server' || app.appType === 'multiple'
    return needsNone && !app.queryMayDiffer ? undefined : 'code_challenge is required, with the method S256.'
  }
  if (!challengePattern.test(challenge)) return 'code_challenge has to have 43 to 128 letters, digits, or -._~.'
  if (challengeMethod === 'S256') return { challenge, method: 'S256' }
  if (challengeMethod !== 'plain') return 'code_challenge_method has to be S256.'
  // Pages of an insecure origin have no digests (observed).
  const isPlainAllowed = (app.allowsPlain || /^http:/.test(redirectUri)) && !app.queryMayDiffer && !isBuiltIn(app)
  return isPlainAllowed ? { challenge, method: 'plain' } : 'code_challenge_method has to be S256 for this app.'
}
