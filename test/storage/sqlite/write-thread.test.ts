import { existsSync, mkdirSync, readFileSync, renameSync, rmdirSync } from 'node:fs'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openConnection } from '../../../src/storage/sqlite/file.ts'
import { openSqlite } from '../../../src/storage/sqlite/sqlite.ts'
import { type Storage, StorageUnavailable, type Work } from '../../../src/storage/storage.ts'
import { rejectionOf } from '../../support/rejection.ts'
import { temporaryFile } from './temporary-file.ts'
import {
  addEntry,
  addLargeEntry,
  answerFunction,
  exitThread,
  ignoreInput,
  throwOutside,
  unknownWork,
} from './write-works.ts'
import { entriesOf, hold, type OpenedFile, sent, threaded, writeThread } from './writers.ts'

const tooMuch = new StorageUnavailable('The database has more to write than it can.')
const threadEnded = new StorageUnavailable('The thread that writes to the database has ended; start again.')

describe('while the thread waits for the disk', () => {
  test('reads and pings are answered', async () => {
    const { storage } = await threaded.open()
    await storage.write(addEntry, 1)
    const { holding, release } = await hold(threaded, storage)
    const writing = storage.write(addEntry, 2)
    const begun = performance.now()
    while (performance.now() - begun < 500) {
      expect(await entriesOf(storage)).toEqual([1])
      await storage.ping()
    }
    expect(storage.figures().waiting).toBe(2)
    expect(storage.figures().connections).toEqual({ open: 2, idle: 1 })
    release()
    await Promise.all([holding, writing])
    expect(await entriesOf(storage)).toEqual([1, 0, 2])
    expect(storage.figures().waiting).toBe(0)
    expect(storage.figures().connections).toEqual({ open: 2, idle: 2 })
  })

  test('nobody waits longer than he may; what had begun is written nevertheless, what had not is not', async () => {
    const { storage } = await threaded.open()
    const until = performance.now() + 300
    const { holding, release } = await hold(threaded, storage, until)
    const waiting = storage.write(addEntry, 1, until)
    const patient = storage.write(addEntry, 2, until + 60_000)
    await Promise.all([holding, waiting].map((work) => expect(work).rejects.toThrow(tooMuch)))
    const late = performance.now() - until
    expect(late).toBeGreaterThanOrEqual(0)
    expect(late).toBeLessThan(3_000)
    expect(await entriesOf(storage)).toEqual([])
    release()
    await patient
    expect(await entriesOf(storage)).toEqual([0, 2])
  })

  test('beyond 5,000 that wait, more are turned away at once, and the others are done', async () => {
    const { storage } = await threaded.open()
    const { holding, release } = await hold(threaded, storage)
    const until = performance.now() + 60_000
    const works = Array.from({ length: 4_999 }, (_, at) => storage.write(addEntry, at + 1, until))
    const refused = Array.from({ length: 10 }, () => storage.write(addEntry, -1, until))
    await Promise.all(refused.map((work) => expect(work).rejects.toThrow(tooMuch)))
    release()
    await Promise.all([holding, ...works])
    const { total } = await storage.read(({ audit }) => audit.list({ start: 1, num: 0 }))
    expect(total).toBe(5_000)
    expect(await storage.write(addEntry, 5_000)).toBe(5_000)
  })
})

describe('among others that are sent with it', () => {
  /** Three before and three after, of which nothing is lost. */
  async function sendAmongOthers(storage: Storage, work: () => Promise<unknown>): Promise<Error> {
    const before = [1, 2, 3].map((number) => storage.write(addEntry, number))
    const failing = rejectionOf(work(), Error)
    const after = [4, 5, 6].map((number) => storage.write(addEntry, number))
    expect(await Promise.all([...before, ...after])).toEqual([1, 2, 3, 4, 5, 6])
    const error = await failing
    expect(error).not.toBeInstanceOf(StorageUnavailable)
    expect(await storage.write(addEntry, 7)).toBe(7)
    return error
  }

  test('an input that is no plain value fails alone, as a bug', async () => {
    const { storage } = await threaded.open()
    const error = await sendAmongOthers(storage, () => storage.write(ignoreInput, { call: () => undefined }))
    expect(error.message).toContain('ignoreInput with an input that is no plain value')
    expect(await entriesOf(storage)).toEqual([1, 2, 3, 4, 5, 6, 7])
  })

  test('a result that is no plain value is answered as a bug, although it was written', async () => {
    const { storage } = await threaded.open()
    const error = await sendAmongOthers(storage, () => storage.write(answerFunction))
    expect(error.name).toBe('DataCloneError')
    expect(await entriesOf(storage)).toEqual([1, 2, 3, -1, 4, 5, 6, 7])
  })

  test('work that the thread does not know is a bug', async () => {
    const { storage } = await threaded.open()
    const error = await sendAmongOthers(storage, () => storage.write(unknownWork))
    expect(error.message).toBe('The thread that writes knows no work unknownWork.')
    expect(await entriesOf(storage)).toEqual([1, 2, 3, 4, 5, 6, 7])
  })
})

