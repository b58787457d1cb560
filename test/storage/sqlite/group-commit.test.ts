import type Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { PortalError } from '../../../src/errors.ts'
import { openConnection } from '../../../src/storage/sqlite/file.ts'
import { type PendingWrite, writeInGroups } from '../../../src/storage/sqlite/group-commit.ts'
import { StorageUnavailable } from '../../../src/storage/storage.ts'
import { rejectionOf } from '../../support/rejection.ts'
import { anAuditEntry, aPortal, aUser } from '../contract/records.ts'
import { openWorkFile } from '../work-storage.ts'
import { temporaryFile } from './temporary-file.ts'
import { send, type Thrown, thrown } from './write-commands.ts'
import { countCommits, entriesOf, hold, sent, variants } from './writers.ts'

const numbers = (from: number, count: number): readonly number[] => Array.from({ length: count }, (_, at) => from + at)

describe.each(variants)('writing by $name', (variant) => {
  test('commands that wait share one transaction, in the order of their arrival', async () => {
    const opened = await variant.open()
    const { storage, file } = opened
    const { holding, release } = await hold(variant, opened)
    const writes: Promise<number>[] = []
    for (const number of numbers(1, 100)) {
      writes.push(send(storage, 'addEntry', number))
      // In several messages, where they are sent to a thread.
      if (number % 20 === 0) await sent()
    }
    const before = countCommits(file)
    release()
    await holding
    expect(await Promise.all(writes)).toEqual(numbers(1, 100))
    expect(countCommits(file) - before).toBe(2)
    expect(await entriesOf(opened)).toEqual(numbers(0, 101))
  })

  test('at most 256 share one', async () => {
    const opened = await variant.open()
    const { holding, release } = await hold(variant, opened)
    const writes = numbers(1, 600).map((number) => send(opened.storage, 'addEntry', number))
    await sent()
    const before = countCommits(opened.file)
    release()
    await Promise.all([holding, ...writes])
    const ofThoseThatWaited = countCommits(opened.file) - before - 1
    expect(ofThoseThatWaited).toBe(3)
    expect(await entriesOf(opened)).toEqual(numbers(0, 601))
  })

  test('one alone has a transaction of its own', async () => {
    const { storage, file } = await variant.open()
    const before = countCommits(file)
    for (const number of numbers(1, 50)) await send(storage, 'addEntry', number)
    expect(countCommits(file) - before).toBe(50)
  })

  test('commands that are sent without waiting are done in the order in which they were sent', async () => {
    const { storage } = await variant.open()
    await send(storage, 'addPortal', undefined)
    const sentOnes = numbers(1, 1000)
    await Promise.all(sentOnes.map((number) => send(storage, 'appendNumber', number)))
    const portal = await storage.read(({ directory }) => directory.findPortal(aPortal().portalId))
    expect(portal?.description.trim().split(' ').map(Number)).toEqual(sentOnes)
  })

  test('none is answered before the commit', async () => {
    const opened = await variant.open()
    const { holding, release } = await hold(variant, opened)
    let answered = 0
    const writes = numbers(1, 30).map(async (number) => {
      await send(opened.storage, 'addEntry', number)
      answered += 1
      // Another connection sees all of the group: it is in the database, and not only in the transaction.
      expect((await entriesOf(opened)).length).toBe(31)
    })
    await sent()
    expect(answered).toBe(0)
    release()
    await Promise.all([holding, ...writes])
    expect(answered).toBe(30)
  })

  test('of a group, each that fails is undone alone, and rejects with its own error', async () => {
    const opened = await variant.open()
    const { holding, release } = await hold(variant, opened)
    const kinds = Object.keys(thrown) as Thrown[]
    const writes = kinds.flatMap((kind, at) => [
      send(opened.storage, 'addEntry', at + 1),
      send(opened.storage, 'addAndThrow', kind),
    ])
    const settling = Promise.allSettled(writes)
    await sent()
    release()
    await holding
    const results = await settling
    expect(results.filter((_, at) => at % 2 === 0)).toEqual(
      kinds.map((_, at) => ({ status: 'fulfilled', value: at + 1 })),
    )
    expect(results.filter((_, at) => at % 2 === 1).map(({ status }) => status)).toEqual(kinds.map(() => 'rejected'))
    expect(await entriesOf(opened)).toEqual(numbers(0, kinds.length + 1))
  })

  test('errors of the known kinds and bugs come through', async () => {
    const { storage } = await variant.open()
    await rejectionOf(send(storage, 'addAndThrow', 'portal'), PortalError)
    await rejectionOf(send(storage, 'addAndThrow', 'refused'), PortalError)
    await rejectionOf(send(storage, 'addAndThrow', 'unavailable'), StorageUnavailable)
    const bug = await rejectionOf(send(storage, 'addAndThrow', 'bug'), Error)
    expect([bug.name, bug.message]).toEqual(['RangeError', 'far out'])
    expect(bug.stack).toMatch(/^RangeError: far out\n +at .*\bbug /)
  })

  test('a constraint that fails is a bug, and leaves nothing', async () => {
    const { storage } = await variant.open()
    const bug = await rejectionOf(send(storage, 'addPortalTwice', undefined), Error)
    expect(bug).not.toBeInstanceOf(StorageUnavailable)
    expect(bug.name).toBe('SqliteError')
    expect(bug.message).toContain('UNIQUE')
    expect(await storage.read(({ directory }) => directory.listPortals())).toEqual([])
    expect(await send(storage, 'addEntry', 1)).toBe(1)
  })

  test('a command that has not begun at its deadline is never done; the others are', async () => {
    const opened = await variant.open()
    const { holding, release } = await hold(variant, opened)
    const soon = performance.now()
    const writes = numbers(1, 20).map((number) =>
      send(opened.storage, 'addEntry', number, number % 2 === 0 ? soon : undefined),
    )
    const settling = Promise.allSettled(writes)
    await sent()
    release()
    await holding
    const late = (await settling).filter((_, at) => at % 2 === 1)
    const reason = new StorageUnavailable('The write queue is full.')
    expect(late).toEqual(late.map(() => ({ status: 'rejected', reason })))
    expect(await entriesOf(opened)).toEqual([0, ...numbers(1, 20).filter((number) => number % 2 === 1)])
  })

  test('closing lets what was sent finish, and takes no more', async () => {
    const opened = await variant.open()
    const { storage } = opened
    const settling = Promise.allSettled(numbers(1, 300).map((number) => send(storage, 'addEntry', number)))
    const closing = storage.close()
    const refused = send(storage, 'addEntry', 301)
    await expect(refused).rejects.toThrow(new StorageUnavailable('The database is closed.'))
    await closing
    expect((await settling).filter(({ status }) => status === 'rejected')).toEqual([])
    expect(await entriesOf(opened)).toEqual(numbers(1, 300))
  })

  test('closing with nothing to finish ends, and so does closing twice', async () => {
    const { storage } = await variant.open()
    await Promise.all([storage.close(), storage.close()])
    await storage.close()
    await expect(storage.ping()).rejects.toBeInstanceOf(StorageUnavailable)
    await expect(send(storage, 'ignoreInput', undefined)).rejects.toBeInstanceOf(StorageUnavailable)
  })
})

