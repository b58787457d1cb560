import { ownName } from '../state/own-name.ts'

/**
 * Sign-in in a separate window, beside the page that waits for it. The pages of sign-in cut the tie between the two windows:
 * the answer comes by a broadcast channel, and its state identifies the waiting page.
 */

/** Name of the window, and of the channel. */
export const windowName = ownName('signIn')

/** Prefix of the state of such a sign-in. */
export const stateOfWindow = 'window.'

/** Passes on the answer in the address of this window, if another window waits for it; returns whether it does. */
export function passOnAnswer(query: URLSearchParams): boolean {
  if (!query.get('state')?.startsWith(stateOfWindow)) return false
  new BroadcastChannel(windowName).postMessage(Object.fromEntries(query))
  window.close()
  return true
}

/** Waits for the answer that the window passes on; undefined if the signal aborts. Other tabs have their own. */
export function awaitAnswer(state: string, signal: AbortSignal): Promise<Readonly<Record<string, string>> | undefined> {
  return new Promise((resolve) => {
    const channel = new BroadcastChannel(windowName)
    const end = (answer?: Readonly<Record<string, string>>) => {
      channel.close()
      resolve(answer)
    }
    signal.addEventListener('abort', () => end())
    channel.addEventListener('message', ({ data }) => {
      const answer = data as Readonly<Record<string, string>>
      if (answer.state === state) end(answer)
    })
  })
}
