import { EventEmitter } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openOneAtATime } from '../../../../src/http/fairness/one-at-a-time.ts'
import { countLimits } from '../../../../src/limits.ts'
import type { PasswordHash } from '../../../../src/tokens/password.ts'
import { cheapPasswords, startPortal } from '../../../support/portal/portal.ts'
import { until } from '../../../support/until.ts'

/** Requests on a clock that is set by the test. */
function openRequests() {
  const clock = { now: 100_000 }
  const limitCounts = countLimits()
  const resting: { readonly until: number; readonly act: () => void }[] = []
  const requests = openOneAtATime(
    { requestsAtOnce: 1, writeBytesInFlight: 1_000 },
    limitCounts,
    () => clock.now,
    (milliseconds, act) => void (milliseconds === 0 ? act() : resting.push({ until: clock.now + milliseconds, act })),
  )
  const begun: string[] = []

  function send(key: string, isUser = true, bytes = 0) {
    const response = Object.assign(new EventEmitter(), { closed: false })
    const end = Promise.resolve(requests.begin({ sender: { key, isUser }, bytes, response: response as never }))
    const settled = end.then(
      () => void begun.push(key),
      (error: { code: number }) => error.code,
    )
    return { end: async () => (await end)(), close: () => response.emit('close'), response, settled }
  }

  /** So many requests that are in progress together, for so long. */
  async function spend(key: string, requests: number, milliseconds: number, isUser = true) {
    const sent = Array.from({ length: requests }, () => send(key, isUser))
    await setImmediate()
    clock.now += milliseconds
    for (const { end } of sent) await end()
    begun.length = 0
  }

  /** Places that have rested are left. */
  async function pass(milliseconds: number) {
    clock.now += milliseconds
    const over = resting.filter(({ until }) => until <= clock.now)
    for (const one of over) {
      resting.splice(resting.indexOf(one), 1)
      one.act()
    }
    await setImmediate()
  }

  return { requests, clock, begun, send, spend, pass, waited: () => limitCounts.of('requestsAtOnce') }
}

test('a sender who is alone never waits', async () => {
  const { begun, send, spend, waited } = openRequests()
  await spend('anna', 50, 1_000)
  for (let number = 0; number < 50; number += 1) send('anna')
  await setImmediate()
  expect(begun).toHaveLength(50)
  expect(waited()).toBe(0)
})

test('a sender who asks one after the other never waits, however long each takes', async () => {
  const { begun, send, pass, waited } = openRequests()
  for (let number = 0; number < 20; number += 1) {
    const { end } = send('anna')
    await pass(1_500)
    expect(begun.filter((key) => key === 'anna')).toHaveLength(number + 1)
    await send('bert').end()
    await end()
  }
  expect(waited()).toBe(0)
})

test('requests that overlap for a moment do not wait for each other, however long they take', async () => {
  const { send, pass, waited } = openRequests()
  for (let number = 0; number < 20; number += 1) {
    const long = send('anna')
    await pass(300)
    await send('bert').end()
    const short = send('anna')
    await pass(20)
    expect(waited()).toBe(0)
    await short.end()
    await pass(1_180)
    await long.end()
  }
})

test('of one who has asked much at a time, one request is in progress while others ask too, and none of those waits', async () => {
  const { begun, send, spend, waited } = openRequests()
  await spend('anna', 4, 500)
  const others = ['bert', 'carl'].map((key) => send(key))
  const [first, second] = [send('anna'), send('anna'), send('anna')]
  await setImmediate()
  expect(begun).toEqual(['bert', 'carl', 'anna'])
  await Promise.all(others.map(({ end }) => end()))
  send('bert')
  await setImmediate()
  expect(begun).toEqual(['bert', 'carl', 'anna', 'bert'])
  await first!.end()
  await setImmediate()
  expect(begun).toEqual(['bert', 'carl', 'anna', 'bert', 'anna'])
  // Once more.
  await first!.end()
  await setImmediate()
  expect(begun).toHaveLength(5)
  await second!.end()
  await setImmediate()
  expect(begun).toHaveLength(6)
  expect(waited()).toBe(2)
})

