import type Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { OperationRefused, PortalError } from '../../../src/errors.ts'
import { openConnection } from '../../../src/storage/sqlite/file.ts'
import { type Piece, writeInGroups } from '../../../src/storage/sqlite/group-commit.ts'
import { openSqlite } from '../../../src/storage/sqlite/sqlite.ts'
import { StorageUnavailable } from '../../../src/storage/storage.ts'
import { rejectionOf } from '../../support/rejection.ts'
import { aPortal, aUser } from '../contract/records.ts'
import {
  addAndThrow,
  addEntry,
  addPortal,
  addPortalTwice,
  appendNumber,
  ignoreInput,
  type Thrown,
  thrown,
} from './write-works.ts'
import { countCommits, entriesOf, hold, sent, variants } from './writers.ts'

const numbers = (from: number, count: number): readonly number[] => Array.from({ length: count }, (_, at) => from + at)

describe.each(variants)('writing by $name', (variant) => {
  test('what waits shares one transaction, in the order of its coming', async () => {
    const { storage, file } = await variant.open()
    const { holding, release } = await hold(variant, storage)
    const works: Promise<number>[] = []
    for (const number of numbers(1, 100)) {
      works.push(storage.write(addEntry, number))
      // In several messages, where it travels.
      if (number % 20 === 0) await sent()
    }
    const before = countCommits(file)
    release()
    await holding
    expect(await Promise.all(works)).toEqual(numbers(1, 100))
    expect(countCommits(file) - before).toBe(2)
    expect(await entriesOf(storage)).toEqual(numbers(0, 101))
  })

  test('at most 256 share one', async () => {
    const { storage, file } = await variant.open()
    const { holding, release } = await hold(variant, storage)
    const works = numbers(1, 600).map((number) => storage.write(addEntry, number))
    await sent()
    const before = countCommits(file)
    release()
    await Promise.all([holding, ...works])
    const ofThoseWhoWaited = countCommits(file) - before - 1
    expect(ofThoseWhoWaited).toBe(3)
    expect(await entriesOf(storage)).toEqual(numbers(0, 601))
  })

  test('one alone has a transaction of its own, and is not kept waiting for company', async () => {
    const { storage, file } = await variant.open()
    const before = countCommits(file)
    const durations: number[] = []
    for (const number of numbers(1, 50)) {
      const begun = performance.now()
      await storage.write(addEntry, number)
      durations.push(performance.now() - begun)
    }
    expect(countCommits(file) - before).toBe(50)
    expect(Math.min(...durations)).toBeLessThan(5)
  })

  test('those who are sent without waiting are done in the order in which they were sent', async () => {
    const { storage } = await variant.open()
    await storage.write(addPortal)
    const sentOnes = numbers(1, 1000)
    await Promise.all(sentOnes.map((number) => storage.write(appendNumber, number)))
    const portal = await storage.read(({ directory }) => directory.findPortal(aPortal().portalId))
    expect(portal?.description.trim().split(' ').map(Number)).toEqual(sentOnes)
  })

  test('nobody is answered before the commit', async () => {
    const { storage, file } = await variant.open()
    const { holding, release } = await hold(variant, storage)
    let answered = 0
    const works = numbers(1, 30).map(async (number) => {
      await storage.write(addEntry, number)
      answered += 1
      // Another connection sees it: it is in the database, and not only in the transaction.
      expect((await entriesOf(storage)).length).toBe(31)
    })
    await sent()
    expect(answered).toBe(0)
    const before = countCommits(file)
    release()
    await Promise.all([holding, ...works])
    expect(countCommits(file) - before).toBe(2)
  })

  test('of a group, each that fails is undone alone, and told its own error', async () => {
    const { storage } = await variant.open()
    const { holding, release } = await hold(variant, storage)
    const kinds = Object.keys(thrown) as Thrown[]
    const works = kinds.flatMap((kind, at) => [storage.write(addEntry, at + 1), storage.write(addAndThrow, kind)])
    const settling = Promise.allSettled(works)
    await sent()
    release()
    await holding
    const results = await settling
    expect(results.filter((_, at) => at % 2 === 0)).toEqual(
      kinds.map((_, at) => ({ status: 'fulfilled', value: at + 1 })),
    )
    expect(results.filter((_, at) => at % 2 === 1).map(({ status }) => status)).toEqual(kinds.map(() => 'rejected'))
    expect(await entriesOf(storage)).toEqual(numbers(0, kinds.length + 1))
  })

  test('an error of a known kind comes through with all that it says', async () => {
    const { storage } = await variant.open()
    const portal = await rejectionOf(storage.write(addAndThrow, 'portal' as const), PortalError)
    expect({ ...portal, message: portal.message }).toEqual({
      name: 'PortalError',
      code: 429,
      messageCode: 'GWM_0003',
      message: 'Not now.',
      details: ['one'],
      retryAfterSeconds: 7,
    })
    const refused = await rejectionOf(storage.write(addAndThrow, 'refused' as const), OperationRefused)
    expect(refused.details).toEqual(['The first reason.', 'The second reason.'])
    const unavailable = await rejectionOf(storage.write(addAndThrow, 'unavailable' as const), StorageUnavailable)
    expect(unavailable.message).toBe('The disk is elsewhere.')
  })

  test('a bug comes through with its name, its message and its stack', async () => {
    const { storage } = await variant.open()
    const bug = await rejectionOf(storage.write(addAndThrow, 'bug' as const), Error)
    expect(bug).not.toBeInstanceOf(StorageUnavailable)
    expect([bug.name, bug.message]).toEqual(['RangeError', 'far out'])
    expect(bug.stack).toMatch(/^RangeError: far out\n.*write-works\.ts/s)
  })

  test('a constraint that fails is a bug, and leaves nothing', async () => {
    const { storage } = await variant.open()
    const bug = await rejectionOf(storage.write(addPortalTwice), Error)
    expect(bug).not.toBeInstanceOf(StorageUnavailable)
    expect(bug.name).toBe('SqliteError')
    expect(bug.message).toContain('UNIQUE')
    expect(await storage.read(({ directory }) => directory.listPortals())).toEqual([])
    expect(await storage.write(addEntry, 1)).toBe(1)
  })

  test('what has not begun in time is given up and never done; the others are', async () => {
    const { storage } = await variant.open()
    const { holding, release } = await hold(variant, storage)
    const soon = performance.now() + 50
    const works = numbers(1, 20).map((number) => storage.write(addEntry, number, number % 2 === 0 ? soon : undefined))
    const settling = Promise.allSettled(works)
    await new Promise((resolve) => setTimeout(resolve, 100))
    release()
    await holding
    const results = await settling
    const late = results.filter((_, at) => at % 2 === 1)
    expect(late.every((result) => result.status === 'rejected' && result.reason instanceof StorageUnavailable)).toBe(
      true,
    )
    expect(await entriesOf(storage)).toEqual([0, ...numbers(1, 20).filter((number) => number % 2 === 1)])
  })

  test('what comes too late is not begun at all', async () => {
    const { storage } = await variant.open()
    const late = storage.write(addEntry, 1, performance.now() - 1)
    await expect(late).rejects.toThrow(new StorageUnavailable('The database has more to write than it can.'))
    expect(await storage.write(addEntry, 2)).toBe(2)
    expect(await entriesOf(storage)).toEqual([2])
  })

  test('closing lets what was sent finish, and takes no more', async () => {
    const { storage, file } = await variant.open()
    const works = numbers(1, 300).map((number) => storage.write(addEntry, number))
    const settling = Promise.allSettled(works)
    const closing = storage.close()
    const refused = storage.write(addEntry, 301)
    await expect(refused).rejects.toThrow(new StorageUnavailable('The database is closed.'))
    await closing
    expect((await settling).filter(({ status }) => status === 'rejected')).toEqual([])
    const again = await openSqlite(file)
    try {
      expect(await entriesOf(again)).toEqual(numbers(1, 300))
    } finally {
      await again.close()
    }
  })

  test('closing with nothing to finish ends, and so does closing twice', async () => {
    const { storage } = await variant.open()
    await Promise.all([storage.close(), storage.close()])
    await storage.close()
    await expect(storage.ping()).rejects.toBeInstanceOf(StorageUnavailable)
    await expect(storage.write(ignoreInput)).rejects.toBeInstanceOf(StorageUnavailable)
  })
})

