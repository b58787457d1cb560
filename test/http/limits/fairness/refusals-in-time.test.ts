import { EventEmitter } from 'node:events'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { openRefusalsInTime } from '../../../../src/http/fairness/refusals-in-time.ts'
import { countLimits } from '../../../../src/limits.ts'
import { permissionDenied } from '../../../support/portal/envelopes.ts'
import { startPortal } from '../../../support/portal/portal.ts'
import { scrape } from '../../../support/portal/scrape.ts'

describe('refusals of one sender', () => {
  function open(refusalsAtOnce: number) {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const limitCounts = countLimits()
    const refusals = openRefusalsInTime({ refusalsAtOnce }, limitCounts)
    let answered = 0
    function refuse(key = 'anna') {
      const response = Object.assign(new EventEmitter(), { closed: false })
      const waiting = refusals.take(key, response as never)
      void (waiting ?? Promise.resolve()).then(() => {
        answered += 1
      })
      return { isWaiting: waiting !== undefined, response }
    }
    /** How many were answered since. */
    async function answeredAfter(milliseconds: number) {
      const before = answered
      await vi.advanceTimersByTimeAsync(milliseconds)
      return answered - before
    }
    return { refusals, refuse, answeredAfter, waited: () => limitCounts.of('refusalsAtOnce') }
  }

  test('are answered at once until they are too many, then ten in a second, and those of others are', async () => {
    const { refuse, answeredAfter, waited } = open(3)
    expect([1, 2, 3].map(() => refuse().isWaiting)).toEqual([false, false, false])
    expect(await answeredAfter(0)).toBe(3)
    expect(Array.from({ length: 20 }, () => refuse().isWaiting)).toEqual(Array(20).fill(true))
    expect(refuse('bert').isWaiting).toBe(false)
    expect(await answeredAfter(99)).toBe(1)
    expect(await answeredAfter(1)).toBe(1)
    expect(await answeredAfter(1_000)).toBe(10)
    expect(waited()).toBe(20)
  })

  test('wait for five seconds at most, and no longer for having been many', async () => {
    const { refuse, answeredAfter } = open(1)
    for (let number = 0; number < 1_000; number += 1) refuse()
    expect(await answeredAfter(4_900)).toBe(50)
    expect(await answeredAfter(100)).toBe(950)
    for (let number = 0; number < 2; number += 1) refuse()
    expect(await answeredAfter(200)).toBe(2)
  })

  test('are at once again after a pause', async () => {
    const { refuse, answeredAfter } = open(3)
    for (let number = 0; number < 3; number += 1) refuse()
    await answeredAfter(100)
    expect([refuse().isWaiting, refuse().isWaiting]).toEqual([false, true])
    await answeredAfter(400)
    expect([1, 2, 3].map(() => refuse().isWaiting)).toEqual([false, false, false])
  })

  test('do not wait when the client has gone, or the server ends', async () => {
    const { refusals, refuse, answeredAfter } = open(1)
    refuse()
    const [first] = [refuse(), refuse(), refuse()]
    await answeredAfter(0)
    first!.response.emit('close')
    expect(await answeredAfter(0)).toBe(1)
    refusals.close()
    expect(await answeredAfter(0)).toBe(2)
    expect(refuse().isWaiting).toBe(false)
    expect(first!.response.listenerCount('close')).toBe(0)
  })
})

test('a user who is refused too often waits, and others do not', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  await using portal = await startPortal({ environment: { LIMIT_REFUSALS_AT_ONCE: '2' }, isReused: false })
  const [anna, bert] = [await portal.user('anna'), await portal.user('bert')]
  const refuse = (user = anna) => user.post('/portals/self/assignCategorySchema', { categorySchema: '{}' })
  const waited = async () =>
    (await scrape(portal.server.app)).series.get('cartulary_limits_reached_total{limit="refusalsAtOnce"}')
  for (let time = 0; time < 2; time += 1) await refuse()
  expect(await waited()).toBe(0)
  const begun = Date.now()
  expect(await refuse()).toEqual(permissionDenied)
  // At least: it may take any time longer.
  expect(Date.now() - begun).toBeGreaterThan(90)
  expect(await waited()).toBe(1)
  await refuse(bert)
  await portal.anonymous.get('/portals/self/users')
  await anna.get('/community/self')
  expect(await waited()).toBe(1)
})

test('a token that was refused does not charge its user again', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  await using portal = await startPortal({ environment: { LIMIT_REFUSALS_AT_ONCE: '1' }, isReused: false })
  const anna = await portal.user('anna')
  await anna.post('/oauth2/revokeToken', { auth_token: anna.token })
  const refuse = () => anna.get('/community/self')
  const reached = async () =>
    (await scrape(portal.server.app)).series.get('cartulary_limits_reached_total{limit="refusalsAtOnce"}')
  // Of the user, of the network, and one more of the network, which waits.
  for (const waited of [0, 0, 1]) {
    expect(await refuse()).toMatchObject({ error: { code: 498 } })
    expect(await reached()).toBe(waited)
  }
})
