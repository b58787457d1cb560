import {
  ApiError,
  type CallOptions,
  callWithToken,
  type FilePart,
  fetchFile,
  type Parameters,
  type Tagged,
} from '../api/call.ts'
import { base } from '../navigation/navigation.ts'
import { challengeOf, makeRandomText } from './proof-key.ts'

/**
 * The sign-in of the person, by OAuth with a proof key. The token is in memory only; the refresh token is in the storage of
 * the tab, which ends with it.
 */

/** Who is signed in, with what the frame and the screens need of the user and the organization. */
export interface SignedIn {
  readonly username: string
  readonly fullName: string
  readonly role: string
  readonly privileges: ReadonlySet<string>
  readonly portal: { readonly id: string; readonly name: string }
}

/**
 * `expired`: the person was signed in, what they do waits until they sign in again. `passedOn`: this is the window in which
 * they did, and it has nothing more to do.
 */
export type SessionState = 'signedOut' | 'signedIn' | 'expired' | 'passedOn'

interface TokenAnswer {
  readonly access_token: string
  readonly expires_in: number
  readonly username: string
  readonly refresh_token?: string
}

interface StartedSignIn {
  readonly state: string
  readonly proofKey: string
  /** Where the person was, as an address below the application. */
  readonly place: string
}

/** The client id of this application. */
export const clientId = 'cartulary'
const refreshKey = 'cartulary.refresh'
const startedKey = 'cartulary.signIn'
const channelName = 'cartulary.signIn'
/** How the state of a sign-in begins that has a window of its own. */
const stateOfWindow = 'window.'
/** Tokens are renewed this long before their end, in milliseconds. */
const margin = 30_000

const changes = new EventTarget()
let state: SessionState = 'signedOut'
let person: SignedIn | undefined
let token: { readonly value: string; readonly ends: number } | undefined
let renewal: Promise<void> | undefined

/** Calls back after each change of the session; answers the function that ends this. */
export function watchSession(listener: () => void): () => void {
  changes.addEventListener('change', listener)
  return () => changes.removeEventListener('change', listener)
}

export function sessionState(): SessionState {
  return state
}

/** The person who is signed in, also while their sign-in has expired. */
export function signedIn(): SignedIn | undefined {
  return person
}

/** Whether the person has a privilege, such as `portal:admin:categorizeItems`. */
export function mayUse(privilege: string): boolean {
  return person?.privileges.has(privilege) ?? false
}

/** Takes up the answer of a sign-in that comes back to this page, or the refresh token of this tab. */
export async function openSession(): Promise<void> {
  const query = new URLSearchParams(window.location.search)
  const started = readStarted()
  if (query.has('state') && (query.has('code') || query.has('error'))) {
    // Pages of sign-in cut the tie between the windows: the state says whose answer this is.
    if (query.get('state')!.startsWith(stateOfWindow)) {
      new BroadcastChannel(channelName).postMessage(Object.fromEntries(query))
      window.close()
      setState('passedOn')
      return
    }
    window.history.replaceState(null, '', new URL(started?.place ?? '', base))
    sessionStorage.removeItem(startedKey)
    await exchangeCode(query, started)
  } else if (sessionStorage.getItem(refreshKey)) {
    await renew()
  }
  if (token) await loadPerson()
}

/** Leaves for the page of sign-in, which comes back to the present place. */
export async function signIn(): Promise<void> {
  window.location.assign(await startSignIn())
}

/** The same, to come to another place, as an address below the application; the page of sign-in has the username already. */
export async function signInTo(place: string, username: string): Promise<void> {
  window.location.assign(await startSignIn({ place, username }))
}

/** Signs in again in a window of its own, so that nothing of the present screen is lost. Call it from a click. */
export async function signInAgain(): Promise<void> {
  const opened = window.open('', channelName, 'popup,width=480,height=640')
  const address = await startSignIn({ stateBegins: opened ? stateOfWindow : '' })
  if (!opened) {
    window.location.assign(address)
    return
  }
  const answer = listenOnce()
  opened.location.assign(address)
  const started = readStarted()
  await exchangeCode(new URLSearchParams(await answer), started)
  const before = person
  await loadPerson()
  // Another person must not go on with what this one had begun.
  if (before && before.username !== person?.username) window.location.assign(base)
}

/** Ends the tokens of this tab, and leaves for the page that ends the session of the browser. */
export async function signOut(): Promise<void> {
  const refreshToken = sessionStorage.getItem(refreshKey) ?? undefined
  const ended = token?.value
  forget()
  setState('signedOut')
  const revoke = (words: Parameters) =>
    callWithToken('/oauth2/revokeToken', { client_id: clientId, ...words }, { method: 'POST' })
  await Promise.allSettled([
    refreshToken && revoke({ auth_token: refreshToken, token_type_hint: 'refresh_token' }),
    ended && revoke({ auth_token: ended, token_type_hint: 'access_token' }),
  ])
  // The page of the server asks whether the session of the browser ends too, and leads back.
  const address = new URL('sharing/rest/oauth2/signout', base)
  address.search = new URLSearchParams({ client_id: clientId, redirect_uri: base.href }).toString()
  window.location.assign(address)
}

/** Calls an operation as the person; waits while their sign-in has expired, so that nothing typed is lost. */
export async function call<Answer>(
  path: string,
  parameters: Parameters = {},
  options: CallOptions = {},
): Promise<Answer> {
  return (await callTagged<Answer>(path, parameters, options)).answer
}

