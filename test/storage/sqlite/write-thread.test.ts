import { existsSync, mkdirSync, readFileSync, renameSync, rmdirSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openConnection } from '../../../src/storage/sqlite/file.ts'
import { openSqlite } from '../../../src/storage/sqlite/sqlite.ts'
import { type Storage, StorageUnavailable } from '../../../src/storage/storage.ts'
import { rejectionOf } from '../../support/rejection.ts'
import { aPortal } from '../contract/records.ts'
import { temporaryFile } from './temporary-file.ts'
import { muchLater, runCommand, send, type TestCommand } from './write-commands.ts'
import { entriesOf, hold, type OpenedFile, sent, threaded, writeThread } from './writers.ts'

const queueFull = new StorageUnavailable('The write queue is full.')
const threadEnded = new StorageUnavailable('The write thread has ended; restart the server.')

describe('while the thread waits for the disk', () => {
  test('reads and pings are answered', async () => {
    const opened = await threaded.open()
    const { storage } = opened
    await send(storage, 'addPortal', undefined)
    const { holding, release } = await hold(threaded, opened)
    const writing = send(storage, 'appendNumber', 2)
    const describePortal = () => storage.read(({ directory }) => directory.findPortal(aPortal().portalId))
    for (let times = 0; times < 50; times += 1) {
      expect((await describePortal())?.description).toBe('')
      await storage.ping()
      await setImmediate()
    }
    expect(storage.figures().waiting).toBe(2)
    expect(storage.figures().connections).toEqual({ open: 2, idle: 1 })
    release()
    await Promise.all([holding, writing])
    expect((await describePortal())?.description).toBe(' 2')
    expect(storage.figures().waiting).toBe(0)
    expect(storage.figures().connections).toEqual({ open: 2, idle: 2 })
  })

  test('a command is rejected at its deadline; if it had begun it is written nevertheless, otherwise not', async () => {
    const opened = await threaded.open()
    const { storage } = opened
    const { holding, release, until } = await holdBriefly(opened)
    const waiting = send(storage, 'addEntry', 1, until)
    const patient = send(storage, 'addEntry', 2)
    // The thread is held all the while.
    await Promise.all([holding, waiting].map((write) => expect(write).rejects.toThrow(queueFull)))
    expect(performance.now()).toBeGreaterThanOrEqual(until)
    expect(await entriesOf(opened)).toEqual([])
    release()
    await patient
    expect(await entriesOf(opened)).toEqual([0, 2])
  })

  /** Holds the thread by a command whose deadline comes soon, but not before it has begun. */
  async function holdBriefly(opened: OpenedFile) {
    for (let milliseconds = 200; ; milliseconds *= 2) {
      const until = performance.now() + milliseconds
      const held = await hold(threaded, opened, until).catch(() => undefined)
      if (held) return { ...held, until }
    }
  }

  test('above 5,000 that wait, more are rejected immediately, and the others are done', async () => {
    const opened = await threaded.open()
    const { storage } = opened
    const { holding, release } = await hold(threaded, opened)
    const writes = Array.from({ length: 4_999 }, (_, at) => send(storage, 'addEntry', at + 1))
    const refused = Array.from({ length: 10 }, () => send(storage, 'addEntry', -1))
    await Promise.all(refused.map((write) => expect(write).rejects.toThrow(queueFull)))
    release()
    await Promise.all([holding, ...writes])
    expect(await entriesOf(opened)).toHaveLength(5_000)
    expect(await send(storage, 'addEntry', 5_000)).toBe(5_000)
  })
})

describe('among others that are sent with it', () => {
  /** Three before and three after, of which nothing is lost. */
  async function sendAmongOthers(
    storage: Storage<TestCommand>,
    operation: 'ignoreInput' | 'answerFunction',
    input?: unknown,
  ): Promise<Error> {
    const before = [1, 2, 3].map((number) => send(storage, 'addEntry', number))
    const failing = rejectionOf(send(storage, operation, input), Error)
    const after = [4, 5, 6].map((number) => send(storage, 'addEntry', number))
    expect(await Promise.all([...before, ...after])).toEqual([1, 2, 3, 4, 5, 6])
    const error = await failing
    expect(error).not.toBeInstanceOf(StorageUnavailable)
    expect(await send(storage, 'addEntry', 7)).toBe(7)
    return error
  }

  test('an input that is no plain value fails alone, as a bug', async () => {
    const opened = await threaded.open()
    const error = await sendAmongOthers(opened.storage, 'ignoreInput', { call: () => undefined })
    expect(error.name).toBe('DataCloneError')
    expect(await entriesOf(opened)).toEqual([1, 2, 3, 4, 5, 6, 7])
  })

  test('a result that is no plain value is answered as a bug, although it was written', async () => {
    const opened = await threaded.open()
    const error = await sendAmongOthers(opened.storage, 'answerFunction')
    expect(error.name).toBe('DataCloneError')
    expect(await entriesOf(opened)).toEqual([1, 2, 3, -1, 4, 5, 6, 7])
  })
})

