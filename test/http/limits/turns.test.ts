import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openTurns } from '../../../src/http/turns.ts'

/** Requests whose work takes so many milliseconds of a clock that they set. */
function openRequests() {
  const clock = { now: 0 }
  const turns = openTurns(() => clock.now)
  const begun: string[] = []
  return {
    begun,
    async send(key: string, milliseconds: number) {
      const turn = turns.take(async () => key)
      if (turn) await turn
      begun.push(key)
      clock.now += milliseconds
    },
  }
}

test('while a turn of the event loop is short, no request waits', () => {
  const { begun, send } = openRequests()
  for (let number = 0; number < 50; number += 1) void send('a', 0.1)
  expect(begun).toHaveLength(50)
})

test('requests of a long turn wait, and callers take turns, four in each turn of the event loop', async () => {
  const { begun, send } = openRequests()
  void send('a', 10)
  for (const key of 'aaaaaabcb') void send(key, 1)
  expect(begun).toEqual(['a'])
  const inTurns: number[] = []
  while (begun.length < 10) {
    const before = begun.length
    await setImmediate()
    inTurns.push(begun.length - before)
  }
  expect(begun.join('')).toBe('a' + 'abcabaaaa')
  expect(Math.max(...inTurns)).toBe(4)
})

test('after the waiting requests, the next are answered at once', async () => {
  const { begun, send } = openRequests()
  await Promise.all([send('a', 10), send('a', 1), send('a', 1)])
  for (let turns = 0; turns < 3; turns += 1) await setImmediate()
  void send('a', 1)
  expect(begun).toHaveLength(4)
})
