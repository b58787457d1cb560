import {
  ApiError,
  type CallOptions,
  callForNewer,
  callWithToken,
  type FilePart,
  fetchFile,
  type TaggedAnswer,
} from '../api/call.ts'
import type { Parameters } from '../api/parameters.ts'
import { base } from '../navigation/navigation.ts'
import type { NamedOperationId } from '../operations/operation-names.ts'
import { Changes } from '../state/changes.ts'
import { ownName } from '../state/own-name.ts'
import {
  exchangeCode,
  exchangeRefreshToken,
  leaveSession,
  revokeTokens,
  type SignInStart,
  type StartedSignIn,
  startSignIn,
  type TokenAnswer,
} from './oauth.ts'
import { answerOtherTabs, askOtherTabs, holdSignIn, signOutOtherTabs, tellOtherTabs } from './other-tabs.ts'
import { readPerson, type SignedIn } from './person.ts'
import { awaitAnswer, passOnAnswer, stateOfWindow, windowName } from './sign-in-window.ts'

/**
 * Sign-in of the person, by OAuth with a proof key. The token is in memory only; the refresh token is in the storage of
 * the tab, which ends with it, and is given to further tabs while this one is open.
 */

/**
 * `expired`: the person was signed in, and pending calls wait until they sign in again. `passedOn`: this is the window in which
 * they did, and its task is done.
 */
export type SessionState = 'signedOut' | 'signedIn' | 'expired' | 'passedOn'

const refreshKey = ownName('refresh')
const startedKey = ownName('signIn')
/** Time before their end at which tokens are renewed, in milliseconds. */
const margin = 30_000

/** Changes of the session. */
export const sessionChanges = new Changes()

let state: SessionState = 'signedOut'
let person: SignedIn | undefined
let token: { readonly value: string; readonly ends: number } | undefined
let renewal: Promise<void> | undefined
let signInAttempt = new AbortController()
/** Aborts waiting calls when another person has signed in. */
const waiting = new AbortController()

export function sessionState(): SessionState {
  return state
}

/** Signed-in person, also while their sign-in has expired. */
export function signedIn(): SignedIn | undefined {
  return person
}

/** Whether the person may call an operation on a resource read with `withCan`; without one, on the organization or themselves. */
export function may(
  operation: NamedOperationId | 'checkPermission',
  { can = [] }: { readonly can?: readonly string[] } = person ?? {},
): boolean {
  return can.includes(operation)
}

/** Restores the session from the answer of a sign-in in the address, or from the refresh token of this tab or another one. */
export async function openSession(): Promise<void> {
  answerOtherTabs({
    refreshToken: () => (state === 'signedIn' ? (sessionStorage.getItem(refreshKey) ?? undefined) : undefined),
    signedOut: () => void endHere(),
    // A failure is none of this tab: it asks for a sign-in as before.
    signedIn: (refreshToken) => void continueWith(refreshToken).catch(() => {}),
  })
  let isFresh = false
  const query = new URLSearchParams(window.location.search)
  const started = readStarted()
  if (query.has('state') && (query.has('code') || query.has('error'))) {
    if (passOnAnswer(query)) {
      setState('passedOn')
      return
    }
    window.history.replaceState(null, '', new URL(started?.place ?? '', base))
    sessionStorage.removeItem(startedKey)
    const code = query.get('code')
    // Without a code the person cancelled the sign-in, or was refused: the page of sign-in has given the reason.
    if (code && started && query.get('state') === started.state) {
      keep(await exchangeCode(code, started))
      isFresh = true
    }
  } else {
    await restore(sessionStorage.getItem(refreshKey) ?? undefined)
    if (!token) await restore(await askOtherTabs())
  }
  if (!token) return
  const found = await readPerson(token.value)
  // Another tab may have signed out meanwhile.
  if (!hasToken()) return
  person = found
  setState('signedIn')
  if (isFresh) tellOtherTabs(sessionStorage.getItem(refreshKey) ?? '')
}

function hasToken(): boolean {
  return token !== undefined
}

/** Gets a token for a refresh token, if that has not ended. */
async function restore(refreshToken: string | undefined): Promise<void> {
  if (refreshToken === undefined) return
  sessionStorage.setItem(refreshKey, refreshToken)
  await renew()
}

