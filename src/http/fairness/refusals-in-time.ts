import type { ServerResponse } from 'node:http'
import type { LimitCounts, Limits } from '../../limits.ts'

/** Milliseconds between two refusals of one sender that had too many at once (chosen). */
const between = 100
/** Milliseconds after which a refusal is answered in any case (chosen). */
const longestWait = 5_000
/** Most senders that are remembered. */
const mostSenders = 10_000

export interface RefusalsInTime {
  /** Resolves when the sender may know of one more refusal, at once when its client has gone; undefined if that is now. */
  take(key: string, response: Pick<ServerResponse, 'once' | 'off' | 'closed'>): Promise<void> | undefined
  /** The server ends: nothing waits any more. */
  close(): void
}

/**
 * A sender who is refused again and again waits for each refusal, instead of asking again at once: a refusal costs its sender
 * nothing, and the server a request. `now`: milliseconds.
 */
export function openRefusalsInTime(
  { refusalsAtOnce }: Pick<Limits, 'refusalsAtOnce'>,
  limitCounts: LimitCounts,
  now: () => number = () => performance.now(),
): RefusalsInTime {
  const burst = refusalsAtOnce * between
  /** When all refusals of a sender would have come one after the other. */
  const paidUntil = new Map<string, number>()
  const waiting = new Set<() => void>()
  let isClosed = false

  /** Charges a refusal; milliseconds that it has to wait. */
  function charge(key: string): number {
    const time = now()
    const until = Math.max(paidUntil.get(key) ?? 0, time) + between
    if (!paidUntil.has(key) && paidUntil.size >= mostSenders) forgetOld(time)
    // No further than a refusal waits: the rest would only be waited for by later ones.
    paidUntil.set(key, Math.min(until, time + burst + longestWait))
    return Math.min(Math.max(0, until - burst - time), longestWait)
  }

  function forgetOld(time: number): void {
    for (const [key, until] of paidUntil) if (until <= time) paidUntil.delete(key)
    if (paidUntil.size >= mostSenders) paidUntil.clear()
  }

  return {
    take(key, response) {
      const milliseconds = charge(key)
      if (milliseconds === 0 || response.closed || isClosed) return undefined
      limitCounts.add('refusalsAtOnce')
      return new Promise((resolve) => {
        const timer = setTimeout(end, milliseconds)
        function end(): void {
          clearTimeout(timer)
          waiting.delete(end)
          response.off('close', end)
          resolve()
        }
        waiting.add(end)
        response.once('close', end)
      })
    },
    close() {
      isClosed = true
      for (const end of waiting) end()
    },
  }
}
