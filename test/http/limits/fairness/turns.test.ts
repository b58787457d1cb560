import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openTurns } from '../../../../src/http/fairness/turns.ts'

/** Requests whose work takes so many milliseconds of a clock that they set. */
function openRequests() {
  const clock = { now: 0 }
  const turns = openTurns(() => clock.now)
  const begun: string[] = []
  return {
    begun,
    clock,
    async send(key: string, milliseconds: number, expected = 0) {
      const turn = turns.take(async () => key, expected)
      if (turn) await turn
      begun.push(key)
      clock.now += milliseconds
    },
  }
}

test('while a turn of the event loop is short, no request waits', () => {
  const { begun, send } = openRequests()
  for (let number = 0; number < 25; number += 1) void send('a', 0.1)
  expect(begun).toHaveLength(25)
})

/** Waits until so many requests have begun, and returns the most that began in one turn of the event loop. */
async function untilBegun(begun: readonly string[], count: number): Promise<number> {
  let most = 0
  for (let turn = 0; begun.length < count; turn += 1) {
    if (turn > 1_000) throw new Error(`${begun.length} of ${count} requests have begun.`)
    const before = begun.length
    await setImmediate()
    most = Math.max(most, begun.length - before)
  }
  return most
}

test('requests of a long turn wait, and callers take turns; no turn of the event loop becomes long', async () => {
  const { begun, send } = openRequests()
  void send('a', 20)
  for (const key of 'aaaabcb') void send(key, 0.5)
  expect(begun).toEqual(['a'])
  expect(await untilBegun(begun, 8)).toBe(2)
  expect(begun.join('')).toBe('aabcabaa')
})

test('the caller that has used the thread least is next', async () => {
  const { begun, send } = openRequests()
  for (let number = 0; number < 8; number += 1) void send('hostile', 20)
  await untilBegun(begun, 3)
  for (let number = 0; number < 4; number += 1) void send('honest', 1)
  await untilBegun(begun, 12)
  expect(begun.slice(3, 9).filter((key) => key === 'honest')).toHaveLength(4)
})

test('after the waiting requests, the next are answered at once', async () => {
  const { begun, send } = openRequests()
  await Promise.all([send('a', 20), send('a', 1), send('a', 1)])
  for (let turns = 0; turns < 3; turns += 1) await setImmediate()
  void send('a', 1)
  expect(begun).toHaveLength(4)
})

test('what a caller has used is forgotten after a time', async () => {
  const { begun, clock, send } = openRequests()
  for (const key of ['a', 'a', 'a', 'b']) void send(key, 200)
  await untilBegun(begun, 4)
  for (let turns = 0; turns < 3; turns += 1) await setImmediate()
  clock.now += 20_000
  void send('first', 20)
  for (const key of ['a', 'b', 'a', 'b']) void send(key, 6)
  await untilBegun(begun, 9)
  expect(begun.slice(5)).toEqual(['a', 'b', 'a', 'b'])
})

test('a request begins in each turn, however long it takes to receive what has come', async () => {
  const { begun, clock, send } = openRequests()
  for (let number = 0; number < 20; number += 1) void send('a', 20)
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

test('what is expected of a request counts as if the thread had taken it already', async () => {
  const { begun, send } = openRequests()
  for (let number = 0; number < 30; number += 1) void send('hostile', 0, 0.5)
  expect(begun).toHaveLength(7)
  expect(await untilBegun(begun, 9)).toBeLessThanOrEqual(2)
  for (let number = 0; number < 4; number += 1) void send('honest', 0, 0.5)
  expect(await untilBegun(begun, 34)).toBe(2)
  expect(begun.slice(9, 15).filter((key) => key === 'honest')).toHaveLength(4)
})
