import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { limitConcurrency, serialQueue } from '../src/queue.ts'
import { rejectionOf } from './support/rejection.ts'

class Refused extends Error {
  override readonly name = 'Refused'
}

const refuse = () => new Refused('refused')

/** A task that runs until the test ends it. */
function heldTask() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { task: () => promise, end: resolve }
}

/** Tasks that yield `turns` times while they run, and what was seen of them. */
function observedTasks(count: number, turns = 3) {
  const begun: number[] = []
  let running = 0
  let most = 0
  const tasks = Array.from({ length: count }, (_, number) => async () => {
    begun.push(number)
    running += 1
    most = Math.max(most, running)
    for (let turn = 0; turn < turns; turn += 1) await undefined
    running -= 1
    return number
  })
  return { tasks, begun, most: () => most }
}

const inOrder = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

describe('a serial queue', () => {
  const never = Number.POSITIVE_INFINITY

  test('runs one task after the other, in the order in which they came', async () => {
    const queue = serialQueue(refuse)
    const { tasks, begun, most } = observedTasks(10)
    expect(await Promise.all(tasks.map((task) => queue(task, never)))).toEqual(inOrder)
    expect(begun).toEqual(inOrder)
    expect(most()).toBe(1)
  })

  test('goes on after a task that fails, or that throws before it returns a promise', async () => {
    const queue = serialQueue(refuse)
    const failing = queue(() => Promise.reject(new Error('no')), never)
    const throwing = queue(() => {
      throw new Error('not even begun')
    }, never)
    const next = queue(async () => 'yes', never)
    await expect(failing).rejects.toThrow('no')
    await expect(throwing).rejects.toThrow('not even begun')
    expect(await next).toBe('yes')
  })

  test('refuses a task that has not begun at its time, with the error of the caller, and runs the next', async () => {
    const queue = serialQueue(refuse)
    const { task, end } = heldTask()
    const first = queue(task, 100)
    let ran = false
    const late = queue(async () => {
      ran = true
    }, 100)
    const patient = queue(async () => 'done', 101)
    vi.advanceTimersByTime(101)
    end()
    await first
    expect((await rejectionOf(late, Refused)).message).toBe('refused')
    expect(ran).toBe(false)
    expect(await patient).toBe('done')
  })

  test('counts the tasks that have not begun', async () => {
    const queue = serialQueue(refuse)
    expect(queue.waiting()).toBe(0)
    const { task, end } = heldTask()
    const tasks = [queue(task, never), queue(task, never), queue(task, never)]
    expect(queue.waiting()).toBe(2)
    end()
    await Promise.all(tasks)
    expect(queue.waiting()).toBe(0)
  })
})

describe('limited concurrency', () => {
  test('runs as many tasks at once as are allowed, in the order in which they came', async () => {
    const inTurn = limitConcurrency(2, 10_000, refuse)
    const { tasks, begun, most } = observedTasks(10)
    expect(await Promise.all(tasks.map((task) => inTurn(task)))).toEqual(inOrder)
    expect(begun).toEqual(inOrder)
    expect(most()).toBe(2)
  })

  test('runs the next task after one that fails', async () => {
    const inTurn = limitConcurrency(1, 10_000, refuse)
    const failing = inTurn(() => Promise.reject(new Error('no')))
    const next = inTurn(async () => 'yes')
    await expect(failing).rejects.toThrow('no')
    expect(await next).toBe('yes')
    expect(await inTurn(async () => 'and again')).toBe('and again')
  })

  /** How many of 40 tasks that come at once are taken. */
  async function countTaken(inTurn: ReturnType<typeof limitConcurrency>): Promise<number> {
    const { task, end } = heldTask()
    const tasks = Array.from({ length: 40 }, () => inTurn(task))
    end()
    const outcomes = await Promise.allSettled(tasks)
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
    expect(refused.every(({ reason }) => reason instanceof Refused)).toBe(true)
    return outcomes.length - refused.length
  }

  test('refuses at once, with the error of the caller, what would wait too long', async () => {
    // One runs, and three wait: behind them a task would wait three times the 50 ms that are guessed.
    expect(await countTaken(limitConcurrency(1, 149, refuse))).toBe(4)
    expect(await countTaken(limitConcurrency(2, 149, refuse))).toBe(8)
  })

  test('measures how long tasks take, and takes again what it refused when they are done', async () => {
    const inTurn = limitConcurrency(1, 149, refuse)
    const taking = (milliseconds: number) => inTurn(async () => void vi.advanceTimersByTime(milliseconds))
    await taking(10)
    // One runs, and fifteen wait: behind them a task would wait fifteen times 10 ms.
    expect(await countTaken(inTurn)).toBe(16)
    for (let time = 0; time < 50; time += 1) await taking(1_000)
    expect(await countTaken(inTurn)).toBe(2)
    expect(await inTurn(async () => 'free again')).toBe('free again')
  })
})
