import { expect, test } from 'vitest'
import { startLooks } from '../../src/background/loop.ts'

test('a look on demand joins the one that is under way, and the end waits for it', async () => {
  const done = Promise.withResolvers<void>()
  let looks = 0
  let hasEnded = false
  const { run, end } = startLooks(() => {
    looks += 1
    return done.promise
  }, 3_600_000)
  const both = [run(), run()]
  const ending = end().then(() => {
    hasEnded = true
  })
  await Promise.resolve()
  expect([looks, hasEnded]).toEqual([1, false])
  done.resolve()
  await Promise.all([...both, ending])
  await run()
  expect(looks).toBe(2)
})
