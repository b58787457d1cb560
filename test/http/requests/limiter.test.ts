import { EventEmitter } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { boundsOf, type LimiterBounds } from '../../../src/http/requests/bounds.ts'
import { openLimiter, type Place } from '../../../src/http/requests/limiter.ts'
import { countLimits, defaultLimits } from '../../../src/limits.ts'

const bounds: LimiterBounds = {
  maxPlaces: 10,
  maxWork: Number.POSITIVE_INFINITY,
  maxWaiting: 1_000,
  maxWaitingBytes: 1_000_000,
  maxLongBytes: 1_000_000,
  waitTimeout: 60_000,
}

/** A limiter with a clock that tests set; requests are named by their key. */
function openRequests(options: Partial<LimiterBounds> = {}) {
  const clock = { now: 0 }
  const counts = countLimits()
  const limiter = openLimiter({ ...bounds, ...options }, counts, () => clock.now)
  const begun: string[] = []
  const places: Place[] = []
  const refused: { key: string; code: number }[] = []
  const cut: string[] = []

  /** Sends a request that keeps its place; `milliseconds` of the thread are spent when it begins. */
  function send(
    key: string,
    { milliseconds = 0, bytes = 0, isLong = false, isSearch = false } = {},
  ): EventEmitter & { closed: boolean } {
    const response = Object.assign(new EventEmitter(), { closed: false })
    function begin(place: Place): void {
      begun.push(key)
      places.push(place)
      clock.now += milliseconds
    }
    const entered = limiter.enter({
      key,
      isSearch,
      bytes,
      response,
      ...(isLong && { long: { bytes, cut: () => void cut.push(key) } }),
    })
    if (entered instanceof Promise) entered.then(begin, ({ code }) => void refused.push({ key, code }))
    else begin(entered)
    return response
  }

  /** Does the work of a request: its place is taken for so many milliseconds, all of them of the thread. */
  async function work(key: string, milliseconds: number): Promise<void> {
    const response = Object.assign(new EventEmitter(), { closed: false })
    const entered = limiter.enter({ key, bytes: 0, response })
    const place = entered instanceof Promise ? await entered : entered
    begun.push(key)
    clock.now += milliseconds
    place.end()
  }

  async function turns(count = 3): Promise<void> {
    for (let turn = 0; turn < count; turn += 1) await setImmediate()
  }

  /** Order in which keys get the thread, all of which ask for it while it does the work of another one. */
  async function orderOf(...keys: readonly string[]): Promise<readonly string[]> {
    await turns()
    begun.length = 0
    void work('late', 20)
    for (const key of keys) void work(key, 1)
    await untilBegun(begun, keys.length + 1)
    expect(begun[0]).toBe('late')
    return begun.slice(1)
  }

  return {
    limiter,
    clock,
    counts,
    begun,
    /** Places of the requests in `begun`. */
    places,
    refused,
    /** Keys of bodies that were cut. */
    cut,
    send,
    work,
    /** So many users ask at a time, and are answered. */
    crowd(users = 25): void {
      for (let user = 0; user < users; user += 1) {
        send(`user ${user}`)
        places.at(-1)!.end()
      }
      begun.length = 0
    },
    turns,
    orderOf,
  }
}

/** Waits until so many have begun; resolves with the largest number that began in one turn of the event loop. */
async function untilBegun(begun: readonly string[], count: number): Promise<number> {
  let max = 0
  for (let turn = 0; begun.length < count; turn += 1) {
    if (turn > 1_000) throw new Error(`${begun.length} of ${count} requests have begun.`)
    const before = begun.length
    await setImmediate()
    max = Math.max(max, begun.length - before)
  }
  return max
}

test('the server gives a key as many places as the engine takes', () => {
  expect(boundsOf('sqlite', defaultLimits)).toMatchObject({ maxPlaces: 64, maxWork: 24 })
  expect(boundsOf('postgres', defaultLimits)).toMatchObject({ maxPlaces: 10 })
  expect(boundsOf('sqlite', defaultLimits)).toMatchObject({
    maxWaiting: 20_000,
    maxWaitingBytes: 64 * 1024 * 1024,
    waitTimeout: 60_000,
  })
})