test('of a group whose commit the database refuses, only the command that it refuses fails', async () => {
  const connections: Database.Database[] = []
  const storage = await openWorkFile(temporaryFile(), (path) => {
    const connection = openConnection(path)
    connections.push(connection)
    return connection
  })
  const [, writing] = connections
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const first = storage.write(async ({ audit }) => {
    await audit.add(anAuditEntry({ at: 0 }))
    await released
  })
  const add = (at: number) => storage.audit.add(anAuditEntry({ at }))
  const group = [
    add(1),
    storage.write(async ({ directory }) => {
      writing!.pragma('defer_foreign_keys = ON')
      await directory.addUser(aUser({ portalId: 'nowhere' }), 'hash')
    }),
    add(2),
  ]
  const settling = Promise.allSettled(group)
  release()
  await first
  const reasons = (await settling).map((result) => (result.status === 'rejected' ? result.reason.code : 'done'))
  expect(reasons).toEqual(['done', 'SQLITE_CONSTRAINT_FOREIGNKEY', 'done'])
  await add(3)
  expect((await storage.recorded.entries()).map(({ at }) => at)).toEqual([0, 1, 2, 3])
  await storage.close()
})

describe('a queue of writes', () => {
  type Numbered = PendingWrite<number>
  const pending = (command: number): Numbered => ({ command, until: Number.POSITIVE_INFINITY })

  function open() {
    const groups: number[][] = []
    const answers: number[][] = []
    const queue = writeInGroups<Numbered>(
      async (group) => {
        groups.push(group.map(({ command }) => command))
        await undefined
        return group.map(({ command }) => ({ result: command }))
      },
      (group) => void answers.push(group.map(({ command }) => command)),
    )
    return { queue, groups, answers }
  }

  test('begins with the first immediately, and takes together what comes meanwhile', async () => {
    const { queue, groups, answers } = open()
    queue.add([pending(1)])
    expect([groups, answers, queue.waiting()]).toEqual([[[1]], [], 0])
    queue.add([pending(2)])
    queue.add([pending(3), pending(4)])
    expect(queue.waiting()).toBe(3)
    await queue.isDone()
    expect([groups, answers]).toEqual([
      [[1], [2, 3, 4]],
      [[1], [2, 3, 4]],
    ])
    expect(queue.waiting()).toBe(0)
    queue.add([pending(5)])
    await queue.isDone()
    expect(answers).toEqual([[1], [2, 3, 4], [5]])
  })

  test('that was given nothing takes the next', async () => {
    const { queue, answers } = open()
    queue.add([])
    await queue.isDone()
    queue.add([pending(1)])
    await queue.isDone()
    expect(answers).toEqual([[1]])
  })
})
