import { isMailAddress } from '../directory/user.ts'
import { reasonOf } from '../errors.ts'
import {
  endTimeout,
  failureMilliseconds,
  type Mail,
  type Mailer,
  MailRefused,
  type MailReport,
  type MailResult,
  type MailTransport,
  maxRefusals,
  maxWaiting,
  maxWaitingPerAddress,
  retryIntervals,
} from './mailer.ts'

interface Waiting {
  readonly mail: Mail
  readonly onSettled: ((result: MailResult) => void) | undefined
  attempts: number
  /** Timer until the next attempt; undefined while the mail is queued. */
  timer: NodeJS.Timeout | undefined
}

/**
 * Keeps mails in memory until they are settled, and sends them one after the other. Not in the database: each can be asked for
 * again, a link that is kept would be a secret at rest, and what operators and owners have to know is mailed again after a start.
 */
export function openOutbox(transport: Pick<MailTransport, 'send'>, now: () => number): Mailer {
  const waiting = new Set<Waiting>()
  let report: ((report: MailReport) => void) | undefined
  let failedAt = Number.NEGATIVE_INFINITY
  let refusals = 0
  let isEnding = false
  let last: Promise<void> = Promise.resolve()

  function settle(entry: Waiting, result: MailResult, cause?: string): void {
    waiting.delete(entry)
    // One refusal is about one address, and says nothing of the server.
    refusals = result === 'refused' ? refusals + 1 : 0
    if (result === 'failed' || refusals >= maxRefusals) failedAt = now()
    if (result === 'sent') failedAt = Number.NEGATIVE_INFINITY
    reportResult(entry.mail, result, cause)
    entry.onSettled?.(result)
  }

  function reportResult({ to, subject }: Mail, result: MailReport['result'], cause?: string): void {
    report?.({ result, to, subject, ...(cause !== undefined && { cause }) })
  }

  async function attempt(entry: Waiting): Promise<void> {
    if (!waiting.has(entry)) return
    try {
      await transport.send(entry.mail)
      if (waiting.has(entry)) settle(entry, 'sent')
    } catch (error) {
      if (waiting.has(entry)) settleOrRetry(entry, error)
    }
  }

  function settleOrRetry(entry: Waiting, error: unknown): void {
    const interval = retryIntervals[entry.attempts]
    entry.attempts += 1
    if (error instanceof MailRefused) settle(entry, 'refused', reasonOf(error))
    else if (interval === undefined || isEnding) settle(entry, 'failed', reasonOf(error))
    else {
      reportResult(entry.mail, 'tried', reasonOf(error))
      entry.timer = setTimeout(() => enqueue(entry), interval).unref()
    }
  }

  function countWaiting(address: string): number {
    return [...waiting].filter(({ mail }) => mail.to === address).length
  }

  function enqueue(entry: Waiting): void {
    entry.timer = undefined
    last = last.then(() => attempt(entry))
  }

  return {
    send(mail, onSettled) {
      const entry: Waiting = { mail, onSettled, attempts: 0, timer: undefined }
      if (!isMailAddress(mail.to)) settle(entry, 'refused', 'It is no address of mail.')
      else if (waiting.size >= maxWaiting) settle(entry, 'failed', `${maxWaiting} mails wait already.`)
      else if (countWaiting(mail.to) >= maxWaitingPerAddress) settle(entry, 'failed', 'Too many wait for this address.')
      else {
        waiting.add(entry)
        enqueue(entry)
      }
    },
    hasFailed: () => now() - failedAt < failureMilliseconds,
    watch(listener) {
      report = listener
    },
    async end() {
      isEnding = true
      for (const entry of waiting) {
        if (entry.timer === undefined) continue
        clearTimeout(entry.timer)
        enqueue(entry)
      }
      const { promise: late, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, endTimeout)
      await Promise.race([last, late])
      clearTimeout(timer)
      for (const entry of waiting) settle(entry, 'failed', 'The server has ended.')
    },
  }
}
