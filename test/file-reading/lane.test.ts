import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openLane } from '../../src/file-reading/lane.ts'
import { UsedTime } from '../../src/used-time.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A lane whose tasks take times of the clock that only they move, and the names of those that have run. */
function open({ maxPerUser = 100, maxPerPortal = 100 } = {}) {
  const lane = openLane({ maxPerUser, maxPerPortal, waitTimeout: 3_600_000 }, new UsedTime(), { maxAtOnce: 1 })
  const done: string[] = []
  const send = (portalId: string, userId: string, milliseconds: number, hasWaited = false) => {
    const task = async () => {
      vi.advanceTimersByTime(milliseconds)
      done.push(userId)
    }
    return lane.run({ portalId, userId: `${userId} of ${portalId}` }, task, hasWaited)
  }
  return { done, send }
}

test('turns go by the time that was used, and not by files', async () => {
  const { done, send } = open()
  const sent = [send('maps', 'heavy', 5_000), send('maps', 'heavy', 5_000)]
  for (let file = 1; file <= 20; file += 1) sent.push(send('maps', 'light', 100))
  await Promise.all(sent)
  expect(done).toEqual(['heavy', ...Array(20).fill('light'), 'heavy'])
})

test('organizations take turns before their users: one with many has no more than one with one', async () => {
  const { done, send } = open()
  const sent = ['a', 'b', 'c', 'd', 'e'].map((user) => send('maps', user, 1_000))
  sent.push(...['x', 'x', 'x'].map((user) => send('lakes', user, 1_000)))
  await Promise.all(sent)
  expect(done.slice(0, 5).filter((user) => user === 'x')).toHaveLength(2)
  expect(done.join('')).toMatch(/^ax.*x/)
  expect(done.filter((user) => user !== 'x')).toEqual(['a', 'b', 'c', 'd', 'e'])
})

test('files of an organization that wait are bounded, and those of others still wait their turn', async () => {
  const { done, send } = open({ maxPerPortal: 2 })
  const sent = ['a', 'b', 'c'].map((user) => send('maps', user, 10))
  const refusal = expect(send('maps', 'd', 10)).rejects.toMatchObject({ code: 503, limit: 'schemaFilesWaiting' })
  await Promise.all([...sent, send('lakes', 'x', 10), refusal])
  expect(done).toEqual(['a', 'x', 'b', 'c'])
})

test('a file that waits once more goes behind others, and is not refused for those of its user that wait', async () => {
  const { done, send } = open({ maxPerUser: 1 })
  const again = send('maps', 'a', 1_000).then(() => send('maps', 'a', 1_000, true))
  await Promise.all([again, send('maps', 'a', 10), send('maps', 'b', 10), send('lakes', 'x', 10)])
  expect(done).toEqual(['a', 'x', 'b', 'a', 'a'])
})

test('where two are read at a time, they are of two organizations', async () => {
  const lane = openLane({ maxPerUser: 9, maxPerPortal: 9, waitTimeout: 3_600_000 }, new UsedTime(), { maxAtOnce: 2 })
  const reading = new Map<string, () => void>()
  const send = (portalId: string, name: string) =>
    lane.run({ portalId, userId: name }, () => new Promise<void>((resolve) => void reading.set(name, resolve)))
  const sent = [send('maps', 'a'), send('maps', 'b'), send('lakes', 'x'), send('hills', 'y')]
  const end = async (name: string) => {
    reading.get(name)!()
    reading.delete(name)
    await vi.advanceTimersByTimeAsync(10)
  }
  expect([...reading.keys()]).toEqual(['a', 'x'])
  await end('x')
  expect([...reading.keys()]).toEqual(['a', 'y'])
  await end('y')
  expect([...reading.keys()]).toEqual(['a'])
  await end('a')
  expect([...reading.keys()]).toEqual(['b'])
  await end('b')
  await Promise.all(sent)
})
