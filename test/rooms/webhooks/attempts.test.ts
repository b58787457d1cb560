import { describe, expect, test } from 'vitest'
import { type AttemptOutcome, settleAttempt } from '../../../src/webhooks/attempts.ts'
import { type Delivery, defaultSettings, retrySchedule, type Webhook } from '../../../src/webhooks/hook.ts'
import { aDelivery, aWebhook } from '../../storage/contract/webhook-records.ts'

const day = 86_400_000
const midnight = Date.UTC(2026, 10, 1)
const failure: AttemptOutcome = { status: 500, text: undefined, retryAfter: undefined, tookMs: 1 }
const success: AttemptOutcome = { ...failure, status: 204 }

const aPending = (changes: Partial<Delivery> = {}): Delivery => ({
  ...aDelivery(),
  number: 1,
  state: 'pending',
  attempts: 0,
  tries: 0,
  ...changes,
})

function settle(
  outcome: AttemptOutcome,
  delivery = aPending(),
  hook = aWebhook(),
  now = midnight,
  settings: Parameters<typeof settleAttempt>[0]['settings'] = defaultSettings,
) {
  return settleAttempt({ delivery, hook, outcome, now, settings, jitter: 0.5 })
}

/** A hook after so many failed deliveries on each of the days. */
function afterDays(...failures: readonly number[]): Webhook {
  let hook = aWebhook()
  for (const [at, count] of failures.entries()) {
    for (let nth = 0; nth < count && hook.isActive; nth += 1) {
      hook = settle(failure, aPending({ tries: 2, attempts: 2 }), hook, midnight + at * day + nth * 1_000).hook
      hook = settle(success, aPending(), hook, midnight + at * day + nth * 1_000 + 1).hook
    }
  }
  return hook
}

describe('an attempt', () => {
  test('that is answered ends the delivery, whatever failed before', () => {
    const { delivery, hook } = settle(success, aPending({ tries: 7 }), aWebhook({ failuresInRow: 4, waitsUntil: 1 }))
    expect(delivery).toMatchObject({
      state: 'sent',
      attempts: 1,
      lastStatus: 204,
      lastError: undefined,
      endedAt: midnight,
    })
    expect(hook).toMatchObject({ failuresInRow: 0, waitsUntil: undefined })
  })

  test('that fails is followed by quick ones, then by the schedule, and by none after it', () => {
    let delivery = aPending()
    let now = midnight
    const waits: number[] = []
    while (delivery.state === 'pending') {
      delivery = settle(failure, delivery, aWebhook({ numberOfFailures: 100 }), now).delivery
      if (delivery.nextAttemptAt === undefined) break
      waits.push((delivery.nextAttemptAt - now) / 1_000)
      now = delivery.nextAttemptAt
    }
    expect(waits).toEqual([5, 5, ...retrySchedule])
    expect(delivery).toMatchObject({ state: 'failed', attempts: 11, lastError: 'HTTP 500' })
  })

  test.each([0, 1])('is one quick one where %i are asked for', (notificationAttempts) => {
    const settings = { ...defaultSettings, notificationAttempts }
    const { delivery, hook } = settle(failure, aPending(), aWebhook(), midnight, settings)
    expect(delivery.nextAttemptAt).toBe(midnight + 300_000)
    expect(hook.failures).toBe(1)
  })

  test('without an answer names why', () => {
    const { delivery } = settle({ failure: 'no answer in time', tookMs: 10_000 })
    expect(delivery).toMatchObject({ state: 'pending', lastStatus: undefined, lastError: 'no answer in time' })
  })

  test('that is answered 410 ends the delivery, and switches the hook off', () => {
    const { delivery, hook } = settle({ ...failure, status: 410 })
    expect(delivery.state).toBe('failed')
    expect(hook).toMatchObject({ isActive: false, ending: 'gone' })
  })

  test('whose receiver asks to wait has the whole hook wait, and is no failure before the last quick one', () => {
    const busy: AttemptOutcome = { ...failure, status: 429, retryAfter: 60_000 }
    const { delivery, hook } = settle(busy)
    expect([delivery.nextAttemptAt, hook.waitsUntil, hook.failures]).toEqual([midnight + 60_000, midnight + 60_000, 0])
    const short = settle({ ...busy, retryAfter: 1_000 })
    expect(short.delivery.nextAttemptAt).toBe(midnight + 5_000)
  })

  test('after five failures in a row is made once a minute', () => {
    const { hook } = settle(failure, aPending({ tries: 2 }), aWebhook({ failuresInRow: 4, numberOfFailures: 100 }))
    expect(hook.waitsUntil).toBe(midnight + 60_000)
  })

  test('leaves a webhook off for the reason for which a person switched it off meanwhile', () => {
    const off = aWebhook({ isActive: false, endedBy: 'anna' })
    for (const outcome of [{ ...failure, status: 410 }, failure]) {
      const { hook } = settle(outcome, aPending({ tries: 2 }), { ...off, failures: 4, windowBeganAt: midnight })
      expect(hook).toMatchObject({ isActive: false, ending: undefined, endedBy: 'anna' })
    }
  })

  test('that cannot be signed is none', () => {
    const { delivery, hook } = settle({ failure: 'secret lost', tookMs: 0 })
    expect(delivery).toEqual(aPending())
    expect(hook).toMatchObject({ isActive: false, ending: 'secret' })
  })
})

describe('a policy of 5 failures in 5 days', () => {
  test.each([
    [[5], true],
    [[4], false],
    [[1, 1, 1, 1, 1], true],
    [[3, 2], true],
    [[2, 0, 2, 0, 0], false],
    [[2, 0, 2, 0, 0, 2, 1], false],
    [[4, 0, 0, 0, 0, 1], false],
  ])('after %j a day has switched the hook off: %s', (failures, isOff) => {
    const { isActive, ending } = afterDays(...failures)
    expect([isActive, ending]).toEqual(isOff ? [false, 'policy'] : [true, undefined])
  })
})
