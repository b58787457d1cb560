import { createHash } from 'node:crypto'
import type { LightMyRequestResponse } from 'fastify'
import { type Body, type Client, formEncode, type Headers, type Parameters, type TestPortal } from './portal.ts'

/** The pages of sign-in, as a program goes through them that keeps no cookies. */

export const outOfBand = 'urn:ietf:wg:oauth:2.0:oob'

/** The page of sign-in for these parameters, by default of a code that is shown on a page. */
export function authorize(
  portal: TestPortal,
  parameters: Parameters,
  headers: Headers = {},
): Promise<LightMyRequestResponse> {
  const asked = { response_type: 'code', redirect_uri: outOfBand, ...parameters }
  return portal.inject({ url: `/oauth2/authorize?${formEncode(asked)}`, headers })
}

/** Data that the Python client reads from the page. */
export function oauthInfoOf(page: string): { readonly oauth_state: string; readonly messages: readonly string[] } {
  const text = /<script[^>]*>\s*var oAuthInfo = (\{.*?\});/s.exec(page)?.[1]
  if (text === undefined) throw new Error(`No page of sign-in: ${page}`)
  return JSON.parse(text)
}

/** The only script of a page that runs, as the policy of the page has it: by its digest. */
export function digestOfScript(page: string): string {
  const [own, ...others] = [...page.matchAll(/<script>(.*?)<\/script>/gs)].map(([, text]) => text!)
  if (own === undefined || others.length > 0) throw new Error(`Not one script: ${page}`)
  return `'sha256-${createHash('sha256').update(own).digest('base64')}'`
}

/** Sends the form of the page. */
export function sendSignIn(
  portal: TestPortal,
  page: LightMyRequestResponse,
  parameters: Parameters,
  headers: Headers = {},
): Promise<LightMyRequestResponse> {
  const { oauth_state } = oauthInfoOf(page.body)
  return portal.postForm('/oauth2/signin', { oauth_state, ...parameters }, headers)
}

/** The code of a sign-in, from the page that shows it or from the address that it is sent to. */
export async function signInToApp(
  portal: TestPortal,
  parameters: Parameters,
  credentials: { readonly username: string; readonly password: string },
  headers: Headers = {},
): Promise<string> {
  const answer = await sendSignIn(portal, await authorize(portal, parameters), credentials, headers)
  const location = answer.headers.location
  const code = location
    ? new URL(location).searchParams.get('code')
    : /<title>SUCCESS code=([\w-]+)<\/title>/.exec(answer.body)?.[1]
  if (!code)
    throw new Error(`${credentials.username} does not sign in: ${answer.statusCode} ${location ?? answer.body}`)
  return code
}

/** A proof key, with its parameters at authorize. */
export function proofKey(verifier = 'a verifier of the tests '.repeat(2).replaceAll(' ', '-')) {
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  return { verifier, asked: { code_challenge: challenge, code_challenge_method: 'S256' } }
}

/** A call of the token endpoint. */
export async function callToken(
  portal: TestPortal,
  grantType: string,
  parameters: Parameters,
  headers: Headers = {},
): Promise<Body> {
  return (await portal.postForm('/oauth2/token', { grant_type: grantType, ...parameters }, headers)).json()
}

/** The message of a page of sign-in. */
export async function messageOf(answer: Promise<{ readonly body: string }>): Promise<string | undefined> {
  return /role="alert"[^>]*>([^<]*)</.exec((await answer).body)?.[1]
}

/** Sends the form of a new password; with `link`, without the present one. */
export function sendNewPassword(
  portal: TestPortal,
  parameters: Parameters,
  headers: Headers = {},
): Promise<LightMyRequestResponse> {
  const { newPassword } = parameters
  return portal.postForm('/oauth2/newPassword', { repeated: newPassword, ...parameters }, headers)
}

/** Changes a password that has to be changed, and signs in. */
export async function changeTemporary(portal: TestPortal, username: string, password: string): Promise<Client> {
  const newPassword = 'chosen by the user alone'
  const answer = await sendNewPassword(portal, { username, password, newPassword })
  if (!answer.body.includes('Password changed')) throw new Error(`The password stays: ${answer.body}`)
  return portal.signIn(username, newPassword)
}
