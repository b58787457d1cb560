/** Program of the thread that searches a SQLite file, or the search replica of a PostgreSQL database. */
import { workerData } from 'node:worker_threads'
import { giveWay } from './priority.ts'

/**
 * Niceness of the thread (chosen): where all share one core, writes beside searches without a pause keep 0.7 of their rate in place of
 * half, and searches half of theirs.
 */
giveWay(5)

// Loaded only now, and only what is used: a thread that starts gives way too.
const { executeSearch } = await import('./operations/execute.ts')
if ('replica' in workerData.settings) {
  const { serveReplica } = await import('./storage/replica/replica-thread.ts')
  serveReplica(executeSearch)
} else {
  const { serveSearches } = await import('./storage/sqlite/search-thread.ts')
  serveSearches(executeSearch)
}
