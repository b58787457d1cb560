import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { fairQueue, type MeasuredQueue, measuredQueue, serialQueue } from '../src/queue.ts'
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
  let max = 0
  const tasks = Array.from({ length: count }, (_, number) => async () => {
    begun.push(number)
    running += 1
    max = Math.max(max, running)
    for (let turn = 0; turn < turns; turn += 1) await undefined
    running -= 1
    return number
  })
  return { tasks, begun, max: () => max }
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
    const { tasks, begun, max } = observedTasks(10)
    expect(await Promise.all(tasks.map((task) => queue(task, never)))).toEqual(inOrder)
    expect(begun).toEqual(inOrder)
    expect(max()).toBe(1)
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

describe('a fair queue', () => {
  /** Nothing runs until the returned function is called; what then begins is listed. */
  async function heldQueue(maxPerKey = Number.POSITIVE_INFINITY, atOnce = 1) {
    const queue = fairQueue({ atOnce, maxPerKey, full: (key) => new Refused(`${key} is full`) })
    const held = Array.from({ length: atOnce }, heldTask)
    const running = held.map(({ task }) => queue.run('the first', task))
    const begun: string[] = []
    const added: Promise<void>[] = []
    const add = (key: string, name = key) => {
      const task = queue.run(key, async () => void begun.push(name))
      added.push(task)
      return task
    }
    const finish = async () => {
      for (const { end } of held) end()
      await Promise.all([...running, ...added])
      return begun
    }
    return { queue, add, finish, begun }
  }

  test('a key with one task waits for one of each other key, however many those have', async () => {
    const { add, finish } = await heldQueue()
    for (let time = 0; time < 100; time += 1) add('loud')
    for (let time = 0; time < 50; time += 1) add('also loud')
    add('quiet')
    expect((await finish()).indexOf('quiet')).toBe(2)
  })

  test('a key that comes again waits for its turn again', async () => {
    const { queue, add, finish, begun } = await heldQueue()
    const again = queue.run('a', async () => {
      begun.push('a')
      add('a', 'a again')
    })
    add('b')
    add('c')
    await finish()
    await again
    expect(await finish()).toEqual(['a', 'b', 'c', 'a again'])
  })

  test('a key with as many waiting tasks as may is refused one more, other keys are not', async () => {
    const { queue, add, finish } = await heldQueue(2)
    add('a')
    add('a')
    const refused = queue.run('a', async () => undefined)
    expect((await rejectionOf(refused, Refused)).message).toBe('a is full')
    add('b')
    expect(queue.waiting()).toBe(3)
    expect([queue.waiting('a'), queue.waiting('b'), queue.waiting('c')]).toEqual([2, 1, 0])
    expect(await finish()).toEqual(['a', 'b', 'a'])
    expect(await queue.run('a', async () => 'free again')).toBe('free again')
  })

  test('any number of keys with any number of tasks: turns are fair, and each key keeps its order', async () => {
    const arrivals = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { maxLength: 60 })
    await fc.assert(
      fc.asyncProperty(arrivals, fc.integer({ min: 1, max: 3 }), async (keys, atOnce) => {
        const { add, finish } = await heldQueue(undefined, atOnce)
        keys.forEach((key, position) => void add(key, `${key}${position}`))
        const begun = await finish()
        const left = new Map<string, number>()
        for (const key of keys) left.set(key, (left.get(key) ?? 0) + 1)
        for (const key of left.keys()) {
          const ofKey = (names: readonly string[]) => names.filter((name) => name.startsWith(key))
          expect(ofKey(begun)).toEqual(keys.flatMap((other, position) => (other === key ? [`${key}${position}`] : [])))
        }
        // All waited from the beginning: each round has every key that still has a task, once.
        let rest = begun
        while (rest.length > 0) {
          const waiting = [...left].filter(([, count]) => count > 0).map(([key]) => key)
          const round = rest.slice(0, waiting.length).map((name) => name[0]!)
          expect(round.toSorted()).toEqual(waiting.toSorted())
          for (const key of waiting) left.set(key, left.get(key)! - 1)
          rest = rest.slice(waiting.length)
        }
      }),
    )
  })

  test('between two turns of a key, every other key that waited has one, while tasks keep coming', async () => {
    const step = fc.record({
      key: fc.constantFrom('a', 'b', 'c', 'd'),
      brings: fc.constantFrom('', 'a', 'b', 'c', 'd'),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const queue = fairQueue({ atOnce: 1, maxPerKey: Number.POSITIVE_INFINITY, full: refuse })
        const waiting = new Map<string, number>()
        /** Turns that the first key of each pair had while the second waited for one. */
        const passed = new Map<string, number>()
        const { task, end } = heldTask()
        const tasks = [queue.run('the first', task)]
        const count = (key: string, change: number) => waiting.set(key, (waiting.get(key) ?? 0) + change)
        const add = (key: string, brings: string) => {
          count(key, 1)
          const running = queue.run(key, async () => {
            count(key, -1)
            for (const [other, left] of waiting) {
              passed.set(`${other}<${key}`, 0)
              if (left === 0 || other === key) continue
              const times = (passed.get(`${key}<${other}`) ?? 0) + 1
              expect(times, `${key} passes ${other}`).toBeLessThanOrEqual(1)
              passed.set(`${key}<${other}`, times)
            }
            if (brings !== '') add(brings, '')
          })
          tasks.push(running)
        }
        for (const { key, brings } of steps) add(key, brings)
        end()
        // Tasks bring others while they are awaited.
        for (let position = 0; position < tasks.length; position += 1) await tasks[position]
        expect(queue.waiting()).toBe(0)
      }),
    )
  })

  test('says how many tasks begin before the next of a key', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom('a', 'b', 'c', 'd')), fc.constantFrom('a', 'e'), async (keys, key) => {
        const { queue, add, finish, begun } = await heldQueue()
        for (const other of keys) add(other)
        const ahead = queue.ahead(key)
        add(key, 'the next')
        await finish()
        expect(begun.indexOf('the next')).toBe(ahead)
      }),
    )
  })
})

