import { Worker } from 'node:worker_threads'
import { StorageUnavailable } from '../storage.ts'
import { deserializeError } from './error-transfer.ts'
import type { FromSearchThread, SearchThreadData, ToSearchThread } from './search-thread.ts'
import type { SqliteSearcher } from './searcher.ts'

/** A program that calls `serveSearches`, and a plain value that it gets. */
export interface SearchThread {
  readonly program: URL
  readonly settings: unknown
}

interface Unanswered {
  resolve(result: unknown): void
  reject(error: unknown): void
}

/**
 * Sends searches to a thread that is started for the first of them, and again after one that has ended by itself: it has
 * nothing to lose.
 */
export function searchInThread<Search>({ program, settings }: SearchThread, path: string): SqliteSearcher<Search> {
  let thread: Worker | undefined
  let ready: Promise<void> | undefined
  let ended: Promise<void> = Promise.resolve()
  let unanswered: Unanswered | undefined

  function start(): Worker {
    const workerData: SearchThreadData = { path, settings }
    const started = new Worker(program, { workerData })
    let cause: unknown
    const loaded = Promise.withResolvers<void>()
    ready = loaded.promise
    // Also where the search that waits for it is a later one.
    loaded.promise.catch(() => undefined)
    started.on('message', (answer: FromSearchThread) => {
      if (answer === 'ready') {
        ready = undefined
        return loaded.resolve()
      }
      const { resolve, reject } = unanswered!
      unanswered = undefined
      if ('error' in answer) reject(deserializeError(answer.error))
      else resolve(answer.result)
    })
    started.on('error', (error) => {
      cause = error
    })
    ended = new Promise((resolve) => {
      started.on('exit', () => {
        thread = undefined
        const failure = new StorageUnavailable('The search thread has ended.', { cause })
        loaded.reject(failure)
        unanswered?.reject(failure)
        unanswered = undefined
        resolve()
      })
    })
    return started
  }

  function requireThread(): Worker {
    thread ??= start()
    return thread
  }

  function post(message: ToSearchThread): void {
    requireThread().postMessage(message)
  }

  return {
    ready() {
      requireThread()
      return ready
    },
    async search(search, until) {
      const { promise, resolve, reject } = Promise.withResolvers<unknown>()
      post({ search, until: until + performance.timeOrigin })
      unanswered = { resolve, reject }
      return promise
    },
    open: () => (thread ? 1 : 0),
    isBusy: () => unanswered !== undefined,
    async close() {
      thread?.postMessage('close' satisfies ToSearchThread)
      await ended
    },
  }
}