describe('places', () => {
  test('of a key are as many as the engine takes; the others wait, and begin when one ends', async () => {
    const { send, begun, places, limiter, counts, turns } = openRequests()
    for (let number = 0; number < 12; number += 1) send('a')
    expect([begun.length, limiter.waiting, counts.of('requestsWaiting')]).toEqual([10, 2, 2])
    await turns()
    expect(begun).toHaveLength(10)
    places[0]!.end()
    places[0]!.end()
    await turns()
    expect([begun.length, limiter.waiting]).toEqual([11, 1])
  })

  test.each([
    { when: 'at any time', isCrowded: false, each: 0.1, places: 10 },
    { when: 'at any time', isCrowded: false, each: 9, places: 3 },
    { when: 'at any time', isCrowded: false, each: 200, places: 1 },
    { when: 'in a crowd', isCrowded: true, each: 0.1, places: 10 },
    { when: 'in a crowd', isCrowded: true, each: 0.3, places: 4 },
    { when: 'in a crowd', isCrowded: true, each: 9, places: 1 },
  ])(
    '$when are $places where a request used $each ms: others may come soon, and wait for them',
    async ({ isCrowded, each, places: expected }) => {
      const { work, crowd, send, begun, turns } = openRequests({ maxWork: 24 })
      for (let number = 0; number < 40; number += 1) {
        await work('a', each)
        await turns(1)
      }
      crowd(isCrowded ? 25 : 12)
      for (let number = 0; number < 12; number += 1) send('a')
      expect(begun).toHaveLength(expected)
    },
  )

  test('are as many beside colleagues who ask, are answered, or wait', async () => {
    const { send, begun, places, turns } = openRequests({ maxWork: 24 })
    for (let number = 0; number < 12; number += 1) send('b')
    places[0]!.end()
    await turns()
    begun.length = 0
    for (let number = 0; number < 12; number += 1) send('a')
    expect(begun.join('')).toBe('a'.repeat(10))
  })

  test('are as many beside programs that ask all the time: a few of them are no crowd, and none remains one', async () => {
    const { work, crowd, send, begun, clock, turns } = openRequests()
    crowd()
    clock.now += 10_000
    for (let times = 0; times < 500; times += 1) {
      for (const key of ['b', 'c', 'd']) await work(key, 3)
      await turns(1)
    }
    await turns()
    begun.length = 0
    for (let number = 0; number < 12; number += 1) send('a')
    expect(begun).toHaveLength(10)
  })

  test('are many again once short requests follow a long one', async () => {
    const { work, crowd, send, begun, turns } = openRequests()
    await work('a', 100)
    for (let number = 0; number < 80; number += 1) {
      await turns(1)
      await work('a', 0.1)
    }
    crowd()
    for (let number = 0; number < 12; number += 1) send('a')
    expect(begun).toHaveLength(10)
  })

  test.each([
    { kind: 'request', took: 40, rests: 40 },
    { kind: 'search', took: 40, rests: 40 },
    { kind: 'request', took: 1_000, rests: 200 },
  ])('in a crowd are none for $rests ms after a $kind that took $took', async ({ kind, took, rests }) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const { crowd, send, begun, places, clock, turns } = openRequests()
    const isSearch = kind === 'search'
    crowd(50)
    send('a', { isSearch })
    async function work(): Promise<void> {
      clock.now += took
    }
    await (isSearch ? places.at(-1)!.elsewhere(work) : work())
    places.at(-1)!.end()
    await turns()
    for (const key of ['a', 'a', 'b']) send(key, { isSearch })
    await turns()
    expect(begun.join('')).toBe('ab')
    vi.advanceTimersByTime(rests - 1)
    await turns()
    expect(begun.join('')).toBe('ab')
    vi.advanceTimersByTime(1)
    await turns()
    expect(begun.join('')).toBe('aba')
  })

  test('of searches are apart: they take none from other requests of their key, and leave others theirs', async () => {
    const { send, begun, turns } = openRequests()
    for (let number = 0; number < 12; number += 1) send('a', { isSearch: true })
    expect(begun).toHaveLength(10)
    for (let number = 0; number < 12; number += 1) send('a')
    expect(begun).toHaveLength(20)
    await turns()
    expect(begun).toHaveLength(20)
  })

  test('are not given to a client that has gone before it asks', async () => {
    const { limiter, turns } = openRequests({ maxPlaces: 1 })
    const response = Object.assign(new EventEmitter(), { closed: true })
    let isSettled = false
    const entered = limiter.enter({ key: 'a', bytes: 0, response })
    expect(entered).toBeInstanceOf(Promise)
    void Promise.resolve(entered).then(() => {
      isSettled = true
    })
    await turns()
    expect(isSettled).toBe(false)
    expect(limiter.enter({ key: 'a', bytes: 0, response: new EventEmitter() as never })).not.toBeInstanceOf(Promise)
  })

  test('of one key keep no other from beginning', () => {
    const { send, begun } = openRequests()
    for (let number = 0; number < 50; number += 1) send('a')
    const before = begun.length
    for (const key of ['b', 'c', 'd']) send(key)
    expect(begun.slice(before)).toEqual(['b', 'c', 'd'])
  })

  test('of a client that has gone delay no other client', async () => {
    const { send, begun, places, limiter, turns } = openRequests({ maxPlaces: 2 })
    send('a')
    send('a')
    const gone = send('a')
    send('a')
    gone.emit('close')
    expect([begun.join(''), limiter.waiting]).toEqual(['aa', 1])
    places[1]!.end()
    await turns()
    expect([begun.join(''), limiter.waiting]).toEqual(['aaa', 0])
  })

  test('are given to all that wait when the server ends', async () => {
    const { send, begun, limiter } = openRequests()
    for (let number = 0; number < 30; number += 1) send('a')
    limiter.close()
    await untilBegun(begun, 30)
  })
})