describe('a thread that ends by itself', () => {
  test('in the middle of a group rejects what is not answered and what comes later, and reads go on', async () => {
    const opened = await endAmongOthers('exitThread', (writes) =>
      expect(writes).toEqual(writes.map(() => ({ status: 'rejected', reason: threadEnded }))),
    )
    expect(await entriesOf(opened)).toEqual([1, 0])
    expect(await opened.storage.read(({ directory }) => directory.listPortals())).toEqual([])
    expect(await opened.storage.failure).toEqual(threadEnded)
  })

  test('by an error that is not caught answers what was committed, and gives the error as the cause of the failure', async () => {
    const opened = await endAmongOthers('throwOutside', (writes) =>
      expect(writes.map(({ status }) => status)).toEqual(writes.map(() => 'fulfilled')),
    )
    expect(await entriesOf(opened)).toEqual([1, 0, 2, 3])
    const failure = await opened.storage.failure
    expect(failure).toEqual(threadEnded)
    expect((failure.cause as Error).message).toBe('outside of everything')
    const { cause } = await rejectionOf(send(opened.storage, 'addEntry', 4), StorageUnavailable)
    expect(cause).toBe(failure.cause)
  })

  /** Ends the thread by a command that waited together with two others. */
  async function endAmongOthers(
    end: 'exitThread' | 'throwOutside',
    look: (writes: readonly PromiseSettledResult<unknown>[]) => void,
  ): Promise<OpenedFile> {
    const opened = await threaded.open()
    const { storage, file } = opened
    await send(storage, 'addEntry', 1)
    const { holding, release } = await hold(threaded, opened)
    const settling = Promise.allSettled([
      send(storage, end, undefined),
      send(storage, 'addEntry', 2),
      send(storage, 'addEntry', 3),
    ])
    await sent()
    release()
    await holding
    look(await settling)
    await storage.failure
    await expect(storage.ping()).rejects.toEqual(threadEnded)
    await expect(send(storage, 'addEntry', 4)).rejects.toThrow(threadEnded)
    onTestFinished(async () => {
      await storage.close()
      await (await openSqlite(file, runCommand)).close()
    })
    return opened
  }

  test('because the storage is closed is no failure', async () => {
    const { storage } = await threaded.open()
    await send(storage, 'addEntry', 1)
    await storage.close()
    expect(await Promise.race([storage.failure, setImmediate('none')])).toBe('none')
  })
})

describe('opening', () => {
  test('a thread that cannot open its database fails immediately, and leaves nothing open', async () => {
    const file = temporaryFile()
    const opening = openSqlite(file, runCommand, {
      connect: (path) => {
        const connection = openConnection(path)
        renameSync(path, `${path}.moved`)
        mkdirSync(path)
        return connection
      },
      writeThread: await writeThread(),
    })
    await expect(opening).rejects.toBeInstanceOf(StorageUnavailable)
    await expect(opening).rejects.toThrow(`The database ${file} cannot be opened: `)
    rmdirSync(file)
    await (await openSqlite(file, runCommand)).close()
  })

  test('a thread with a bug at its start fails with that bug', async () => {
    const file = temporaryFile()
    const broken = { program: new URL('./broken-thread.ts', import.meta.url), settings: undefined }
    await expect(openSqlite(file, runCommand, { writeThread: broken })).rejects.toThrow('a bug at the start')
    await (await openSqlite(file, runCommand)).close()
  })
})

test('closing leaves one file with everything in it, whatever was sent before', async () => {
  const { storage, file } = await threaded.open()
  const writes = Array.from({ length: 100 }, () => send(storage, 'addLargeEntry', 10_000, muchLater()))
  const closing = storage.close()
  // A thread that gets the message to close before the commands ends without them now.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200)
  await Promise.all([closing, ...writes])
  expect([existsSync(`${file}-wal`), existsSync(`${file}-shm`)]).toEqual([false, false])
  expect(readFileSync(file).length).toBeGreaterThan(1_000_000)
})

test('two files have a thread each', async () => {
  const [one, other] = [await threaded.open(), await threaded.open()]
  const { holding, release } = await hold(threaded, one)
  expect(await send(other.storage, 'addEntry', 1)).toBe(1)
  release()
  await holding
  expect(await entriesOf(one)).toEqual([0])
  expect(await entriesOf(other)).toEqual([1])
})