test('what takes less than a second together does not count, and what was is forgotten', async () => {
  const { clock, begun, send, spend } = openRequests()
  const sendTwo = async () => {
    begun.length = 0
    send('bert')
    const sent = [send('anna'), send('anna')]
    await setImmediate()
    const both = begun.filter((key) => key === 'anna').length
    for (const { end } of sent) await end()
    return both
  }
  await spend('anna', 11, 99)
  expect(await sendTwo()).toBe(2)
  await spend('anna', 100, 200)
  expect(await sendTwo()).toBe(1)
  clock.now += 3_999
  expect(await sendTwo()).toBe(1)
  clock.now += 2
  expect(await sendTwo()).toBe(2)
})

test('while requests wait, a place rests as long as it was taken, a second at most', async () => {
  const { begun, send, spend, pass } = openRequests()
  await spend('anna', 10, 500)
  send('bert')
  const sent = Array.from({ length: 4 }, () => send('anna'))
  const counts: number[] = []
  const passAndCount = async (milliseconds: number) => {
    send('bert')
    await pass(milliseconds)
    counts.push(begun.filter((key) => key === 'anna').length)
  }
  await passAndCount(300)
  await sent[0]!.end()
  await passAndCount(299)
  await passAndCount(1)
  await passAndCount(700)
  await passAndCount(700)
  await sent[1]!.end()
  await passAndCount(999)
  await passAndCount(1)
  expect(counts).toEqual([1, 1, 2, 2, 2, 2, 3])
})

test('a place that rests counts as taken, and one rests only while requests wait', async () => {
  const { begun, send, spend, pass } = openRequests()
  await spend('anna', 10, 500)
  send('bert')
  const sent = Array.from({ length: 20 }, () => send('anna'))
  for (const [place, { end }] of sent.entries()) {
    send('bert')
    await pass(500)
    await end()
    if (place === 19) break
    await pass(500)
    expect(begun.filter((key) => key === 'anna')).toHaveLength(place + 2)
  }
  send('bert')
  send('anna')
  await setImmediate()
  expect(begun.filter((key) => key === 'anna')).toHaveLength(21)
})

test('rests that end late do not let those that wait begin together', async () => {
  const { begun, send, spend, pass } = openRequests()
  await spend('anna', 10, 500)
  send('bert')
  const sent = Array.from({ length: 200 }, () => send('anna'))
  for (const [place, { end }] of sent.entries()) {
    send('bert')
    await pass(100)
    await end()
    await pass(150)
    expect(begun.filter((key) => key === 'anna')).toHaveLength(Math.min(place + 2, 200))
  }
})

test('a place beyond those that a sender may have does not rest, and no rest of it counts', async () => {
  const { begun, send, spend, pass } = openRequests()
  const three = [send('anna'), send('anna'), send('anna')]
  await spend('anna', 4, 500)
  send('bert')
  const next = send('anna')
  for (const { end } of three) await end()
  const anna = () => begun.filter((key) => key === 'anna').length
  await pass(0)
  expect(anna()).toBe(0)
  send('bert')
  await pass(500)
  expect(anna()).toBe(1)
  await next.end()
  // Of 7 times 500 ms one would have been anyway: what the others and a rest took is forgotten but for a second.
  await pass(2_001)
  send('bert')
  send('anna')
  send('anna')
  await pass(0)
  expect(anna()).toBe(3)
})

test('a sender is alone again a second after the last request of another', async () => {
  const { clock, begun, send, spend } = openRequests()
  await spend('anna', 10, 500)
  await send('bert').end()
  clock.now += 1_001
  for (let number = 0; number < 3; number += 1) send('anna')
  await setImmediate()
  expect(begun).toEqual(['bert', 'anna', 'anna', 'anna'])
})

