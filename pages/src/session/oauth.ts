import { callWithToken } from '../api/call.ts'
import type { Parameters } from '../api/parameters.ts'
import { base } from '../navigation/navigation.ts'
import { presentLanguage } from '../texts/texts.ts'
import { challengeOf, makeRandomText } from './proof-key.ts'

/** OAuth with a proof key: the address of the page of sign-in, and exchanging its answer for tokens. */

/** The client id of this application. */
export const clientId = 'cartulary'

export interface TokenAnswer {
  readonly access_token: string
  /** Lifetime in seconds. */
  readonly expires_in: number
  readonly username: string
  readonly refresh_token?: string
}

/** A sign-in whose answer is pending. */
export interface StartedSignIn {
  readonly state: string
  readonly proofKey: string
  /** Place of the person, as an address below the application. */
  readonly place: string
}

export interface SignInStart {
  /** Place to return to, as an address below the application; by default the present one. */
  readonly place?: string
  /** Username that the page of sign-in has filled in. */
  readonly username?: string | undefined
  readonly stateBegins?: string
}

/** Starts a sign-in, and returns the address of its page. */
export async function startSignIn({
  place = window.location.href.slice(base.href.length),
  username,
  stateBegins = '',
}: SignInStart): Promise<{ readonly started: StartedSignIn; readonly address: string }> {
  const started: StartedSignIn = { state: stateBegins + makeRandomText(), proofKey: makeRandomText(), place }
  const address = new URL('sharing/rest/oauth2/authorize', base)
  address.search = new URLSearchParams({
    client_id: clientId,
    redirect_uri: base.href,
    response_type: 'code',
    state: started.state,
    code_challenge: await challengeOf(started.proofKey),
    code_challenge_method: 'S256',
    locale: presentLanguage(),
    ...(username && { prepopulatedusername: username }),
  }).toString()
  return { started, address: address.href }
}

export function exchangeCode(code: string, { proofKey }: StartedSignIn): Promise<TokenAnswer> {
  return postToken({
    grant_type: 'authorization_code',
    code,
    code_verifier: proofKey,
    redirect_uri: base.href,
  })
}

/** Exchanges a refresh token. Throws `ApiError` 498 if it has ended. */
export function exchangeRefreshToken(refreshToken: string): Promise<TokenAnswer> {
  return postToken({ grant_type: 'refresh_token', refresh_token: refreshToken })
}

async function postToken(parameters: Parameters): Promise<TokenAnswer> {
  return callWithToken('/oauth2/token', { client_id: clientId, ...parameters }, { method: 'POST' })
}

/** Revokes tokens, if the server answers. */
export async function revokeTokens(refreshToken: string | undefined, accessToken: string | undefined): Promise<void> {
  const revoke = (words: Parameters) =>
    callWithToken('/oauth2/revokeToken', { client_id: clientId, ...words }, { method: 'POST' })
  await Promise.allSettled([
    refreshToken && revoke({ auth_token: refreshToken, token_type_hint: 'refresh_token' }),
    accessToken && revoke({ auth_token: accessToken, token_type_hint: 'access_token' }),
  ])
}

/** Leaves for the server's page that ends the browser session too, and returns here. */
export function leaveSession(): void {
  const form = document.createElement('form')
  form.method = 'post'
  form.action = new URL('sharing/rest/oauth2/signout', base).href
  const values = { client_id: clientId, redirect_uri: base.href, confirmed: 'true' }
  for (const [name, value] of Object.entries(values)) {
    form.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value }))
  }
  document.body.append(form)
  form.submit()
}