describe('a thread that ends by itself', () => {
  test('in the middle of a group: those who wait are told, so are later ones, and reads go on', async () => {
    const { storage } = await endInCompany(exitThread, (works) =>
      expect(works).toEqual(works.map(() => ({ status: 'rejected', reason: threadEnded }))),
    )
    expect(await entriesOf(storage)).toEqual([1, 0])
  })

  test('by an error that nobody catches: what was committed is told, and later ones are told why', async () => {
    const { storage } = await endInCompany(throwOutside, (works) =>
      expect(works.map(({ status }) => status)).toEqual(works.map(() => 'fulfilled')),
    )
    expect(await entriesOf(storage)).toEqual([1, 0, 2, 3])
    const { cause } = await rejectionOf(storage.write(addEntry, 4), StorageUnavailable)
    expect((cause as Error).message).toBe('outside of everything')
  })

  /** Ends the thread by work that waited together with two others. */
  async function endInCompany(
    end: Work<void>,
    look: (works: readonly PromiseSettledResult<unknown>[]) => void,
  ): Promise<OpenedFile> {
    const opened = await threaded.open()
    const { storage, file } = opened
    await storage.write(addEntry, 1)
    const { holding, release } = await hold(threaded, storage)
    const settling = Promise.allSettled([storage.write(end), storage.write(addEntry, 2), storage.write(addEntry, 3)])
    await sent()
    release()
    await holding
    look(await settling)
    await expect.poll(() => rejectionOf(storage.ping(), StorageUnavailable)).toEqual(threadEnded)
    await expect(storage.write(addEntry, 4)).rejects.toThrow(threadEnded)
    onTestFinished(async () => {
      await storage.close()
      await (await openSqlite(file)).close()
    })
    return opened
  }
})

describe('opening', () => {
  test('a thread that cannot open its database is told at once, and leaves nothing open', async () => {
    const file = temporaryFile()
    const opening = openSqlite(
      file,
      (path) => {
        const connection = openConnection(path)
        renameSync(path, `${path}.moved`)
        mkdirSync(path)
        return connection
      },
      writeThread,
    )
    await expect(opening).rejects.toBeInstanceOf(StorageUnavailable)
    await expect(opening).rejects.toThrow(`The database ${file} cannot be opened: `)
    rmdirSync(file)
    await (await openSqlite(file)).close()
  })

  test('a thread with a bug at its start says which', async () => {
    const file = temporaryFile()
    const broken = new URL('./broken-thread.ts', import.meta.url)
    await expect(openSqlite(file, openConnection, broken)).rejects.toThrow('a bug at the start')
    await (await openSqlite(file)).close()
  })
})

test('closing leaves one file with everything in it, whatever was sent before', async () => {
  const { storage, file } = await threaded.open()
  const works = Array.from({ length: 100 }, () => storage.write(addLargeEntry, 10_000))
  const closing = storage.close()
  // Time enough for the thread to end, were it told so before it has the works.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200)
  await Promise.all([closing, ...works])
  expect([existsSync(`${file}-wal`), existsSync(`${file}-shm`)]).toEqual([false, false])
  expect(readFileSync(file).length).toBeGreaterThan(1_000_000)
})

test('two files have a thread each', async () => {
  const [one, other] = [await threaded.open(), await threaded.open()]
  const { holding, release } = await hold(threaded, one.storage)
  expect(await other.storage.write(addEntry, 1)).toBe(1)
  release()
  await holding
  expect(await entriesOf(one.storage)).toEqual([0])
  expect(await entriesOf(other.storage)).toEqual([1])
})