test('what waits begins at once when its sender is alone', async () => {
  const { begun, clock, send, spend } = openRequests()
  await spend('anna', 10, 500)
  send('bert')
  const [first] = Array.from({ length: 4 }, () => send('anna'))
  await setImmediate()
  expect(begun).toHaveLength(2)
  clock.now += 1_001
  await first!.end()
  await setImmediate()
  expect(begun).toHaveLength(5)
})

test('a network has four requests at a time', async () => {
  const { begun, send, spend } = openRequests()
  await spend('192.0.2.1', 100, 200, false)
  send('bert')
  const sent = Array.from({ length: 10 }, () => send('192.0.2.1', false))
  await setImmediate()
  expect(begun).toEqual(['bert', ...Array(4).fill('192.0.2.1')])
  await sent[0]!.end()
  await setImmediate()
  expect(begun).toHaveLength(6)
})

test('a request whose client has gone takes no place if it waits, and keeps it until its work is done', async () => {
  const { begun, send, spend } = openRequests()
  await spend('anna', 10, 500)
  send('bert')
  const [first, second, third] = [send('anna'), send('anna'), send('anna')]
  await setImmediate()
  expect(begun).toEqual(['bert', 'anna'])
  second.close()
  first.close()
  await setImmediate()
  expect(begun).toEqual(['bert', 'anna'])
  await first.end()
  await setImmediate()
  expect(begun).toEqual(['bert', 'anna', 'anna'])
  expect(third.response.listenerCount('close')).toBe(0)
  await third.end()
  send('anna')
  await setImmediate()
  expect(begun).toHaveLength(4)
})

test('what waits of one sender is bounded in number and bytes', async () => {
  const { send, spend } = openRequests()
  await spend('anna', 10, 500)
  send('bert')
  send('anna')
  send('anna', true, 5_000)
  expect(await send('anna', true, 1).settled).toBe(429)
  await spend('dora', 10, 500)
  send('bert')
  for (let number = 0; number < 1_001; number += 1) send('dora')
  expect(await send('dora').settled).toBe(429)
  await spend('carl', 10, 500)
  send('bert')
  send('carl')
  send('carl', true, 999)
  send('carl', true, 1)
  expect(await send('carl', true, 1).settled).toBe(429)
})

test('when the server ends, nothing waits', async () => {
  const { requests, begun, send, spend } = openRequests()
  await spend('anna', 10, 500)
  send('bert')
  for (let number = 0; number < 3; number += 1) send('anna')
  await setImmediate()
  expect(begun).toHaveLength(2)
  requests.close()
  send('anna')
  await setImmediate()
  expect(begun).toHaveLength(5)
})

test('a user whose requests were many at a time has one in progress while others ask too', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const held: (() => void)[] = []
  let isHolding = false
  const passwords: PasswordHash = {
    ...cheapPasswords,
    async hash(...password) {
      const { promise, resolve } = Promise.withResolvers<void>()
      if (isHolding) {
        held.push(resolve)
        await promise
      }
      return cheapPasswords.hash(...password)
    },
  }
  await using portal = await startPortal({ environment: { LIMIT_REQUESTS_AT_ONCE: '1' }, passwords })
  const [admin, anna] = [await portal.admin(), await portal.user('anna')]
  isHolding = true
  let invited = 0
  const invite = () => {
    invited += 1
    return admin.invite(`user${invited}`)
  }
  const releaseAll = () => held.splice(0).forEach((release) => void release())
  const atOnce = Promise.all([invite(), invite(), invite()])
  await until('three are in progress', () => held.length === 3)
  vi.advanceTimersByTime(1_000)
  releaseAll()
  await atOnce

  await anna.get('/community/self')
  const afterwards = Promise.all([invite(), invite()])
  await until('one is in progress', () => held.length === 1)
  for (let time = 0; time < 5; time += 1) await anna.get('/community/self')
  expect(held).toHaveLength(1)
  releaseAll()
  await until('the next one is', () => held.length === 1)
  releaseAll()
  await afterwards
})
