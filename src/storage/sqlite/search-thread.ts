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

/** Runs searches one at a time. */
export function oneByOne<Search>(run: (search: Search, until: number) => Promise<unknown>) {
  const find = async ({ search, until }: PendingSearch<Search>): Promise<Outcome> => {
    try {
      return { result: await run(search, until) }
    } catch (error) {
      return { error }
    }
  }
  return (searches: readonly PendingSearch<Search>[]) => Array.fromAsync(searches, find)
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
    return {
      close: () => connection.close(),
      run: oneByOne(run),
      // A database that cannot be read fails with the first search, which reports it.
      prepared: prepare(performance.now() + preparingMilliseconds).catch(() => undefined),
    }
  })
}
