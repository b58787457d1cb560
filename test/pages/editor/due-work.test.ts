import { expect, test } from 'vitest'
import { DueWork } from '../../../pages/src/editor/model/due-work.ts'

/** Work whose time comes when the test says so. */
function openWork() {
  const waiting = new Set<() => void>()
  const done: string[] = []
  const work = new DueWork(
    () => done.push(work.isDue ? 'due' : 'done'),
    (later) => {
      const own = () => later()
      waiting.add(own)
      return () => waiting.delete(own)
    },
  )
  const elapse = () => {
    const all = [...waiting]
    waiting.clear()
    for (const later of all) later()
  }
  return { work, done, elapse }
}

test('what is asked for many times is done once, and again when it is asked for again', () => {
  const { work, done, elapse } = openWork()
  for (let times = 0; times < 20; times += 1) work.ask()
  expect([work.isDue, done.length]).toEqual([true, 0])
  elapse()
  expect([work.isDue, done]).toEqual([false, ['done']])
  work.ask()
  elapse()
  expect(done).toEqual(['done', 'done'])
})

test('it can be done immediately, which leaves nothing for later', () => {
  const { work, done, elapse } = openWork()
  work.doNow()
  expect(done).toEqual([])
  work.ask()
  work.doNow()
  elapse()
  expect([work.isDue, done]).toEqual([false, ['done']])
})

test('it can be given up', () => {
  const { work, done, elapse } = openWork()
  work.ask()
  work.giveUp()
  elapse()
  expect([work.isDue, done]).toEqual([false, []])
})
