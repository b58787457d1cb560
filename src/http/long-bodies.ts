import type { ServerResponse } from 'node:http'

/** Whose request it is. */
export interface Sender {
  /** Id of a user; of a request without a known token, the network that it comes from. */
  readonly key: string
  readonly isUser: boolean
}

/** Long bodies of one user, and of one network, that may be in progress at a time (chosen). */
const mostOfUser = 1
const mostOfNetwork = 4

/** Milliseconds after which a body is received in any case (chosen): a client may send for ten seconds in all. */
const longestWait = 5_000

/** Resolves when the sender may send one more; it is in progress until its response is closed. */
export type AwaitLongBody = (sender: Sender, response: Pick<ServerResponse, 'once' | 'closed'>) => Promise<void>

/** Of one sender. */
interface Line {
  inProgress: number
  /** In the order in which they came. */
  readonly waiting: Set<() => void>
}

/**
 * Lets each sender have few long bodies in progress. The others stay with their client until an earlier one is answered, so
 * what other senders wait for is one body, and not one for each connection that the sender has.
 */
export function openLongBodies(): AwaitLongBody {
  const lines = new Map<string, Line>()

  function beginNext({ key, isUser }: Sender, line: Line): void {
    const [next] = line.waiting
    if (next && line.inProgress < (isUser ? mostOfUser : mostOfNetwork)) next()
    if (line.inProgress === 0 && line.waiting.size === 0) lines.delete(key)
  }

  return async (sender, response) => {
    // Its client has gone before it was known whose request it is.
    if (response.closed) return
    const line = lines.get(sender.key) ?? { inProgress: 0, waiting: new Set() }
    lines.set(sender.key, line)
    await new Promise<void>((resolve) => {
      const late = setTimeout(begin, longestWait).unref()
      function begin(): void {
        clearTimeout(late)
        line.waiting.delete(begin)
        line.inProgress += 1
        resolve()
      }
      line.waiting.add(begin)
      response.once('close', () => {
        if (line.waiting.delete(begin)) clearTimeout(late)
        else line.inProgress -= 1
        beginNext(sender, line)
      })
      beginNext(sender, line)
    })
  }
}
