import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Mail, MailRefused, type MailReport, retryIntervals } from '../../src/mail/mailer.ts'
import { openOutbox } from '../../src/mail/outbox.ts'

const hour = 60 * 60_000
const mail: Mail = { to: 'anna@example.com', subject: 'Maps', text: 'a secret link' }

/** An outbox before a mail server that answers as told: undefined takes the mail. */
function outboxBefore(answer: (attempt: number, mail: Mail) => Error | undefined) {
  const attempts: Mail[] = []
  const reports: MailReport[] = []
  const transport = {
    async send(given: Mail) {
      attempts.push(given)
      const error = answer(attempts.length, given)
      if (error) throw error
    },
  }
  const outbox = openOutbox(transport, () => Date.now())
  outbox.watch((report) => reports.push(report))
  return { outbox, attempts, reports }
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('a mail that is refused for now is tried again until it is taken, and the log never has its text', async () => {
  const { outbox, attempts, reports } = outboxBefore((attempt) => (attempt < 3 ? new Error('451 later') : undefined))
  outbox.send(mail)
  await vi.advanceTimersByTimeAsync(0)
  expect(attempts).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(retryIntervals[0] - 1)
  expect(attempts).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(attempts).toHaveLength(2)
  await vi.advanceTimersByTimeAsync(retryIntervals[1])
  expect(reports.map(({ result }) => result)).toEqual(['tried', 'tried', 'sent'])
  expect(outbox.counts()).toEqual({ sent: 1, refused: 0, failed: 0 })
  expect(JSON.stringify(reports)).not.toContain('secret')
})

test('a mail is given up after the last attempt, which is told for an hour or until another is sent', async () => {
  let isAway = true
  const { outbox, attempts, reports } = outboxBefore(() => (isAway ? new Error('connection refused') : undefined))
  outbox.send(mail)
  await vi.advanceTimersByTimeAsync(hour)
  expect(attempts).toHaveLength(1 + retryIntervals.length)
  expect(reports.at(-1)).toEqual({ result: 'failed', to: mail.to, subject: mail.subject, cause: 'connection refused' })
  expect(outbox.hasFailed()).toBe(true)
  await vi.advanceTimersByTimeAsync(hour)
  expect(outbox.hasFailed()).toBe(false)
  outbox.send(mail)
  await vi.advanceTimersByTimeAsync(hour / 2)
  expect(outbox.hasFailed()).toBe(true)
  isAway = false
  outbox.send(mail)
  await vi.advanceTimersByTimeAsync(0)
  expect([outbox.hasFailed(), outbox.counts()]).toEqual([false, { sent: 1, refused: 0, failed: 2 }])
})

test('a mail that waits for its next attempt delays no other, and one that is refused for good is not tried again', async () => {
  const { outbox, attempts, reports } = outboxBefore((_attempt, { to }) => {
    if (to === 'late@example.com') return new Error('451 later')
    return to === 'gone@example.com' ? new MailRefused('550 no such user') : undefined
  })
  for (const to of ['late@example.com', 'gone@example.com', 'anna@example.com']) outbox.send({ ...mail, to })
  await vi.advanceTimersByTimeAsync(0)
  expect(reports.map(({ result, to }) => `${result} ${to}`)).toEqual([
    'tried late@example.com',
    'refused gone@example.com',
    'sent anna@example.com',
  ])
  await vi.advanceTimersByTimeAsync(hour)
  expect(attempts.filter(({ to }) => to === 'gone@example.com')).toHaveLength(1)
  expect(outbox.counts()).toEqual({ sent: 1, refused: 1, failed: 1 })
})

test.each([
  '',
  'anna',
  'anna@example.com, eve@example.org',
  'anna@example.com\r\nBcc: eve@example.org',
  'a b@example.com',
])('%j is no address to send to', async (to) => {
  const { outbox, attempts } = outboxBefore(() => undefined)
  outbox.send({ ...mail, to })
  await vi.advanceTimersByTimeAsync(0)
  expect([attempts, outbox.counts(), outbox.hasFailed()]).toEqual([[], { sent: 0, refused: 1, failed: 0 }, false])
})

test('no more than a thousand mails wait for a mail server that is gone', async () => {
  const { outbox } = outboxBefore(() => new Error('connection refused'))
  for (let number = 0; number < 1_001; number += 1) outbox.send(mail)
  expect(outbox.counts().failed).toBe(1)
  await vi.advanceTimersByTimeAsync(0)
  expect(outbox.counts().failed).toBe(1)
})

test('a server that ends gives what waits one more attempt, and does not wait for a mail server that hangs', async () => {
  let answer: 'later' | 'taken' | 'never' = 'later'
  const reports: MailReport[] = []
  const transport = {
    async send() {
      if (answer === 'later') throw new Error('451 later')
      if (answer === 'never') await new Promise(() => {})
    },
  }
  const outbox = openOutbox(transport, () => Date.now())
  outbox.watch((report) => reports.push(report))
  outbox.send(mail)
  await vi.advanceTimersByTimeAsync(0)
  answer = 'taken'
  await outbox.end()
  expect(outbox.counts()).toEqual({ sent: 1, refused: 0, failed: 0 })

  answer = 'never'
  const hanging = openOutbox(transport, () => Date.now())
  hanging.watch((report) => reports.push(report))
  hanging.send(mail)
  hanging.send(mail)
  const ended = hanging.end()
  await vi.advanceTimersByTimeAsync(5_000)
  await ended
  expect(hanging.counts()).toEqual({ sent: 0, refused: 0, failed: 2 })
  expect(reports.at(-1)).toMatchObject({ result: 'failed', cause: 'The server has ended.' })
})
