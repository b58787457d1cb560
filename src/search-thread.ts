/** Program of the thread that searches a SQLite file, or the search replica of a PostgreSQL database. */
import { workerData } from 'node:worker_threads'
import { executeSearch } from './operations/execute.ts'
import { serveSearches } from './storage/sqlite/search-thread.ts'

if ('replica' in workerData.settings) {
  // Loaded only where it is used: a thread on SQLite starts sooner without it.
  const { serveReplica } = await import('./storage/replica/replica-thread.ts')
  serveReplica(executeSearch)
} else serveSearches(executeSearch)