/** The same, with the entity tag of the answer. */
export async function callTagged<Answer>(
  path: string,
  parameters: Parameters = {},
  options: CallOptions = {},
): Promise<Tagged<Answer>> {
  return asPerson(options.signal, (token) => callWithToken<Answer>(path, parameters, { ...options, token }))
}

/** The same, for an answer that is a file. */
export async function callForFile(path: string, parameters: Parameters, options: CallOptions = {}): Promise<Blob> {
  return (await callForPart(path, parameters, options)).blob
}

/** The same, for a file that is given in parts. */
export async function callForPart(path: string, parameters: Parameters, options: CallOptions = {}): Promise<FilePart> {
  return asPerson(options.signal, (token) => fetchFile(path, parameters, { ...options, token }))
}

const tokenEnded = new Set([498, 499])

/** Repeats what was refused for a token that had ended, with the next one. */
async function asPerson<Answer>(
  signal: AbortSignal | undefined,
  work: (token: string | undefined) => Promise<Answer>,
): Promise<Answer> {
  for (;;) {
    if (person && (!token || token.ends - margin < Date.now())) await renew()
    if (state === 'expired') await signedInAgain(signal)
    const used = token?.value
    try {
      return await work(used)
    } catch (error) {
      if (!person || !(error instanceof ApiError && tokenEnded.has(error.code))) throw error
      // Another call may have renewed it meanwhile.
      if (token?.value === used) token = undefined
    }
  }
}

/** Fulfilled when the person has signed in again. */
function signedInAgain(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = watchSession(() => {
      if (state === 'expired') return
      stop()
      resolve()
    })
    signal?.addEventListener('abort', () => {
      stop()
      reject(signal.reason)
    })
  })
}

/** One renewal at a time, however many calls need it. */
function renew(): Promise<void> {
  renewal ??= exchangeRefreshToken().finally(() => {
    renewal = undefined
  })
  return renewal
}

async function exchangeRefreshToken(): Promise<void> {
  const refreshToken = sessionStorage.getItem(refreshKey)
  try {
    if (!refreshToken) throw new ApiError({ code: 498, message: 'The sign-in has ended.' }, undefined)
    keep(await postToken({ grant_type: 'refresh_token', refresh_token: refreshToken }))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    token = undefined
    sessionStorage.removeItem(refreshKey)
    setState(person ? 'expired' : 'signedOut')
  }
}

async function exchangeCode(query: URLSearchParams, started: StartedSignIn | undefined): Promise<void> {
  if (!started || query.get('state') !== started.state) return
  const code = query.get('code')
  // The person did not want to sign in, or may not: the page of sign-in has said why.
  if (!code) return
  keep(
    await postToken({
      grant_type: 'authorization_code',
      code,
      code_verifier: started.proofKey,
      redirect_uri: base.href,
    }),
  )
}

async function postToken(parameters: Parameters): Promise<TokenAnswer> {
  const { answer } = await callWithToken<TokenAnswer>(
    '/oauth2/token',
    { client_id: clientId, ...parameters },
    { method: 'POST' },
  )
  return answer
}

function keep({ access_token, expires_in, refresh_token }: TokenAnswer): void {
  token = { value: access_token, ends: Date.now() + expires_in * 1000 }
  if (refresh_token) sessionStorage.setItem(refreshKey, refresh_token)
}

interface SelfAnswer {
  readonly username: string
  readonly fullName: string
  readonly role: string
  readonly privileges: readonly string[]
}

async function loadPerson(): Promise<void> {
  const options = { token: token?.value }
  const [{ answer: user }, { answer: portal }] = await Promise.all([
    callWithToken<SelfAnswer>('/community/self', {}, options),
    callWithToken<{ readonly id: string; readonly name: string }>('/portals/self', {}, options),
  ])
  person = {
    username: user.username,
    fullName: user.fullName,
    role: user.role,
    privileges: new Set(user.privileges),
    portal: { id: portal.id, name: portal.name },
  }
  setState('signedIn')
}

interface SignInStart {
  /** Where the sign-in comes back to, as an address below the application; by default the present place. */
  readonly place?: string
  /** Filled in on the page of sign-in. */
  readonly username?: string | undefined
  readonly stateBegins?: string
}

async function startSignIn({
  place = window.location.href.slice(base.href.length),
  username,
  stateBegins = '',
}: SignInStart = {}): Promise<string> {
  const started: StartedSignIn = { state: stateBegins + makeRandomText(), proofKey: makeRandomText(), place }
  sessionStorage.setItem(startedKey, JSON.stringify(started))
  const address = new URL('sharing/rest/oauth2/authorize', base)
  address.search = new URLSearchParams({
    client_id: clientId,
    redirect_uri: base.href,
    response_type: 'code',
    state: started.state,
    code_challenge: await challengeOf(started.proofKey),
    code_challenge_method: 'S256',
    ...(username && { prepopulatedusername: username }),
  }).toString()
  return address.href
}

function readStarted(): StartedSignIn | undefined {
  const stored = sessionStorage.getItem(startedKey)
  return stored === null ? undefined : (JSON.parse(stored) as StartedSignIn)
}

/** The answer that the window of the sign-in passes on. */
function listenOnce(): Promise<Record<string, string>> {
  return new Promise((resolve) => {
    const channel = new BroadcastChannel(channelName)
    channel.addEventListener('message', ({ data }) => {
      channel.close()
      resolve(data as Record<string, string>)
    })
  })
}

function forget(): void {
  token = undefined
  person = undefined
  sessionStorage.removeItem(refreshKey)
  sessionStorage.removeItem(startedKey)
}

function setState(next: SessionState): void {
  state = next
  changes.dispatchEvent(new Event('change'))
}
