/**
 * A sign-in in a window of its own, beside the page that waits for it. The pages of sign-in cut the tie between the two windows:
 * the answer comes by a channel, and its state says whose it is.
 */

/** Name of the window, and of the channel. */
export const windowName = 'cartulary.signIn'

/** How the state of such a sign-in begins. */
export const stateOfWindow = 'window.'

/** Passes on the answer in the address of this window, if that belongs to another one; whether it does. */
export function passOnAnswer(query: URLSearchParams): boolean {
  if (!query.get('state')?.startsWith(stateOfWindow)) return false
  new BroadcastChannel(windowName).postMessage(Object.fromEntries(query))
  window.close()
  return true
}

/** The answer that the window passes on; undefined if the signal ends this. Other tabs have their own. */
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