describe('the thread', () => {
  test('is not waited for while a turn of the event loop is short', () => {
    const { send, begun } = openRequests({ maxPlaces: 100 })
    for (let number = 0; number < 25; number += 1) send('a', { milliseconds: 0.1 })
    expect(begun).toHaveLength(25)
  })

  test('is shared: requests of a long turn wait, keys take turns, and no turn becomes long', async () => {
    const { work, begun } = openRequests()
    void work('a', 20)
    for (const key of 'aaaabcb') void work(key, 0.5)
    expect(begun).toEqual(['a'])
    expect(await untilBegun(begun, 8)).toBe(2)
    expect(begun.join('')).toBe('acbbaaaa')
  })

  test('is next for the key that has used least', async () => {
    const { work, begun } = openRequests()
    for (let number = 0; number < 8; number += 1) void work('hostile', 20)
    await untilBegun(begun, 3)
    for (let number = 0; number < 4; number += 1) void work('honest', 1)
    await untilBegun(begun, 12)
    expect(begun.slice(3, 9).filter((key) => key === 'honest')).toHaveLength(4)
  })

  test('and all else that requests in progress wait for is shared by them: 32 that wait together have used it once', async () => {
    const { send, places, clock, turns, orderOf } = openRequests({ maxPlaces: 32 })
    for (let number = 0; number < 32; number += 1) send('writer')
    clock.now += 320
    for (const place of places) place.end()
    await turns()
    send('other')
    clock.now += 330
    places.at(-1)!.end()
    expect(await orderOf('other', 'writer')).toEqual(['writer', 'other'])
  })

  test('is not used by what has a queue of its own', async () => {
    const { send, work, places, clock, orderOf } = openRequests()
    send('search')
    const elsewhere = Promise.withResolvers<string>()
    const searched = places[0]!.elsewhere(() => elsewhere.promise)
    clock.now += 500
    elsewhere.resolve('found')
    expect(await searched).toBe('found')
    clock.now += 5
    places[0]!.end()
    await work('thread', 10)
    expect(await orderOf('thread', 'search')).toEqual(['search', 'thread'])
  })

  test('is used by requests in progress as well, wherever else they spend their time', async () => {
    const { send, places, clock, orderOf } = openRequests()
    send('database')
    clock.now += 500
    places[0]!.end()
    expect(await orderOf('database', 'thread')).toEqual(['thread', 'database'])
  })

  test('is used by requests that cost nothing and by bytes that come, too', async () => {
    const { send, places, orderOf } = openRequests()
    for (let number = 0; number < 20; number += 1) {
      send('many')
      places.at(-1)!.end()
    }
    send('long', { bytes: 512 * 1024 })
    places.at(-1)!.end()
    expect(await orderOf('many', 'long', 'few')).toEqual(['few', 'long', 'many'])
  })

  test('is forgotten to have been used after a time', async () => {
    const { work, begun, clock, turns } = openRequests()
    for (const key of ['a', 'a', 'a', 'b']) void work(key, 200)
    await untilBegun(begun, 4)
    await turns()
    clock.now += 20_000
    void work('first', 20)
    for (const key of ['a', 'b', 'a', 'b']) void work(key, 6)
    await untilBegun(begun, 9)
    expect([begun.slice(5, 7).sort(), begun.slice(7).sort()]).toEqual([
      ['a', 'b'],
      ['a', 'b'],
    ])
  })

  test('takes one request in each turn, however long it takes to receive what has come', async () => {
    const { work, begun, clock } = openRequests()
    for (let number = 0; number < 20; number += 1) void work('a', 20)
    for (let turn = 0; turn < 3; turn += 1) {
      const before = begun.length
      // Before the callbacks of the next turn.
      setTimeout(() => {
        clock.now += 50
      })
      await setImmediate()
      await setImmediate()
      expect(begun.length).toBeGreaterThan(before)
    }
  })
})

