import { ownName } from '../state/own-name.ts'
import { makeRandomText } from './proof-key.ts'

/**
 * The tabs of the application in one browser have one sign-in. A tab that is signed in holds a lock, so that a new one knows without
 * waiting whether to ask; it asks, answers and signs out by a broadcast channel. Both reach
 * pages of this origin alone, and have the path of the server in their names: a token is for tabs of one server.
 */

/** Name of the channel and of the lock. */
const name = ownName('session')
/** Time in which a tab answers, in milliseconds (chosen): one that the browser has put to sleep does not. */
const answerTimeout = 2_000

type Message =
  | { readonly kind: 'ask'; readonly id: string }
  | { readonly kind: 'answer'; readonly id: string; readonly refreshToken: string }
  | { readonly kind: 'signIn'; readonly refreshToken: string }
  | { readonly kind: 'signOut' }

interface Answers {
  /** Refresh token of this tab, if it is signed in. */
  readonly refreshToken: () => string | undefined
  /** Called with the refresh token of a tab in which a person has signed in. */
  readonly signedIn: (refreshToken: string) => void
  /** Called when another tab signs out. */
  readonly signedOut: () => void
}

let channel: BroadcastChannel | undefined
let release: (() => void) | undefined

/** Answers other tabs from now on. */
export function answerOtherTabs({ refreshToken, signedIn, signedOut }: Answers): void {
  channel ??= new BroadcastChannel(name)
  channel.addEventListener('message', ({ data }) => {
    const message = data as Message
    if (message.kind === 'signOut') signedOut()
    if (message.kind === 'signIn') signedIn(message.refreshToken)
    const mine = refreshToken()
    if (message.kind === 'ask' && mine !== undefined) send({ kind: 'answer', id: message.id, refreshToken: mine })
  })
}

/** Says by the lock whether this tab is signed in. */
export function holdSignIn(isSignedIn: boolean): void {
  if (isSignedIn === (release !== undefined)) return
  release?.()
  release = undefined
  if (!isSignedIn) return
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  // Pages over plain HTTP have no locks, and no sign-in either.
  navigator.locks?.request(name, { mode: 'shared' }, () => held).catch(() => {})
}

/** Refresh token of another tab that is signed in. */
export async function askOtherTabs(): Promise<string | undefined> {
  const { held = [] } = (await navigator.locks?.query()) ?? {}
  if (!held.some((lock) => lock.name === name)) return undefined
  const id = makeRandomText()
  const asking = new BroadcastChannel(name)
  const answer = new Promise<string | undefined>((resolve) => {
    const timer = setTimeout(resolve, answerTimeout)
    asking.addEventListener('message', ({ data }) => {
      const message = data as Message
      if (message.kind !== 'answer' || message.id !== id) return
      clearTimeout(timer)
      resolve(message.refreshToken)
    })
  })
  asking.postMessage({ kind: 'ask', id } satisfies Message)
  return answer.finally(() => asking.close())
}

/** Says that a person has signed in here. */
export function tellOtherTabs(refreshToken: string): void {
  send({ kind: 'signIn', refreshToken })
}

/** Signs out all other tabs. */
export function signOutOtherTabs(): void {
  send({ kind: 'signOut' })
}

function send(message: Message): void {
  channel?.postMessage(message)
}
