import type Database from 'better-sqlite3'
import type { ExecuteSearch } from '../storage.ts'
import { openStores } from '../stores.ts'
import { openKysely } from './dialect.ts'
import { toStorageError } from './file.ts'
import { openSearchDeadline } from './search-deadline.ts'

/** Runs the searches of a SQLite database, one at a time, on this thread or on another. */
export interface SqliteSearcher<Search> {
  /** Resolves when a search can begin; undefined if it can now. */
  ready(): Promise<void> | undefined
  search(search: Search, until: number): Promise<unknown>
  /** Connections: none before the first search. */
  open(): number
  isBusy(): boolean
  /** Resolves after the search that runs. */
  close(): Promise<void>
}

/** Runs a search on a connection of its own, in a transaction that begins with it: so it sees every earlier commit. */
export function searchOn<Search>(
  connection: Database.Database,
  execute: ExecuteSearch<Search>,
): (search: Search, until: number) => Promise<unknown> {
  connection.pragma('query_only = ON')
  const deadline = openSearchDeadline(connection)
  const stores = openStores(openKysely(connection), { inTime: deadline.inTime })
  const [begin, end] = [connection.prepare('begin'), connection.prepare('commit')]
  return async (search, until) => {
    try {
      begin.run()
      return await deadline.during(until, () => execute(stores, search))
    } catch (error) {
      throw toStorageError(error, connection)
    } finally {
      if (connection.inTransaction) end.run()
    }
  }
}

/** Runs searches on this thread, on a connection that is opened for the first of them. */
export function searchHere<Search>(
  connect: () => Database.Database,
  execute: ExecuteSearch<Search>,
): SqliteSearcher<Search> {
  let run: ReturnType<typeof searchOn<Search>> | undefined
  let running: Promise<unknown> = Promise.resolve()
  let isBusy = false
  return {
    ready: () => undefined,
    async search(search, until) {
      run ??= searchOn(connect(), execute)
      isBusy = true
      const result = run(search, until).finally(() => {
        isBusy = false
      })
      running = result.catch(() => undefined)
      return result
    },
    open: () => (run ? 1 : 0),
    isBusy: () => isBusy,
    close: async () => void (await running),
  }
}