describe('bounds', () => {
  test('of number: of thousands of keys, the one that holds most is refused', async () => {
    const { send, refused, limiter, begun, turns } = openRequests({ maxPlaces: 1, maxWaiting: 8_000 })
    for (let number = 0; number < 4_000; number += 1) for (let times = 0; times < 2; times += 1) send(`key ${number}`)
    for (let number = 0; number < 5_000; number += 1) send('many')
    await turns()
    expect(begun).toHaveLength(4_001)
    expect(limiter.waiting).toBe(8_000)
    expect(refused).toEqual(Array(999).fill({ key: 'many', code: 429 }))
  })

  test('of number: the newest request of the key that holds most is refused', async () => {
    const { send, refused, limiter, turns } = openRequests({ maxPlaces: 1, maxWaiting: 10 })
    for (const key of ['a', 'b', 'c']) send(key)
    for (let number = 0; number < 8; number += 1) send('a')
    for (let number = 0; number < 2; number += 1) send('b')
    expect(limiter.waiting).toBe(10)
    for (let number = 0; number < 3; number += 1) send('c')
    await turns()
    expect(refused).toEqual(Array(3).fill({ key: 'a', code: 429 }))
    expect(limiter.waiting).toBe(10)
    for (let number = 0; number < 3; number += 1) send('a')
    await turns()
    expect(refused.slice(3)).toEqual(Array(3).fill({ key: 'a', code: 429 }))
  })

  test('of bytes: the newest request of the key whose bodies are largest is refused', async () => {
    const { send, refused, turns } = openRequests({ maxPlaces: 1, maxWaitingBytes: 1_000 })
    for (const key of ['a', 'b']) send(key)
    for (let number = 0; number < 5; number += 1) send('a', { bytes: 1 })
    send('b', { bytes: 900 })
    await turns()
    expect(refused).toEqual([])
    send('a', { bytes: 200 })
    await turns()
    expect(refused).toEqual([{ key: 'b', code: 429 }])
  })

  test('of bodies that are received: those that have been incomplete longest are cut, of the key that has most', () => {
    const { send, begun, places, cut, counts } = openRequests({ maxLongBytes: 1_000 })
    send('a', { bytes: 300, isLong: true })
    for (let number = 0; number < 2; number += 1) send('b', { bytes: 350, isLong: true })
    expect([begun.join(''), cut.join('')]).toEqual(['abb', ''])
    send('a', { bytes: 300, isLong: true })
    expect([cut.join(''), counts.of('requestBytes')]).toEqual(['b', 1])
    // A body that is whole is not cut, and counts until its request ends.
    places[2]!.received()
    send('c', { bytes: 200, isLong: true })
    expect(cut.join('')).toBe('ba')
    for (const place of places) place.end()
    for (let number = 0; number < 2; number += 1) send('b', { bytes: 500, isLong: true })
    expect(cut.join('')).toBe('ba')
  })

  test('of a body that is being received, the time is not use', async () => {
    const { send, places, clock, turns, orderOf } = openRequests()
    send('slow', { bytes: 10, isLong: true })
    clock.now += 400
    places[0]!.received()
    clock.now += 10
    places[0]!.end()
    await turns()
    send('other')
    clock.now += 100
    places[1]!.end()
    expect(await orderOf('other', 'slow')).toEqual(['slow', 'other'])
  })

  test('of bytes: as many are refused as there are too many, and none without a body', async () => {
    const { send, refused, turns } = openRequests({ maxPlaces: 1, maxWaitingBytes: 1_000 })
    for (const key of ['a', 'b']) send(key)
    for (let number = 0; number < 3; number += 1) send('a', { bytes: 300 })
    send('a')
    send('b', { bytes: 500 })
    await turns()
    expect(refused).toEqual([
      { key: 'a', code: 429 },
      { key: 'a', code: 429 },
    ])
  })

  test('of time: after a minute a request is answered 503', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const { send, refused, limiter, turns } = openRequests({ maxPlaces: 1 })
    send('a')
    send('a')
    vi.advanceTimersByTime(59_999)
    await turns()
    expect(refused).toEqual([])
    vi.advanceTimersByTime(1)
    await turns()
    expect([refused, limiter.waiting]).toEqual([[{ key: 'a', code: 503 }], 0])
  })
})
