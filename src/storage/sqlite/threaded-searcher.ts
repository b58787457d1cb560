import type { PendingSearch } from './search-thread.ts'
import type { SqliteSearcher } from './searcher.ts'
import { type AnsweringThread, startThread, type ThreadProgram } from './thread-protocol.ts'

/**
 * Sends searches to a thread, whose program calls `serveSearches`. It is started for the first of them, and again after one
 * that has ended by itself: it has nothing to lose.
 */
export function searchInThread<Search>(program: ThreadProgram, path: string): SqliteSearcher<Search> {
  let thread: AnsweringThread<PendingSearch<Search>> | undefined

  function requireThread(): AnsweringThread<PendingSearch<Search>> {
    if (thread) return thread
    thread = startThread(program, path, 'The search thread has ended.')
    void thread.failure.then(forget)
    return thread
  }

  function forget(): void {
    thread = undefined
  }

  return {
    ready: () => requireThread().ready(),
    search: async (search, until) => requireThread().ask({ search, until }),
    open: () => (thread ? 1 : 0),
    isBusy: () => thread !== undefined && thread.unanswered() > 0,
    close: async () => thread?.close().then(forget),
  }
}
