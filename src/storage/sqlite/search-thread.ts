import Database from 'better-sqlite3'
import type { ExecuteSearch } from '../storage.ts'
import type { Outcome } from './group-commit.ts'
import { searchOn } from './searcher.ts'
import { serveThread } from './thread-protocol.ts'

/** A search, with its deadline on the clock of `performance.now()`. */
export interface PendingSearch<Search> {
  readonly search: Search
  readonly until: number
}

/** Maximum time for which the first searches wait for items to be read into memory (chosen): a million take four seconds. */
const preparingMilliseconds = 20_000

/**
 * Main function of the search thread: opens a read-only connection to the database and runs the searches that it receives.
 * A long search blocks only this thread.
 */
export function serveSearches<Settings, Search>(executeWith: (settings: Settings) => ExecuteSearch<Search>): void {
  serveThread<Settings, PendingSearch<Search>>((path, settings) => {
    const connection = new Database(path, { readonly: true, fileMustExist: true })
    const { run, prepare } = searchOn(connection, executeWith(settings))
    const find = async (asked: PendingSearch<Search>): Promise<Outcome> => {
      try {
        return { result: await run(asked.search, asked.until) }
      } catch (error) {
        return { error }
      }
    }
    // One at a time.
    return {
      connection,
      run: (searches) => Array.fromAsync(searches, find),
      // A database that cannot be read fails with the first search, which reports it.
      prepared: prepare(performance.now() + preparingMilliseconds).catch(() => undefined),
    }
  })
}
