import { setImmediate } from 'node:timers/promises'
import type Database from 'better-sqlite3'
import type { ExecuteSearch } from '../storage.ts'
import { ItemColumnCache } from '../stores/items/columns/item-column-cache.ts'
import { openStores } from '../stores.ts'
import { openKysely } from './dialect.ts'
import { toStorageError } from './file.ts'
import { openSearchDeadline } from './search-deadline.ts'

/** Runs the searches of a SQLite database, one at a time, on this thread or on another. */
export interface SqliteSearcher<Search> {
  /** Resolves when a search can begin; undefined if it can now. */
  ready(): Promise<unknown> | undefined
  search(search: Search, until: number): Promise<unknown>
  /** Connections: none before the first search. */
  open(): number
  isBusy(): boolean
  /** Resolves after the search that runs. */
  close(): Promise<void>
}

/** Maximum time for which a search waits for items to be read into memory (chosen): it still has most of its own time. */
const readingMilliseconds = 250

/** Time between two looks at what has changed without a search (chosen): items in memory miss far fewer changes than are kept. */
const followInterval = 1_000

/** Runs searches on one connection. */
export interface ConnectionSearches<Search> {
  run(search: Search, until: number): Promise<unknown>
  /** Reads items into memory before the first search, no longer than until then. */
  prepare(until: number): Promise<void>
}

/**
 * Runs a search on a connection of its own, in a transaction that begins with it: so it sees every earlier commit. Between
 * searches, it reads items into memory for later searches; the connection may be closed meanwhile. If another search follows
 * immediately, reading gets some time first, or it would never end: after a search that failed, all the time that it took.
 */
export function searchOn<Search>(
  connection: Database.Database,
  execute: ExecuteSearch<Search>,
  now: () => number = () => performance.now(),
): ConnectionSearches<Search> {
  connection.pragma('query_only = ON')
  const deadline = openSearchDeadline(connection)
  const db = openKysely(connection)
  const columns = new ItemColumnCache()
  const stores = openStores(db, { deadlineCondition: deadline.deadlineCondition, columns })
  const [begin, end] = [connection.prepare('begin'), connection.prepare('commit')]
  let searches = 0
  let readsUntil = 0
  let reading: Promise<void> | undefined
  const following = setInterval(() => {
    if (!connection.open) clearInterval(following)
    else if (searches === 0 && (columns.isRead || columns.isMissing)) readItems()
  }, followInterval).unref()

  function readItems(): void {
    reading ??= readParts().finally(() => {
      reading = undefined
    })
  }

  async function readParts(): Promise<void> {
    let isMore = true
    while (isMore) {
      await setImmediate()
      if (searches > 0 || !connection.open) return
      // The next search fails with such an error, too, and reports it.
      isMore = await columns.readPart(db).catch(() => false)
    }
  }

  return {
    async run(search, until) {
      const begun = now()
      let maxReading = Number.POSITIVE_INFINITY
      while (reading && now() < readsUntil) await setImmediate()
      searches += 1
      try {
        begin.run()
        const found = await deadline.during(until, () => execute(stores, search))
        maxReading = readingMilliseconds
        return found
      } catch (error) {
        throw toStorageError(error, connection)
      } finally {
        if (connection.inTransaction) end.run()
        searches -= 1
        const ended = now()
        readsUntil = ended + Math.min(ended - begun, maxReading)
        if (searches === 0 && columns.isMissing) readItems()
      }
    },
    async prepare(until) {
      while (now() < until && (await columns.readPart(db)));
    },
  }
}

/** Runs searches on this thread, on a connection that is opened for the first of them. */
export function searchHere<Search>(
  connect: () => Database.Database,
  execute: ExecuteSearch<Search>,
): SqliteSearcher<Search> {
  let on: ConnectionSearches<Search> | undefined
  let running: Promise<unknown> = Promise.resolve()
  let isBusy = false
  return {
    ready: () => undefined,
    async search(search, until) {
      on ??= searchOn(connect(), execute)
      isBusy = true
      const result = on.run(search, until).finally(() => {
        isBusy = false
      })
      running = result.catch(() => undefined)
      return result
    },
    open: () => (on ? 1 : 0),
    isBusy: () => isBusy,
    close: async () => void (await running),
  }
}