describe('a measured queue', () => {
  function openQueue(atOnce: number, maxWaitMilliseconds = 10_000, maxPerKey = Number.POSITIVE_INFINITY) {
    const full = () => new Refused('the key is full')
    return measuredQueue({ atOnce, maxPerKey, maxWaitMilliseconds, full, busy: refuse })
  }

  test('runs as many concurrent tasks as are allowed, in the order in which they came', async () => {
    const { runSoon } = openQueue(2)
    const { tasks, begun, max } = observedTasks(10)
    expect(await Promise.all(tasks.map((task) => runSoon('a', task)))).toEqual(inOrder)
    expect(begun).toEqual(inOrder)
    expect(max()).toBe(2)
  })

  test('runs the next task after one that fails', async () => {
    const { runSoon } = openQueue(1)
    const failing = runSoon('a', () => Promise.reject(new Error('no')))
    const next = runSoon('a', async () => 'yes')
    await expect(failing).rejects.toThrow('no')
    expect(await next).toBe('yes')
    expect(await runSoon('a', async () => 'and again')).toBe('and again')
  })

  /** Counts how many of 40 concurrent tasks of one key are taken. */
  async function countTaken({ runSoon }: MeasuredQueue): Promise<number> {
    const { task, end } = heldTask()
    const tasks = Array.from({ length: 40 }, () => runSoon('a', task))
    end()
    const outcomes = await Promise.allSettled(tasks)
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
    expect(refused.every(({ reason }) => reason instanceof Refused)).toBe(true)
    return outcomes.length - refused.length
  }

  test('refuses immediately, with the error of the caller, what would wait too long', async () => {
    // One runs, and three wait: behind them a task would wait three times the 50 ms that are guessed.
    expect(await countTaken(openQueue(1, 149))).toBe(4)
    expect(await countTaken(openQueue(2, 149))).toBe(8)
  })

  test('measures how long tasks take, and takes again what it refused when they are done', async () => {
    const queue = openQueue(1, 149)
    const taking = (milliseconds: number) => queue.runSoon('a', async () => void vi.advanceTimersByTime(milliseconds))
    await taking(10)
    // One runs, and fifteen wait: behind them a task would wait fifteen times 10 ms.
    expect(await countTaken(queue)).toBe(16)
    for (let time = 0; time < 50; time += 1) await taking(1_000)
    expect(await countTaken(queue)).toBe(2)
    expect(await queue.runSoon('a', async () => 'free again')).toBe('free again')
  })

  test('takes a task of a key that has none, while one with many would wait too long', async () => {
    const { runSoon } = openQueue(1, 149)
    const { task, end } = heldTask()
    const loud = Array.from({ length: 4 }, () => runSoon('loud', task))
    expect((await rejectionOf(runSoon('loud', task), Refused)).message).toBe('the key is full')
    const quiet = ['a', 'b'].map((key) => runSoon(key, async () => `${key} taken`))
    expect((await rejectionOf(runSoon('c', task), Refused)).message).toBe('refused')
    end()
    await Promise.all(loud)
    expect(await Promise.all(quiet)).toEqual(['a taken', 'b taken'])
  })

  test('takes what may wait for any time, but no more of one key than may wait', async () => {
    const { run, runSoon } = openQueue(1, 149, 30)
    const { task, end } = heldTask()
    const tasks = Array.from({ length: 31 }, () => run('a', task))
    await rejectionOf(runSoon('a', task), Refused)
    expect((await rejectionOf(run('a', task), Refused)).message).toBe('the key is full')
    end()
    await Promise.all(tasks)
  })
})
