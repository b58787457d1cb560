import { type Delivery, retrySchedule, type Webhook, type WebhookSettings } from './hook.ts'

/** Outcome of an attempt: an answer, or the reason why there is none. */
export type AttemptOutcome = { readonly tookMs: number } & (
  | {
      readonly status: number
      readonly text: string | undefined
      /** Milliseconds that the receiver asks to wait; undefined if it does not. */
      readonly retryAfter: number | undefined
    }
  | { readonly failure: string }
)

/** Failure of an attempt that could not be signed. */
export const secretLost = 'secret lost'

/** Requests to addresses that people have chosen. */
export interface Outgoing {
  /** Sentence why an address may not be stored; undefined for one that may. Nothing is requested. */
  findRefusal(url: string): Promise<string | undefined>
  /** Sends one request, if the address is allowed; `timeout` in milliseconds. */
  post(request: {
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
    readonly body: Uint8Array
    readonly timeout: number
  }): Promise<AttemptOutcome>
}

export interface Settled {
  readonly delivery: Delivery
  readonly hook: Webhook
}

const day = 86_400_000

/** Failures in a row after which the oldest delivery alone is tried, and how often that is (chosen). */
const circuit = { failures: 5, interval: 60_000 } as const

/** Number of quick attempts: 0 and 1 are one. */
export const quickAttempts = ({ notificationAttempts }: Pick<WebhookSettings, 'notificationAttempts'>) =>
  Math.max(1, notificationAttempts)

interface Attempted extends Settled {
  readonly settings: Pick<WebhookSettings, 'notificationAttempts' | 'notificationElapsedTimeInSeconds'>
  readonly outcome: AttemptOutcome
  /** When the attempt ended. */
  readonly now: number
  /** Number from 0 up to 1, which spreads attempts of many deliveries. */
  readonly jitter: number
}

/** The delivery and its hook after an attempt. A hook that was switched off meanwhile stays off for the reason that it has. */
export function settleAttempt(attempted: Attempted): Settled {
  const { isActive, ending, endedBy, modifiedAt } = attempted.hook
  const { delivery, hook } = settle(attempted)
  return { delivery, hook: isActive ? hook : { ...hook, isActive, ending, endedBy, modifiedAt } }
}

function settle({ delivery, hook, settings, outcome, now, jitter }: Attempted): Settled {
  const status = 'status' in outcome ? outcome.status : undefined
  const isSent = status !== undefined && status >= 200 && status < 300
  // Nothing was sent.
  if ('failure' in outcome && outcome.failure === secretLost) {
    return { delivery, hook: { ...hook, isActive: false, ending: 'secret', endedBy: undefined, modifiedAt: now } }
  }
  const tries = delivery.tries + 1
  const tried: Delivery = {
    ...delivery,
    attempts: delivery.attempts + 1,
    tries,
    lastStatus: status,
    lastError: isSent ? undefined : 'failure' in outcome ? outcome.failure : `HTTP ${outcome.status}`,
    tookMs: outcome.tookMs,
  }
  const ended = { nextAttemptAt: undefined, leasedUntil: undefined, endedAt: now }
  if (isSent) {
    return {
      delivery: { ...tried, ...ended, state: 'sent' },
      hook: { ...hook, failuresInRow: 0, waitsUntil: undefined },
    }
  }
  if (status === 410) {
    const gone = { isActive: false, ending: 'gone', endedBy: undefined, lastFailureAt: now, modifiedAt: now } as const
    return { delivery: { ...tried, ...ended, state: 'failed' }, hook: { ...hook, ...gone } }
  }
  const quick = quickAttempts(settings)
  const wait = waitAfter(tries - quick, settings, jitter)
  const next: Delivery =
    wait === undefined ? { ...tried, ...ended, state: 'failed' } : { ...tried, nextAttemptAt: now + wait }
  const failed = tries === quick ? countFailure(hook, now) : hook
  const asked = 'status' in outcome ? outcome.retryAfter : undefined
  if (asked === undefined || wait === undefined) return { delivery: next, hook: failed }
  const waitsUntil = now + Math.max(asked, tries < quick ? wait : 0)
  return {
    delivery: { ...next, nextAttemptAt: Math.max(next.nextAttemptAt ?? 0, waitsUntil) },
    hook: { ...failed, waitsUntil: Math.max(failed.waitsUntil ?? 0, waitsUntil) },
  }
}

/** Milliseconds until the next attempt, after so many attempts more than the quick ones; undefined if there is none. */
function waitAfter(
  extra: number,
  { notificationElapsedTimeInSeconds }: Attempted['settings'],
  jitter: number,
): number | undefined {
  if (extra < 0) return notificationElapsedTimeInSeconds * 1_000
  const seconds = retrySchedule[extra]
  return seconds === undefined ? undefined : Math.round(seconds * 1_000 * (0.8 + 0.4 * jitter))
}

/**
 * Counts a delivery whose quick attempts are used up. The window of the policy begins with the first failure and ends after its
 * days, whatever succeeds in it (documented).
 */
function countFailure(hook: Webhook, now: number): Webhook {
  const { windowBeganAt, daysInPast, numberOfFailures } = hook
  const isOver = windowBeganAt === undefined || now >= windowBeganAt + daysInPast * day
  const failures = isOver ? 1 : hook.failures + 1
  const failuresInRow = hook.failuresInRow + 1
  const counted = {
    ...hook,
    failures,
    failuresInRow,
    windowBeganAt: isOver ? now : windowBeganAt,
    lastFailureAt: now,
    ...(failuresInRow >= circuit.failures && { waitsUntil: now + circuit.interval }),
  }
  if (failures < numberOfFailures) return counted
  return { ...counted, isActive: false, ending: 'policy', endedBy: undefined, modifiedAt: now }
}