/** Continues a session that has ended when its person has signed in again in another tab. */
async function continueWith(refreshToken: string): Promise<void> {
  if (state !== 'expired') return
  const tokens = await exchangeRefreshToken(refreshToken)
  const found = await readPerson(tokens.access_token)
  if (sessionState() !== 'expired' || !isPerson(found)) return
  sessionStorage.setItem(refreshKey, refreshToken)
  keep(tokens)
  person = found
  setState('signedIn')
}

/** Whether this is the person of this tab. */
function isPerson({ username, portal }: SignedIn): boolean {
  return person?.username === username && person.portal.id === portal.id
}

/** Reads the person and the organization again, after a change of what frame and screens show of them. */
export async function readPersonAgain(): Promise<void> {
  const value = await presentToken(undefined)
  if (!value || !person) return
  person = await readPerson(value)
  sessionChanges.emit()
}

/** Leaves for the page of sign-in, which returns to the present place. */
export async function signIn(): Promise<void> {
  await leaveToSignIn({})
}

/** Leaves for the page of sign-in with the username filled in; it returns to `place`, an address below the application. */
export async function signInTo(place: string, username: string): Promise<void> {
  await leaveToSignIn({ place, username })
}

/** Signs in with a password that was just chosen: sends the form of the page of sign-in, which returns to `place`. */
export async function signInWith(place: string, username: string, password: string): Promise<void> {
  const { started, address } = await startSignIn({ place, username })
  const page = await (await fetch(address)).text()
  const [, ticket = ''] = /"oauth_state":"([^"]+)"/.exec(page) ?? []
  const action = new URL('sharing/rest/oauth2/signin', base).href
  const form = Object.assign(document.createElement('form'), { method: 'post', action })
  for (const [name, value] of Object.entries({ oauth_state: ticket, username, password })) {
    form.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value }))
  }
  sessionStorage.setItem(startedKey, JSON.stringify(started))
  document.body.append(form)
  form.submit()
}

/**
 * Signs in again in a separate window, so that the present screen is kept. Call it from a click. `refused`: the
 * person did not sign in there. `replaced`: another call has started meanwhile, or the whole page leaves.
 */
export async function signInAgain(): Promise<'signedIn' | 'refused' | 'replaced'> {
  // Closing the window cannot be detected, as its pages cut the tie. The next attempt ends this one.
  signInAttempt.abort()
  signInAttempt = new AbortController()
  const { signal } = signInAttempt
  const opened = window.open('', windowName, 'popup,width=480,height=640')
  if (!opened) {
    await leaveToSignIn({})
    return 'replaced'
  }
  const { started, address } = await startSignIn({ stateBegins: stateOfWindow })
  if (signal.aborted) return 'replaced'
  const answered = awaitAnswer(started.state, signal)
  opened.location.assign(address)
  const answer = await answered
  if (!answer) return 'replaced'
  if (!answer.code) return 'refused'
  const tokens = await exchangeCode(answer.code, started)
  const found = await readPerson(tokens.access_token)
  if (person && !isPerson(found)) {
    // Another person must not continue the pending calls of this one: they are aborted, and the page restarts for the new person.
    keepRefreshToken(tokens)
    waiting.abort(new ApiError({ code: 498, message: 'Another person has signed in.' }, undefined))
    window.location.assign(base)
    return 'replaced'
  }
  keep(tokens)
  person = found
  setState('signedIn')
  tellOtherTabs(sessionStorage.getItem(refreshKey) ?? '')
  return 'signedIn'
}

/** Signs out every tab, and leaves for the page that ends the session of the browser. */
export async function signOut(): Promise<void> {
  signOutOtherTabs()
  await endHere()
  leaveSession()
}

/** Ends the session of this tab, and revokes its tokens. */
async function endHere(): Promise<void> {
  const refreshToken = sessionStorage.getItem(refreshKey) ?? undefined
  const ended = token?.value
  forget()
  setState('signedOut')
  await revokeTokens(refreshToken, ended)
}

/** Calls an operation as the person; waits while their sign-in has expired, so that no input is lost. */
export async function call<Answer>(
  path: string,
  parameters: Parameters = {},
  options: CallOptions = {},
): Promise<Answer> {
  return asPerson(options.signal, (token) => callWithToken<Answer>(path, parameters, { ...options, token }))
}

/** Calls an operation for an answer that is newer than the one with the tag `unless`; undefined if there is none. */
export async function callNewer<Answer>(
  path: string,
  parameters: Parameters,
  options: CallOptions,
): Promise<TaggedAnswer<Answer> | undefined> {
  return asPerson(options.signal, (token) => callForNewer<Answer>(path, parameters, { ...options, token }))
}

