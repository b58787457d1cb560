import type { ServerResponse } from 'node:http'
import { tooManyRequests } from '../../errors.ts'
import type { LimitCounts, Limits } from '../../limits.ts'
import type { Sender } from './sender.ts'

/** Milliseconds that requests of a sender may take beyond one after the other until they wait for each other (chosen). */
const leeway = 1_000
/** Milliseconds that one after the other would take, beyond which they are not counted (chosen). */
const mostCounted = 5_000
/** Most milliseconds for which a place rests (chosen). */
const longestRest = 1_000
/** Milliseconds for which another sender is there after a request (chosen). */
const presence = 1_000
/** Times as many for a network (chosen): it may have many senders who are not known. */
const ofNetwork = 4
/** Most senders that are remembered while no request of theirs is in progress. */
const mostSenders = 10_000
/** Most requests of a user that wait (chosen). */
const mostWaiting = 1_000
const secondsUntilTurn = 1

/** A request as it waits. */
export interface Beginning {
  readonly sender: Sender
  /** Of its body. */
  readonly bytes: number
  readonly response: Pick<ServerResponse, 'once' | 'off' | 'closed'>
}

export interface OneAtATime {
  /**
   * What has to be called when the work of the request is done; a promise of it where the sender has to wait. Rejects with 429
   * if too many of the sender wait. Never resolves if its client goes while it waits.
   */
  begin(request: Beginning): (() => void) | Promise<() => void>
  /** The server ends: nothing waits any more. */
  close(): void
}

/** Of one sender. */
interface Line {
  /** Requests that have a place; one that rests counts. */
  inProgress: number
  /** In the order in which they came. */
  readonly waiting: Set<() => void>
  /** Of the bodies of those. */
  waitingBytes: number
  /** When all requests that were answered would have been, one after the other. */
  paidUntil: number
}

/**
 * A sender who asks when the last request is answered never waits here, nor does one who is alone. Of one who asks many
 * at a time, one request (`requestsAtOnce`) is in progress while others ask too. If more of them wait when it ends, its place
 * rests as long as it was taken, a second at most, whatever comes meanwhile. Wherever requests spend their time, in the thread,
 * in the database or on its disk, others find one of the sender there at most, and not one for each of the sender's connections.
 */
export function openOneAtATime(
  { requestsAtOnce, writeBytesInFlight }: Pick<Limits, 'requestsAtOnce' | 'writeBytesInFlight'>,
  limitCounts: LimitCounts,
  now: () => number = () => performance.now(),
  after: (milliseconds: number, act: () => void) => void = actAfter,
): OneAtATime {
  const lines = new Map<string, Line>()
  let last = { key: '', at: Number.NEGATIVE_INFINITY }
  /** The last of another sender than `last`. */
  let other = last
  let isClosing = false

  function notice(key: string): void {
    if (last.key !== key) {
      other = last
      last = { key, at: 0 }
    }
    last.at = now()
  }

  function isAlone(key: string): boolean {
    const { at } = last.key === key ? other : last
    return now() - at > presence
  }

  function mostOf({ isUser }: Sender): number {
    return requestsAtOnce * (isUser ? 1 : ofNetwork)
  }

  function isFree(sender: Sender, { paidUntil }: Line): boolean {
    return paidUntil - now() < leeway || isAlone(sender.key) || isClosing
  }

  function mayBegin(sender: Sender, line: Line): boolean {
    return line.inProgress < mostOf(sender) || isFree(sender, line)
  }

  /** Of places beyond those that the sender may have, none does: leaving them lets nothing begin. */
  function hasToRest(sender: Sender, line: Line): boolean {
    return line.waiting.size > 0 && line.inProgress <= mostOf(sender) && !isFree(sender, line)
  }

  function lineOf(key: string): Line {
    const known = lines.get(key)
    if (known) return known
    if (lines.size >= mostSenders) forgetOld()
    const line = { inProgress: 0, waiting: new Set<() => void>(), waitingBytes: 0, paidUntil: 0 }
    lines.set(key, line)
    return line
  }

  function forgetOld(): void {
    for (const [key, { inProgress, paidUntil }] of lines) {
      if (inProgress === 0 && paidUntil <= now()) lines.delete(key)
    }
  }

  function beginNext(sender: Sender, line: Line): void {
    for (const begin of line.waiting) {
      if (!mayBegin(sender, line)) return
      begin()
    }
  }

  /**
   * The time counts as if a request were in progress, and what a timer is late too: else those that wait would be free after
   * a while, and begin together.
   */
  function rest(sender: Sender, line: Line, milliseconds: number): void {
    const end = now() + milliseconds
    charge(sender, line, now(), milliseconds)
    after(milliseconds, () => {
      charge(sender, line, end, Math.max(0, now() - end))
      leavePlace(sender, line)
    })
  }

  function leavePlace(sender: Sender, line: Line): void {
    line.inProgress -= 1
    beginNext(sender, line)
  }

  function charge(sender: Sender, line: Line, since: number, milliseconds: number): void {
    const until = Math.max(line.paidUntil, since) + milliseconds / mostOf(sender)
    line.paidUntil = Math.min(until, now() + mostCounted)
  }

  /** Resolves when the request has its place. */
  async function wait({ sender, bytes, response }: Beginning, line: Line): Promise<void> {
    limitCounts.add('requestsAtOnce')
    const times = sender.isUser ? 1 : ofNetwork
    const isFull = line.waiting.size >= mostWaiting * times || line.waitingBytes + bytes > writeBytesInFlight * times
    if (line.waiting.size > 0 && isFull) throw tooManyRequests('requestsAtOnce', secondsUntilTurn)
    await new Promise<void>((resolve) => {
      function leave(): void {
        line.waiting.delete(begin)
        line.waitingBytes -= bytes
        response.off('close', leave)
      }
      function begin(): void {
        leave()
        line.inProgress += 1
        resolve()
      }
      if (response.closed) return
      line.waiting.add(begin)
      line.waitingBytes += bytes
      response.once('close', leave)
    })
  }

  /** A request has its place: what has to be called when its work is done. */
  function enter(sender: Sender, line: Line): () => void {
    const begun = now()
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      const spent = now() - begun
      charge(sender, line, begun, spent)
      if (hasToRest(sender, line)) rest(sender, line, Math.min(spent, longestRest))
      else leavePlace(sender, line)
    }
  }

  return {
    begin(request) {
      const { sender } = request
      notice(sender.key)
      const line = lineOf(sender.key)
      if (line.waiting.size > 0 || !mayBegin(sender, line)) return wait(request, line).then(() => enter(sender, line))
      line.inProgress += 1
      return enter(sender, line)
    },
    close() {
      isClosing = true
      for (const { waiting } of lines.values()) for (const begin of waiting) begin()
    },
  }
}

function actAfter(milliseconds: number, act: () => void): void {
  setTimeout(act, milliseconds).unref()
}
