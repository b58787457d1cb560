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

/**
 * Resolves when the sender may send one more, and never if its response is closed before; it is in progress until then.
 */
export type AwaitLongBody = (sender: Sender, response: Pick<ServerResponse, 'once'>) => Promise<void>

/** Of one sender. */
interface Line {
  inProgress: number
  /** In the order in which they came. */
  readonly waiting: Set<() => void>
}

/**
 * Lets each sender have few long bodies in progress. The others stay with their client until an earlier one is answered, so
 * what everybody else waits for is one body, and not one for each connection that the sender has.
 */
export function openLongBodies(): AwaitLongBody {
  const lines = new Map<string, Line>()

  function beginNext({ key, isUser }: Sender, line: Line): void {
    const [next] = line.waiting
    if (next && line.inProgress < (isUser ? mostOfUser : mostOfNetwork)) {
      line.waiting.delete(next)
      line.inProgress += 1
      next()
    }
    if (line.inProgress === 0) lines.delete(key)
  }

  return (sender, response) =>
    new Promise((begin) => {
      const line = lines.get(sender.key) ?? { inProgress: 0, waiting: new Set() }
      lines.set(sender.key, line)
      line.waiting.add(begin)
      response.once('close', () => {
        if (!line.waiting.delete(begin)) line.inProgress -= 1
        beginNext(sender, line)
      })
      beginNext(sender, line)
    })
}
