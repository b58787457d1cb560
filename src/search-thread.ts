/** Program of the thread that searches a SQLite file. */
import { executeSearch } from './operations/execute.ts'
import { serveSearches } from './storage/sqlite/search-thread.ts'

serveSearches(executeSearch)
