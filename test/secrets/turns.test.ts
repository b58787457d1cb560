import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { limitConcurrency } from '../../src/secrets/turns.ts'
import { PasswordsBusy } from '../../src/tokens/password.ts'

test('so many pieces run at once and no more, in the order of their coming', async () => {
  const inTurn = limitConcurrency(2, 10_000)
  let running = 0
  let most = 0
  const begun: number[] = []
  const pieces = Array.from({ length: 10 }, (_, number) =>
    inTurn(async () => {
      begun.push(number)
      running += 1
      most = Math.max(most, running)
      await delay(2)
      running -= 1
      return number
    }),
  )
  expect(await Promise.all(pieces)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  expect(most).toBe(2)
})

test('a piece that fails gives its turn to the next', async () => {
  const inTurn = limitConcurrency(1, 10_000)
  const failing = inTurn(() => Promise.reject(new Error('no')))
  const next = inTurn(async () => 'yes')
  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('yes')
  expect(await inTurn(async () => 'and again')).toBe('and again')
})

test('what would wait for too long is turned away at once, and the others are done', async () => {
  const inTurn = limitConcurrency(1, 100)
  await inTurn(() => delay(100))
  const pieces = await Promise.allSettled(Array.from({ length: 40 }, () => inTurn(() => delay(20))))
  const refused = pieces.filter((piece) => piece.status === 'rejected')
  expect(refused.length).toBeGreaterThan(20)
  expect(refused.length).toBeLessThan(40)
  expect(refused.every(({ reason }) => reason instanceof PasswordsBusy)).toBe(true)
  expect(await inTurn(async () => 'free again')).toBe('free again')
})