/** Calls an operation by POST, for changes and long parameters. */
export async function post<Answer>(path: string, parameters: Parameters = {}, signal?: AbortSignal): Promise<Answer> {
  return call(path, parameters, { method: 'POST', signal })
}

/** Calls an operation whose answer is a file. */
export async function callForFile(path: string, parameters: Parameters, options: CallOptions = {}): Promise<Blob> {
  return (await callForPart(path, parameters, options)).blob
}

/** Calls an operation whose answer is a part of a file. */
export async function callForPart(path: string, parameters: Parameters, options: CallOptions = {}): Promise<FilePart> {
  return asPerson(options.signal, (token) => fetchFile(path, parameters, { ...options, token }))
}

export const groupPath = (id: string) => `/community/groups/${encodeURIComponent(id)}`

export const userPath = (username: string) => `/community/users/${encodeURIComponent(username)}`

/** Path of the items of a user. */
export const contentPath = (username: string) => `/content/users/${encodeURIComponent(username)}`

/** Path of an item, for what its owner may do with it. */
export const itemPath = (owner: string, id: string) => `${contentPath(owner)}/items/${encodeURIComponent(id)}`

const tokenEnded = new Set([498, 499])

/** Retries a call once with the next token, if it was refused because its token had ended. */
async function asPerson<Answer>(
  signal: AbortSignal | undefined,
  work: (token: string | undefined) => Promise<Answer>,
): Promise<Answer> {
  const first = await presentToken(signal)
  try {
    return await work(first)
  } catch (error) {
    if (!person || !(error instanceof ApiError && tokenEnded.has(error.code))) throw error
    // Another call may have renewed it meanwhile.
    if (token?.value === first) token = undefined
  }
  return work(await presentToken(signal))
}

/** Token of the person, renewed if necessary; waits while their sign-in has expired. */
async function presentToken(signal: AbortSignal | undefined): Promise<string | undefined> {
  if (person && state !== 'expired' && (!token || token.ends - margin < Date.now())) await renew()
  if (state === 'expired') await signedInAgain(signal)
  return token?.value
}

/** Resolves when the person has signed in again, rejects when another person has. */
function signedInAgain(signal: AbortSignal | undefined): Promise<void> {
  const ended = AbortSignal.any([waiting.signal, ...(signal ? [signal] : [])])
  return new Promise((resolve, reject) => {
    ended.throwIfAborted()
    const stop = sessionChanges.watch(() => {
      if (state === 'expired') return
      stop()
      resolve()
    })
    ended.addEventListener('abort', () => {
      stop()
      reject(ended.reason)
    })
  })
}

/** Renews the token; concurrent calls share one renewal. */
function renew(): Promise<void> {
  renewal ??= takeNextToken().finally(() => {
    renewal = undefined
  })
  return renewal
}

async function takeNextToken(): Promise<void> {
  const refreshToken = sessionStorage.getItem(refreshKey)
  try {
    if (!refreshToken) throw new ApiError({ code: 498, message: 'The sign-in has ended.' }, undefined)
    keep(await exchangeRefreshToken(refreshToken))
  } catch (error) {
    // Only error 498 ends the session; after any other error the next call retries the renewal.
    if (!(error instanceof ApiError && error.code === 498)) throw error
    token = undefined
    sessionStorage.removeItem(refreshKey)
    setState(person ? 'expired' : 'signedOut')
  }
}

function keep(tokens: TokenAnswer): void {
  token = { value: tokens.access_token, ends: Date.now() + tokens.expires_in * 1000 }
  keepRefreshToken(tokens)
}

function keepRefreshToken({ refresh_token }: TokenAnswer): void {
  if (refresh_token) sessionStorage.setItem(refreshKey, refresh_token)
}

async function leaveToSignIn(start: SignInStart): Promise<void> {
  const { started, address } = await startSignIn(start)
  sessionStorage.setItem(startedKey, JSON.stringify(started))
  window.location.assign(address)
}

function readStarted(): StartedSignIn | undefined {
  const stored = sessionStorage.getItem(startedKey)
  return stored === null ? undefined : (JSON.parse(stored) as StartedSignIn)
}

function forget(): void {
  token = undefined
  person = undefined
  sessionStorage.removeItem(refreshKey)
  sessionStorage.removeItem(startedKey)
}

function setState(next: SessionState): void {
  state = next
  holdSignIn(next === 'signedIn')
  sessionChanges.emit()
}
