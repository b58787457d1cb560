import { parentPort, workerData } from 'node:worker_threads'
import Database from 'better-sqlite3'
import type { ExecuteSearch } from '../storage.ts'
import { type SerializedError, serializeError } from './error-transfer.ts'
import { toStorageError } from './file.ts'
import { searchOn } from './searcher.ts'

/** Data that the thread is started with. */
export interface SearchThreadData {
  readonly path: string
  /** What searches are executed with. */
  readonly settings: unknown
}

/** A search as it is sent: `until` is in epoch milliseconds, as `performance.now()` differs between threads. */
export interface SentSearch {
  readonly search: unknown
  readonly until: number
}

/** One search at a time; `close` ends the thread after it. */
export type ToSearchThread = SentSearch | 'close'

/** First that the thread can search, then one answer to each search. */
export type FromSearchThread = 'ready' | { readonly result: unknown } | { readonly error: SerializedError }

/**
 * Main function of the search thread: opens a read-only connection to the database and runs the searches that it receives.
 * A long search blocks only this thread.
 */
export function serveSearches<Settings, Search>(executeWith: (settings: Settings) => ExecuteSearch<Search>): void {
  const port = parentPort!
  const { path, settings } = workerData as SearchThreadData
  const execute = executeWith(settings as Settings)
  let connection: Database.Database | undefined
  let run: ReturnType<typeof searchOn<Search>> | undefined
  let running: Promise<void> = Promise.resolve()

  function open(): NonNullable<typeof run> {
    try {
      connection ??= new Database(path, { readonly: true, fileMustExist: true })
      return searchOn(connection, execute)
    } catch (error) {
      throw toStorageError(error)
    }
  }

  async function find({ search, until }: SentSearch): Promise<unknown> {
    run ??= open()
    return run(search as Search, until - performance.timeOrigin)
  }

  async function answer(sent: SentSearch): Promise<void> {
    try {
      send({ result: await find(sent) })
    } catch (error) {
      send({ error: serializeError(error) })
    }
  }

  function send(message: FromSearchThread): void {
    port.postMessage(message)
  }

  port.on('message', (message: ToSearchThread) => {
    if (message === 'close') void end()
    else running = answer(message)
  })
  send('ready')

  async function end(): Promise<void> {
    await running
    connection?.close()
    port.close()
  }
}
