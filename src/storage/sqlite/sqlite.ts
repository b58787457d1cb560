import type Database from 'better-sqlite3'
import type { Kysely } from 'kysely'
import { CallerCache, withCallerCache } from '../caller-cache.ts'
import { noSearches, openSearchTurns } from '../search-turns.ts'
import {
  type DatabaseAccess,
  deadline,
  type Execute,
  type SearchOptions,
  type StartNotices,
  type Storage,
  StorageUnavailable,
} from '../storage.ts'
import { DocumentCache } from '../stores/categories/document-cache.ts'
import { isPrepared, prepareTables } from '../stores/prepare-tables.ts'
import { openStores } from '../stores.ts'
import { findMigrationState } from '../tables/catalog.ts'
import type { Rows } from '../tables/rows.ts'
import { requireSameFile } from './connection.ts'
import { openKysely } from './dialect.ts'
import {
  type Connect,
  databaseClosed,
  findFile,
  lockFile,
  lockIfFree,
  measureFile,
  memory,
  openConnection,
  requireNothingElse,
  requireSettings,
  toStorageError,
} from './file.ts'
import { openMemory } from './memory.ts'
import { type SqliteSearcher, searchHere } from './searcher.ts'
import { openSnapshots } from './snapshots.ts'
import type { ThreadProgram } from './thread-protocol.ts'
import { prepareInThread } from './threaded-preparation.ts'
import { searchInThread } from './threaded-searcher.ts'
import { writeInThread } from './threaded-writer.ts'
import { type SqliteWriter, writeHere } from './writer.ts'

/** Time for which a write waits for those of the server beside it (chosen), which may write without a pause for a while. */
const besideMilliseconds = 30_000

interface SqliteOptions<Search> {
  /** `own` by default. */
  readonly access?: DatabaseAccess
  readonly connect?: Connect
  /** Program of the write thread; without one, and in memory, writes run on this thread. */
  readonly writeThread?: ThreadProgram
  /** Program of the thread that changes tables of an earlier version; without one, this thread does. */
  readonly prepareThread?: URL
  readonly notices?: StartNotices
  /** Undefined where nothing is searched. */
  readonly searches?: SearchOptions<Search>
  /** Program of the search thread; without one, and in memory, searches run on this thread. */
  readonly searchThread?: ThreadProgram
}

/**
 * Opens a database file, or `:memory:`, and migrates it. One process owns a file at a time; with the access `beside`, a
 * file that another process owns is opened too, if its tables are those of this version.
 *
 * There are three connections, for writes, for reads and for searches: in WAL mode, reads do not wait for writes. The last
 * one is opened by the first search.
 */
export async function openSqlite<Command, Search = never>(
  file: string,
  execute: Execute<Command>,
  {
    access = 'own',
    connect = openConnection,
    writeThread,
    prepareThread,
    notices = {},
    searches = noSearches(),
    searchThread,
  }: SqliteOptions<Search> = {},
): Promise<Storage<Command, Search>> {
  if (file === memory) return openMemory(connect, execute, searches)
  const path = findFile(file)
  requireNothingElse(path)
  const lock = access === 'own' ? lockFile(path) : lockIfFree(path)
  const connections: Database.Database[] = []
  const open = (): Database.Database => {
    const connection = connect(path)
    connections.push(connection)
    requireSettings(connection, path)
    if (!lock) connection.pragma(`busy_timeout = ${besideMilliseconds}`)
    return connection
  }
  const searcher: SqliteSearcher<Search> = searchThread
    ? searchInThread(searchThread, path)
    : searchHere(open, searches.execute)
  const turns = openSearchTurns(1, searches.milliseconds)
  let writer: SqliteWriter<Command> | undefined
  let isClosed = false
  const close = async (): Promise<void> => {
    isClosed = true
    await writer?.close()
    await searcher.close()
    for (const connection of connections) connection.close()
    lock?.close()
  }
  try {
    const reading = open()
    if (lock) {
      const prepared = openKysely(reading)
      const isNew = !prepareThread || !(await findMigrationState(prepared))
      if (isNew) await prepareTables(prepared, notices)
      else if (!(await isPrepared(prepared))) await prepareInThread(prepareThread, path, notices)
    } else {
      await requirePrepared(openKysely(reading), path)
    }
    const checkFile = requireSameFile(path)
    const writing = writeThread
      ? await writeInThread<Command>(writeThread, path)
      : writeHere(open(), execute, checkFile)
    writer = writing
    const db = openKysely(reading)
    const callers = new CallerCache(() => true)
    // No snapshot is older than the last invalidation, as callers are invalidated when a snapshot begins.
    const readers = withCallerCache(openStores(db, { documents: new DocumentCache() }), callers, () => callers.version)
    const snapshots = openSnapshots(reading, readers, callers)
    return {
      description: `SQLite at ${file}`,
      read: (work, until = deadline()) => snapshots.read(work, until),
      async search(search, caller, until = deadline(), signal) {
        if (isClosed) throw databaseClosed()
        const asked = performance.now()
        const ready = searcher.ready()
        if (ready) await ready
        // The start of the thread does not count for the caller: on a busy machine, it may take longer than a search may.
        const run = (latest: number) => {
          if (isClosed) throw databaseClosed()
          return searcher.search(search, latest)
        }
        return turns.run(caller, until + performance.now() - asked, run, signal)
      },
      async write(command, until = deadline()) {
        try {
          return await writing.write(command, until)
        } finally {
          snapshots.renew()
        }
      },
      async ping() {
        checkFile()
        writing.requireOpen()
        await snapshots.read(({ directory }) => directory.findDefaultPortal(), deadline())
      },
      figures() {
        const busy = [snapshots.isBusy(), writing.isBusy(), searcher.isBusy()].filter(Boolean).length
        const open = 2 + searcher.open()
        const { hits, misses } = callers
        return {
          connections: { open, idle: open - busy },
          waiting: writing.waiting() + turns.waiting(),
          retries: 0,
          callerCache: { hits, misses },
        }
      },
      measure: async () => measureFile(path),
      failure: writing.failure,
      close,
    }
  } catch (error) {
    await close()
    throw toStorageError(error)
  }
}

/** Refuses a file that another process owns, unless that one has prepared it for this version of the program. */
async function requirePrepared(db: Kysely<Rows>, path: string): Promise<void> {
  if (await isPrepared(db)) return
  throw new StorageUnavailable(
    `The database ${path} is in use by another process, which has not prepared it for this version; wait until that one is ready, or stop it.`,
  )
}
