import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Mail, MailRefused, type MailReport, retryIntervals } from '../../src/mail/mailer.ts'
import { openOutbox } from '../../src/mail/outbox.ts'

const hour = 60 * 60_000
const mail: Mail = { to: 'anna@example.com', subject: 'Maps', text: 'a secret link' }

/** An outbox before a mail server that answers as given: undefined takes the mail. */
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
  const results = () => reports.map(({ result }) => result)
  return { outbox, attempts, reports, results }
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
  expect(JSON.stringify(reports)).not.toContain('secret')
})

test('a mail is given up after the last attempt, which is reported for an hour or until another is sent', async () => {
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
  expect([outbox.hasFailed(), reports.at(-1)?.result]).toEqual([false, 'sent'])
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
  expect(reports.at(-1)).toMatchObject({ result: 'failed', to: 'late@example.com' })
})

test.each([
  '',
  'anna',
  'anna@example.com, eve@example.org',
  'anna@example.com\r\nBcc: eve@example.org',
  'a b@example.com',
])('%j is no address to send to', async (to) => {
  const { outbox, attempts, results } = outboxBefore(() => undefined)
  outbox.send({ ...mail, to })
  await vi.advanceTimersByTimeAsync(0)
  expect([attempts, results(), outbox.hasFailed()]).toEqual([[], ['refused'], false])
})

test('no more than a thousand mails wait for a mail server that is gone, and ten of them for one address', async () => {
  const { outbox, reports } = outboxBefore(() => new Error('connection refused'))
  for (let number = 0; number < 11; number += 1) outbox.send(mail)
  expect(reports).toMatchObject([{ result: 'failed', cause: 'Too many wait for this address.' }])
  for (let number = 0; number < 991; number += 1) outbox.send({ ...mail, to: `user${number}@example.com` })
  expect(reports.slice(1)).toMatchObject([{ result: 'failed', cause: '1000 mails wait already.' }])
})

test('a mail server that refuses three mails in a row cannot be used, until it takes one', async () => {
  let isRefusing = true
  const { outbox } = outboxBefore(() => (isRefusing ? new MailRefused('554 relay access denied') : undefined))
  const send = async () => {
    outbox.send(mail)
    await vi.advanceTimersByTimeAsync(0)
    return outbox.hasFailed()
  }
  expect([await send(), await send(), await send()]).toEqual([false, false, true])
  isRefusing = false
  expect(await send()).toBe(false)
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
  expect(reports.map(({ result }) => result)).toEqual(['tried', 'sent'])

  answer = 'never'
  const hanging = openOutbox(transport, () => Date.now())
  hanging.watch((report) => reports.push(report))
  hanging.send(mail)
  hanging.send(mail)
  const ended = hanging.end()
  await vi.advanceTimersByTimeAsync(5_000)
  await ended
  const lost = { result: 'failed', cause: 'The server has ended.' }
  expect(reports.slice(2)).toMatchObject([lost, lost])
})
