import { searchTooLate } from '../search-turns.ts'
import type { PendingSearch } from './search-thread.ts'
import type { SqliteSearcher } from './searcher.ts'
import { type AnsweringThread, startThread, type ThreadProgram } from './thread-protocol.ts'

/** Time for a search to end by itself after its deadline (chosen). */
const graceMilliseconds = 1_000

/**
 * Sends searches to a thread, whose program calls `serveSearches`. It is started for the first of them, and again after one
 * that has ended by itself, or that was ended as its search did not end in time: it has nothing to lose.
 */
export function searchInThread<Search>(program: ThreadProgram, path: string): SqliteSearcher<Search> {
  type SearchThread = AnsweringThread<PendingSearch<Search>>
  let thread: SearchThread | undefined
  /** Threads that were replaced. */
  let ending: Promise<unknown> = Promise.resolve()
  let isClosed = false

  function requireThread(): SearchThread {
    if (thread) return thread
    const started: SearchThread = startThread(program, path, 'The search thread has ended.')
    thread = started
    void started.failure.then(() => forget(started))
    return started
  }

  function forget(ended: SearchThread): void {
    if (thread === ended) thread = undefined
  }

  /** Resolves when a search can begin in another one; if that one fails, the search does. */
  async function replace(late: SearchThread): Promise<void> {
    forget(late)
    // One that a system call holds, as of a disk that hangs, does not end: no more than one is started beside it.
    const before = ending
    ending = Promise.all([before, late.terminate().catch(() => undefined)])
    await before
    if (!isClosed)
      await requireThread()
        .ready()
        ?.catch(() => undefined)
  }

  async function search(asked: Search, until: number): Promise<unknown> {
    const asking = requireThread()
    const { promise: late, reject } = Promise.withResolvers<never>()
    let isAnswered = false
    // An answer that has come while this thread was busy is taken first.
    const rejectLate = () =>
      setImmediate(
        () =>
          !isAnswered &&
          void replace(asking)
            .catch(() => undefined)
            .finally(() => reject(searchTooLate())),
      )
    const timer = setTimeout(rejectLate, until + graceMilliseconds - performance.now())
    try {
      return await Promise.race([asking.ask({ search: asked, until }), late])
    } finally {
      isAnswered = true
      clearTimeout(timer)
    }
  }

  return {
    ready: () => requireThread().ready(),
    search,
    open: () => (thread ? 1 : 0),
    isBusy: () => thread !== undefined && thread.unanswered() > 0,
    async close() {
      isClosed = true
      const last = thread
      await last?.close()
      if (last) forget(last)
      await ending
    },
  }
}