test('a commit that the database refuses is told to all of its group, keeps nothing, and the next is done', async () => {
  const connections: Database.Database[] = []
  const [here] = variants
  const { storage } = await here!.open((path) => {
    const connection = openConnection(path)
    connections.push(connection)
    return connection
  })
  const { holding, release } = await hold(here!, storage)
  const works = [
    storage.write(addEntry, 1),
    storage.write(async ({ directory }) => {
      connections[0]!.pragma('defer_foreign_keys = ON')
      await directory.addUser(aUser({ portalId: 'nowhere' }), 'hash')
    }),
    storage.write(addEntry, 2),
  ]
  const settling = Promise.allSettled(works)
  release()
  await holding
  const reasons = (await settling).map((result) => (result.status === 'rejected' ? result.reason.code : 'done'))
  expect(reasons).toEqual(works.map(() => 'SQLITE_CONSTRAINT_FOREIGNKEY'))
  expect(await storage.write(addEntry, 3)).toBe(3)
  expect(await entriesOf(storage)).toEqual([0, 3])
})

describe('a queue of writes', () => {
  interface Numbered extends Piece {
    readonly number: number
  }
  const piece = (number: number): Numbered => ({ number, until: Number.POSITIVE_INFINITY, work: async () => number })

  function open() {
    const groups: number[][] = []
    const answers: number[][] = []
    const queue = writeInGroups<Numbered>(
      async (group) => {
        groups.push(group.map(({ number }) => number))
        await undefined
        return group.map(({ number }) => ({ result: number }))
      },
      (group) => void answers.push(group.map(({ number }) => number)),
    )
    return { queue, groups, answers }
  }

  test('begins with the first at once, and takes together what comes meanwhile', async () => {
    const { queue, groups, answers } = open()
    queue.add([piece(1)])
    expect([groups, answers, queue.waiting()]).toEqual([[[1]], [], 0])
    queue.add([piece(2)])
    queue.add([piece(3), piece(4)])
    expect(queue.waiting()).toBe(3)
    await queue.isDone()
    expect([groups, answers]).toEqual([
      [[1], [2, 3, 4]],
      [[1], [2, 3, 4]],
    ])
    expect(queue.waiting()).toBe(0)
    queue.add([piece(5)])
    await queue.isDone()
    expect(answers).toEqual([[1], [2, 3, 4], [5]])
  })

  test('that was given nothing takes the next', async () => {
    const { queue, answers } = open()
    queue.add([])
    await queue.isDone()
    queue.add([piece(1)])
    await queue.isDone()
    expect(answers).toEqual([[1]])
  })
})
