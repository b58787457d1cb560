import { searchTooLate } from '../search-turns.ts'
import type { PendingSearch } from './search-thread.ts'
import type { SqliteSearcher } from './searcher.ts'
import { type AnsweringThread, startThread, type ThreadProgram } from './thread-protocol.ts'

/** Time for a search to end by itself after its deadline (chosen). */
const graceMilliseconds = 1_000

/** Memory limit of the thread (chosen): twice the room of the columns of all organizations. */
const maxOldGenerationSizeMb = 1_024

/**
 * Sends searches to a thread, whose program calls `serveSearches`. It is started by the first search, and again after it has
 * ended by itself or was terminated because a search did not end in time: it has no state to lose.
 */
export function searchInThread<Search>(program: ThreadProgram, path: string): SqliteSearcher<Search> {
  type SearchThread = AnsweringThread<PendingSearch<Search>>
  let thread: SearchThread | undefined
  /** Resolves when all replaced threads have ended. */
  let ending: Promise<unknown> = Promise.resolve()
  let isClosed = false

  function requireThread(): SearchThread {
    if (thread) return thread
    const started: SearchThread = startThread(
      { ...program, maxOldGenerationSizeMb },
      path,
      'The search thread has ended.',
    )
    thread = started
    void started.failure.then(() => forget(started))
    return started
  }

  function forget(ended: SearchThread): void {
    if (thread === ended) thread = undefined
  }

  /** Replaces a thread; resolves when a search can begin in the new one. If the new one cannot start, the next search fails. */
  async function replace(late: SearchThread): Promise<void> {
    forget(late)
    // A thread in a system call on a hanging disk does not end: no more than one other is started beside it.
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
    // An answer that arrived while this thread was busy takes precedence.
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
