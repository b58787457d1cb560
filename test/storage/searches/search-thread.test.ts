import { execFileSync } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { SqliteSearcher } from '../../../src/storage/sqlite/searcher.ts'
import { openSqlite } from '../../../src/storage/sqlite/sqlite.ts'
import { searchInThread } from '../../../src/storage/sqlite/threaded-searcher.ts'
import { StorageUnavailable } from '../../../src/storage/storage.ts'
import { rejectionOf } from '../../support/rejection.ts'
import { until } from '../../support/until.ts'
import { aKey, aPortal } from '../contract/records.ts'
import { muchLater } from '../much-later.ts'
import { preparedFile, temporaryFile } from '../sqlite/temporary-file.ts'
import { runCalls, type StoreCall } from '../store-calls.ts'
import { threadProgram } from '../thread-program.ts'
import { type SearchCalls, searches, shutGate } from './search-calls.ts'

const answering = new URL('./search-calls-thread.mjs', import.meta.url)
const readPortals: StoreCall = ['directory', 'listPortals']
async function open(milliseconds?: number, program?: URL) {
  const file = await preparedFile()
  const searchThread = program ? { program, settings: undefined } : await threadProgram(answering)
  const asked = milliseconds === undefined ? searches : { ...searches, milliseconds }
  const storage = await openSqlite(file, runCalls, { searches: asked, searchThread })
  onTestFinished(() => storage.close())
  const search = (asked: SearchCalls) => storage.search(asked, 'a', muchLater())
  return { storage, search }
}

test('the thread starts with the first search, and ends with the storage', async () => {
  const { storage, search } = await open()
  expect(storage.figures().connections).toEqual({ open: 2, idle: 2 })
  expect(await search({ calls: [readPortals] })).toEqual({ order: undefined, results: [[]] })
  expect(storage.figures().connections).toEqual({ open: 3, idle: 3 })
  await storage.close()
  expect(storage.figures().connections.open).toBe(2)
})

test('while the thread is blocked by a search, reads, writes and pings are answered', async () => {
  const { storage, search } = await open()
  const held = shutGate()
  onTestFinished(held.open)
  const searching = search({ calls: [readPortals], gate: held.gate, behind: [readPortals], blocks: true })
  await held.isReached()
  expect(storage.figures().connections).toEqual({ open: 3, idle: 2 })
  await storage.write([['directory', 'addPortal', aPortal(), aKey]], muchLater())
  for (let times = 0; times < 20; times += 1) {
    expect(await storage.read(({ directory }) => directory.listPortals(), muchLater())).toHaveLength(1)
    await storage.ping()
  }
  held.open()
  expect(await searching).toMatchObject({ results: [[], []] })
})

test('closing waits for the search that runs', async () => {
  const { storage, search } = await open()
  const held = shutGate()
  onTestFinished(held.open)
  const searching = search({ calls: [readPortals], gate: held.gate, behind: [readPortals] })
  await held.isReached()
  const closing = storage.close()
  held.open()
  expect(await searching).toMatchObject({ results: [[], []] })
  await closing
})

describe('a search that fails', () => {
  test('by what it is asked is a bug, and the thread goes on', async () => {
    const { search } = await open()
    const unknown = ['directory', 'guessPortal'] as unknown as StoreCall
    const error = await rejectionOf(search({ calls: [unknown] }), Error)
    expect(error).not.toBeInstanceOf(StorageUnavailable)
    expect(error.name).toBe('TypeError')
    expect(await search({ calls: [readPortals] })).toMatchObject({ results: [[]] })
  })

  test('to end in time has its thread replaced: those that wait for it go on in another one', async () => {
    const { storage, search } = await open(200)
    await search({ calls: [readPortals] }).catch(() => undefined)
    const held = shutGate()
    const searching = rejectionOf(search({ calls: [], gate: held.gate, blocks: true }), StorageUnavailable)
    await held.isReached()
    const waiting = search({ calls: [readPortals] }).catch((error: Error) => error.message)
    expect((await searching).message).toBe('The search took too long.')
    // On a busy machine, it may have had too little time there.
    expect([{ order: undefined, results: [[]] }, 'The search took too long.']).toContainEqual(await waiting)
    await until('a search is answered', () =>
      search({ calls: [readPortals] }).then(
        () => true,
        () => false,
      ),
    )
    expect(held.begun()).toBe(1)
    await storage.close()
  })

  test('in a thread that does not end has another one beside it, and a third waits for the first to end', async () => {
    const path = temporaryFile()
    execFileSync('/bin/sh', ['-c', 'mkfifo "$0"', path])
    // Ends whatever is still held.
    onTestFinished(() => closeSync(openSync(path, 'r+')))
    const held = new Int32Array(new SharedArrayBuffer(4))
    const program = new URL('./held-search-thread.mjs', import.meta.url)
    const replaceOne = async (searcher: SqliteSearcher<string>) => {
      await searcher.ready()
      const before = Atomics.load(held, 0)
      await rejectionOf(searcher.search('', 0), StorageUnavailable)
      await until('another thread is held', () => Atomics.load(held, 0) > before)
    }
    const [searcher, other] = [1, 2].map(() => searchInThread<string>({ program, settings: held }, path))
    await searcher!.ready()
    await until('the first is held', () => Atomics.load(held, 0) === 1)
    await replaceOne(searcher!)
    let hasThird = false
    const third = replaceOne(searcher!).then(() => {
      hasThird = true
    })
    await other!.ready()
    await until('the other is held', () => Atomics.load(held, 0) >= 3)
    await replaceOne(other!)
    expect(hasThird).toBe(false)
    expect(Atomics.load(held, 0)).toBe(4)
    const pipe = openSync(path, 'r+')
    await third
    await Promise.all([searcher!.close(), other!.close()])
    closeSync(pipe)
  })

  test('because its thread ended is rejected, and the next one has a new thread', async () => {
    const { storage, search } = await open(undefined, new URL('./ending-search-thread.mjs', import.meta.url))
    for (let times = 1; times <= 2; times += 1) {
      const ended = await rejectionOf(search({ calls: [readPortals] }), StorageUnavailable)
      expect(ended.message).toBe('The search thread has ended.')
      await until('the thread has ended', () => storage.figures().connections.open === 2)
    }
    expect(await storage.read(({ directory }) => directory.listPortals(), muchLater())).toEqual([])
  })
})
