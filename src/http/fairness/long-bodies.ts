import type { ServerResponse } from 'node:http'
import type { Sender } from './sender.ts'

/** What a sender may do at a time, and in time (chosen). */
interface Allowance {
  /** Long bodies in progress. */
  readonly atOnce: number
  readonly bytesPerMillisecond: number
}

const ofUser: Allowance = { atOnce: 1, bytesPerMillisecond: 4 * 1024 }
const ofNetwork: Allowance = { atOnce: 4, bytesPerMillisecond: 16 * 1024 }

/** What a sender may send at once after a pause, in milliseconds of its rate (chosen): 8 MiB of a user. */
const burst = 2_000
/** Bodies of fewer bytes are not counted (chosen): those of nearly all schemas, however many a program assigns. */
const leastCounted = 64 * 1024
/** Milliseconds after which a body is received in any case (chosen): a client may send for ten seconds in all. */
const longestWait = 5_000

/**
 * Resolves when the sender may send a body, which is in progress until the response is closed; then it is asked how many
 * bytes have come.
 */
export type AwaitLongBody = (
  sender: Sender,
  receivedBytes: () => number,
  response: Pick<ServerResponse, 'once' | 'closed'>,
) => Promise<void>

/** Of one sender. */
interface Line {
  inProgress: number
  /** In the order in which they came. */
  readonly waiting: Set<() => void>
  /** When all bytes that have come would have come at the rate of the sender. */
  paidUntil: number
  timer: NodeJS.Timeout | undefined
}

/**
 * Lets each sender have few long bodies in progress, and send them at a bounded rate: receiving a byte is the least that it
 * costs, as it goes through the memory, the log of the database and its disk. The others stay with their client, so
 * what other senders wait for is one body, and not one for each connection that the sender has.
 */
export function openLongBodies(): AwaitLongBody {
  const lines = new Map<string, Line>()

  function beginNext(sender: Sender, line: Line): void {
    clearTimeout(line.timer)
    for (const next of line.waiting) {
      if (line.inProgress === allowanceOf(sender).atOnce) return
      const pause = line.paidUntil - burst - performance.now()
      if (pause > 0) {
        lookAgain(sender, line, pause)
        return
      }
      next()
    }
    if (line.inProgress > 0) return
    const left = line.paidUntil - performance.now()
    if (left > 0) lookAgain(sender, line, left)
    else lines.delete(sender.key)
  }

  function lookAgain(sender: Sender, line: Line, milliseconds: number): void {
    line.timer = setTimeout(beginNext, milliseconds, sender, line).unref()
  }

  /** No further than a body may wait: the rest would only be waited for by those who come later. */
  function charge(sender: Sender, line: Line, bytes: number): void {
    if (bytes < leastCounted) return
    const until = Math.max(line.paidUntil, performance.now()) + bytes / allowanceOf(sender).bytesPerMillisecond
    line.paidUntil = Math.min(until, performance.now() + burst + longestWait)
  }

  return async (sender, receivedBytes, response) => {
    // Its client has gone before it was known whose request it is.
    if (response.closed) return
    const line = lines.get(sender.key) ?? { inProgress: 0, waiting: new Set(), paidUntil: 0, timer: undefined }
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
        else {
          line.inProgress -= 1
          charge(sender, line, receivedBytes())
        }
        beginNext(sender, line)
      })
      beginNext(sender, line)
    })
  }
}

function allowanceOf({ isUser }: Sender): Allowance {
  return isUser ? ofUser : ofNetwork
}
